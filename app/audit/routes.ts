import { type Kysely, sql } from 'kysely'
import type { AuditRow, audits } from '#domain/audit/contract.ts'
import { pageSize } from '#domain/contract.ts'
import type { Database } from '#projections/database.ts'
import type { Handlers } from '../http/serve.ts'

export const auditRoutes = ({ db }: { db: Kysely<Database> }): Handlers<typeof audits> => ({
  async list({ viewer, query: { list, rowId, pageNumber = 1 } }) {
    const rows = await db
      .selectFrom('audit as a')
      .leftJoin('user as u', 'u.id', 'a.userId')
      .where('a.companyId', '=', viewer.companyId)
      .$if(list !== undefined, (q) => q.where('a.list', '=', list!))
      .$if(rowId !== undefined, (q) => q.where('a.rowId', '=', rowId!))
      .select(['a.id', 'a.companyId', 'a.list', 'a.rowId', 'a.act', 'a.before', 'a.after', 'a.at'])
      .select(sql<AuditRow['user']>`case when u.id is null then null else jsonb_build_object('id', u.id, 'name', u.name) end`.as('user'))
      .orderBy('a.id', 'desc')
      .limit(pageSize + 1)
      .offset((pageNumber - 1) * pageSize)
      .execute()
    return { changes: rows.slice(0, pageSize) as AuditRow[], hasMore: rows.length > pageSize }
  },
})
