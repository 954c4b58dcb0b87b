import { type SelectQueryBuilder, sql } from 'kysely'
import { pageSize } from '#domain/answers.ts'

/** One page of what a query finds, and whether there is more behind it. */
export async function paged<DB, T extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, T, Row>,
  pageNumber = 1,
): Promise<{ rows: Row[]; hasMore: boolean }> {
  const rows = await query
    .limit(pageSize + 1)
    .offset((pageNumber - 1) * pageSize)
    .execute()
  return { rows: rows.slice(0, pageSize) as Row[], hasMore: rows.length > pageSize }
}

/** Of a record that is joined with its user as `u`, who did it. */
export const doneBy = sql<{
  id: number
  name: string
} | null>`case when u.id is null then null else jsonb_build_object('id', u.id, 'name', u.name) end`.as('user')
