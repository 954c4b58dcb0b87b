import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { pageSize } from '#domain/contract.ts'
import { refuse } from '#domain/errors.ts'
import { mayRemoveTag, type TagRow, tag, type tags } from '#domain/tag/contract.ts'
import type { Database } from '#projections/database.ts'
import { containing } from '#projections/postgres.ts'
import { audited } from '../audit/record.ts'
import { crud } from '../http/crud.ts'
import { keepAnswered } from '../http/once.ts'
import type { Handlers } from '../http/serve.ts'

export const tagRoutes = ({ db }: { db: Kysely<Database> }): Handlers<typeof tags> => {
  const plain = crud(db, tag)
  const known = async (table: 'tag' | 'contact', { companyId }: Viewer, id: number) =>
    (await db.selectFrom(table).select('id').where('id', '=', id).where('companyId', '=', companyId).executeTakeFirst()) !== undefined
  /** Where a lane leads to is a lane of the same company. */
  async function leads(
    viewer: Viewer,
    { nextLaneId, rollbackLaneId }: Partial<Pick<TagRow, 'nextLaneId' | 'rollbackLaneId'>>,
  ): Promise<void> {
    for (const id of [nextLaneId, rollbackLaneId]) if (id && !(await known('tag', viewer, id))) refuse('ERR_NO_TAG_FOUND')
  }
  return {
    ...plain,
    async create(ask) {
      await leads(ask.viewer, ask.body)
      const row = { ...ask.body, name: ask.body.name.trim(), companyId: ask.viewer.companyId, userId: ask.viewer.id }
      return audited(db, tag, ask, async (on) => ({
        before: null,
        after: await on.insertInto('tag').values(row).returningAll().executeTakeFirstOrThrow(),
      }))
    },
    async update({ body, ...ask }) {
      await leads(ask.viewer, body)
      return plain.update({ ...ask, body: { ...body, ...(body.name !== undefined && { name: body.name.trim() }) } })
    },
    async remove(ask) {
      if (!mayRemoveTag(ask.viewer, await plain.find(ask))) refuse('ERR_NO_PERMISSION')
      await plain.remove(ask)
    },
    async list({ viewer, query: { searchParam = '', pageNumber = 1, kanban, tagId } }) {
      const like = containing(searchParam.trim())
      const rows = await db
        .selectFrom('tag')
        .selectAll()
        .where('companyId', '=', viewer.companyId)
        .where(sql<boolean>`plain(name) like plain(${like})`)
        .$if(tagId !== undefined, (q) => q.where('id', '=', tagId!))
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
      lista: await db
        .selectFrom('tag')
        .selectAll()
        .where('companyId', '=', viewer.companyId)
        .where('kanban', '=', 1)
        .orderBy('id')
        .execute(),
    }),
    async release({ viewer, command, params: { tagId, contactId } }) {
      if (!(await known('tag', viewer, tagId))) refuse('ERR_NO_TAG_FOUND')
      if (!(await known('contact', viewer, contactId))) refuse('ERR_NO_CONTACT_FOUND')
      await db.transaction().execute(async (tx) => {
        await tx
          .deleteFrom('contactTag')
          .where((eb) => eb.and({ companyId: viewer.companyId, tagId, contactId }))
          .execute()
        await keepAnswered(tx, viewer, command, contactId)
      })
    },
  }
}
