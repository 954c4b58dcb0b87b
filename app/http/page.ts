import { type SelectQueryBuilder, sql } from 'kysely'
import { pageSize } from '#domain/answers.ts'

/** Returns one page of a query, and whether there is more. */
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

/** The user of a record, for a query that joins the user as `u`. */
export const doneBy = sql<{
  id: number
  name: string
} | null>`case when u.id is null then null else jsonb_build_object('id', u.id, 'name', u.name) end`.as('user')
