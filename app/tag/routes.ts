import { type Kysely, sql } from 'kysely'
import { mayEditLanes, type Viewer } from '#domain/access.ts'
import { pageSize } from '#domain/answers.ts'
import { refuse } from '#domain/errors.ts'
import { mayRemoveTag, movesNowhere, tag, type tags } from '#domain/tag/contract.ts'
import { lanesNaming } from '#domain/tag/rules.ts'
import type { Database } from '#projections/database.ts'
import { inNameOrder } from '#projections/name-order.ts'
import { likePattern } from '#projections/postgres.ts'
import { audited, recordChange } from '../audit/record.ts'
import { contactList, labelsOf } from '../contact/labels.ts'
import { arrange } from '../http/arrange.ts'
import { crud } from '../http/crud.ts'
import type { Handlers } from '../http/serve.ts'

/** The lanes in the order of the board. */
const lanesIn = (on: Kysely<Database>, { companyId }: Viewer) =>
  on.selectFrom('tag').selectAll().where('companyId', '=', companyId).where('kanban', '=', 1).orderBy('position').orderBy('id')

/**
 * Lanes that named the lane lead nowhere from now on; without a next lane their hours have no effect (A-LANE-01). `release` confirms that
 * the user knows of them.
 */
const clearLane = (db: Kysely<Database>, viewer: Viewer, id: number, release: boolean): Promise<void> =>
  db.transaction().execute(async (on) => {
    const naming = lanesNaming(await lanesIn(on, viewer).forUpdate().execute(), id)
    if (naming.length > 0 && !release) refuse('ERR_LANE_IN_USE', { lanes: naming.length })
    for (const before of naming) {
      const next = before.nextLaneId === id && { nextLaneId: null, timeLane: null }
      const change = { ...next, ...(before.rollbackLaneId === id && { rollbackLaneId: null }) }
      const row = { ...change, version: before.version + 1 }
      await on.updateTable('tag').set(row).where('id', '=', before.id).execute()
      await recordChange(on, tag, viewer, { before, after: { ...before, ...row } })
    }
  })

export const tagRoutes = ({ db }: { db: Kysely<Database> }): Handlers<typeof tags> => {
  const plain = crud(db, tag)
  const known = async (table: 'tag' | 'contact', { companyId }: Viewer, id: number) =>
    (await db.selectFrom(table).select('id').where('id', '=', id).where('companyId', '=', companyId).executeTakeFirst()) !== undefined
  const whole = (given: object, is: Parameters<typeof movesNowhere>[1]) =>
    movesNowhere(given, is) && refuse('ERR_INVALID_INPUT', { field: 'nextLaneId', rule: 'required' })
  const gated = (viewer: Viewer, ...of: { kanban?: number }[]) => {
    const code = of.some(({ kanban }) => kanban === 1) && mayEditLanes(viewer)
    if (code) refuse(code)
  }
  return {
    ...plain,
    create({ body, ...ask }) {
      gated(ask.viewer, body)
      whole(body, body)
      return plain.create({ ...ask, body: { ...body, name: body.name.trim(), userId: ask.viewer.id } as typeof body })
    },
    async update({ body, ...ask }) {
      const was = await plain.find(ask)
      gated(ask.viewer, was, body)
      /**
       * Other lanes may lead back to this one: a ticket waits in each for its hours, and a lane without hours
       * ends the cycle (A-LANE-01).
       */
      for (const field of ['nextLaneId', 'rollbackLaneId'] as const) if (body[field] === ask.params.id) refuse('ERR_OWN_LANE', { field })
      whole(body, { ...was, ...body })
      return plain.update({ ...ask, body: { ...body, ...(body.name !== undefined && { name: body.name.trim() }) } })
    },
    async remove({ query: { release = false }, ...ask }) {
      const was = await plain.find(ask)
      gated(ask.viewer, was)
      if (!mayRemoveTag(ask.viewer, was)) refuse('ERR_NO_PERMISSION')
      if (was.kanban === 1) await clearLane(db, ask.viewer, was.id, release)
      await plain.remove(ask)
    },
    async list({ viewer, query: { searchParam = '', pageNumber = 1, kanban, tagId } }) {
      const like = likePattern(searchParam.trim())
      const rows = await db
        .selectFrom('tag')
        .selectAll()
        .where('companyId', '=', viewer.companyId)
        .where(sql<boolean>`plain(name) like plain(${like})`)
        .$if(tagId !== undefined, (q) => q.where('id', '=', tagId!))
        .$if(kanban !== undefined, (q) => q.where('kanban', '=', kanban!))
        .$if(kanban === 1, (q) => q.orderBy('position'))
        .orderBy('id', kanban === 1 ? 'asc' : 'desc')
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
        .$if(query.kanban === 1, (q) => q.orderBy('position').orderBy('id'))
        .orderBy(inNameOrder(viewer.companyLanguage, 'name'))
        .execute(),
    lanes: async ({ viewer }) => ({ lista: await lanesIn(db, viewer).execute() }),
    async arrange({ viewer, body }) {
      const rows = (on: Kysely<Database>) => lanesIn(on, viewer).forUpdate().execute()
      await arrange(db, viewer, { list: tag, column: 'position', missing: 'ERR_NO_TAG_FOUND', rows }, body.ids)
      return { lista: await lanesIn(db, viewer).execute() }
    },
    async release({ viewer, command, params: { tagId, contactId } }) {
      if (!(await known('tag', viewer, tagId))) refuse('ERR_NO_TAG_FOUND')
      if (!(await known('contact', viewer, contactId))) refuse('ERR_NO_CONTACT_FOUND')
      await audited(db, contactList, { viewer, command }, async (tx) => {
        const before = await labelsOf(tx, contactId)
        await tx
          .deleteFrom('contactTag')
          .where((eb) => eb.and({ companyId: viewer.companyId, tagId, contactId }))
          .execute()
        return { before, after: await labelsOf(tx, contactId) }
      })
    },
  }
}
