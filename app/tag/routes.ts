import { type Kysely, sql } from 'kysely'
import { pageSize } from '#domain/contract.ts'
import { tag, type tags } from '#domain/tag/contract.ts'
import type { Database } from '#projections/database.ts'
import { crud } from '../crud.ts'
import type { Handlers } from '../serve.ts'

export const tagRoutes = ({ db }: { db: Kysely<Database> }): Handlers<typeof tags> => ({
  ...crud(db, tag),
  async list({ viewer, query: { searchParam = '', pageNumber = 1, kanban } }) {
    const like = `%${searchParam.trim().replace(/[\\%_]/g, '\\$&')}%`
    const rows = await db
      .selectFrom('tag')
      .selectAll()
      .where('companyId', '=', viewer.companyId)
      .where(sql<boolean>`plain(name) like plain(${like})`)
      .$if(kanban !== undefined, (q) => q.where('kanban', '=', kanban!))
      .orderBy('id', 'desc')
      .limit(pageSize + 1)
      .offset((pageNumber - 1) * pageSize)
      .execute()
    return { tags: rows.slice(0, pageSize), hasMore: rows.length > pageSize }
  },
  choices: ({ viewer, query }) =>
    db
      .selectFrom('tag')
      .select(['id', 'name', 'color', 'kanban'])
      .where('companyId', '=', viewer.companyId)
      .where('kanban', '=', query.kanban === 1 ? 1 : 0)
      .orderBy('name')
      .execute(),
  lanes: async ({ viewer }) => ({
    lista: await db.selectFrom('tag').selectAll().where('companyId', '=', viewer.companyId).where('kanban', '=', 1).orderBy('id').execute(),
  }),
  async release({ viewer, params: { tagId, contactId } }) {
    await db
      .deleteFrom('contactTag')
      .where('companyId', '=', viewer.companyId)
      .where('tagId', '=', tagId)
      .where('contactId', '=', contactId)
      .execute()
  },
})
