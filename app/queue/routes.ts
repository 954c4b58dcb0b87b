import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { Option } from '#domain/chatbot/contract.ts'
import type { Ask } from '#domain/contract.ts'
import { refuse } from '#domain/errors.ts'
import { type Queue, type QueueRow, queue, type queues, rotatesNever } from '#domain/queue/contract.ts'
import type { Database } from '#projections/database.ts'
import { toCells } from '#projections/postgres.ts'
import { audited } from '../audit/record.ts'
import { outline, replaceTree, treeOf } from '../chatbot/tree.ts'
import { checkHours } from '../connection/save.ts'
import { arrange } from '../http/arrange.ts'
import { rowsIn } from '../http/relations.ts'
import type { Command, Handlers, HttpExchange } from '../http/serve.ts'
import { requirePlanCapacity } from '../plan/limits.ts'
import { settingsOf } from '../setting/read.ts'
import { prepareQueueUsers } from '../user/change.ts'
import { type Deps, retire } from './retire.ts'

/** R-QUEUE-02: the unique index on the colour has its own error; the one on the name has the general error. */
const oneColour = async <T>(act: Promise<T>): Promise<T> => {
  try {
    return await act
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'queue_color') refuse('ERR_QUEUE_COLOR_ALREADY_EXISTS')
    throw error
  }
}

const { usersCount: _, ...properties } = queue.Row.properties
const stored = { table: queue.table, Row: { properties } }
/** Queues that are not retired. */
export const queuesIn = (db: Kysely<Database>, companyId: number) =>
  (rowsIn(db, stored, companyId) as unknown as SelectQueryBuilder<Database, 'queue', QueueRow>)
    .select(sql<number>`(select count(*)::int from user_queue uq where uq.queue_id = queue.id)`.as('usersCount'))
    .where('retiredAt', 'is', null)

const ordered = (queues: ReturnType<typeof queuesIn>) => queues.orderBy('orderQueue').orderBy('id')

type Act = { viewer: Viewer; command: Command; wire: Pick<HttpExchange, 'ip'> }
type Body = Omit<Ask<typeof queues.update>['body'], 'version' | 'chatbots' | 'userIds'>

/** Targets that do not exist yet, so that none can be named. */
const missingTargets = ['integrationId'] as const

export const queueRoutes = (deps: Deps): Handlers<typeof queues> => {
  const { db } = deps
  const one = async (on: Kysely<Database>, { companyId }: Viewer, id: number): Promise<Queue> => {
    const row = (await queuesIn(on, companyId).where('id', '=', id).executeTakeFirst()) ?? refuse('ERR_NO_QUEUE_FOUND')
    const users = on.selectFrom('userQueue').innerJoin('user', 'user.id', 'userQueue.userId').select(['user.id', 'user.name'])
    const found = await users.where('userQueue.queueId', '=', id).orderBy('user.id').execute()
    return { ...row, chatbots: await treeOf(on, { companyId, queueId: id }), userIds: found.map((user) => user.id), users: found }
  }
  async function check(on: Kysely<Database>, { companyId }: Viewer, given: Body, is: Body): Promise<void> {
    for (const field of missingTargets) if (typeof given[field] === 'number') refuse('ERR_NOT_FOUND', { field })
    if (rotatesNever(given, is)) refuse('ERR_INVALID_INPUT', { field: 'tempoRoteador', rule: 'required' })
    if (given.schedules) checkHours(given.schedules)
    if (typeof given.fileListId === 'number') {
      const list = on.selectFrom('fileList').select('id').where('id', '=', given.fileListId).where('companyId', '=', companyId)
      if (!(await list.forKeyShare().executeTakeFirst())) refuse('ERR_NO_FILE_LIST_FOUND', { field: 'fileListId' })
    }
    const { scheduleType } = await settingsOf(on, companyId)
    if (scheduleType === 'queue' && given.outOfHoursMessage !== undefined && !is.outOfHoursMessage?.trim())
      refuse('ERR_INVALID_INPUT', { field: 'outOfHoursMessage', rule: 'required' }) // R-QUEUE-03
  }
  /** Saves a queue, its tree and its users in one transaction; `save` writes the row. */
  async function saved(
    act: Act,
    id: number | null,
    { tree, userIds }: { tree: Option[] | undefined; userIds: number[] | undefined },
    save: (on: Kysely<Database>, before: Queue | null) => Promise<number>,
  ): Promise<Queue> {
    let whole: Queue | null = null
    const by = { viewer: act.viewer, address: act.wire.ip }
    const users = userIds && (await prepareQueueUsers(deps, by, id, userIds))
    const work = audited(db, queue, act, async (on) => {
      await users?.lock(on)
      if (id !== null) await on.selectFrom('queue').select('id').where('id', '=', id).forUpdate().execute()
      const before = id === null ? null : await one(on, act.viewer, id)
      const made = await save(on, before)
      await users?.save(on, made)
      if (tree) await replaceTree(on, { companyId: act.viewer.companyId, queueId: made }, tree)
      whole = await one(on, act.viewer, made)
      return { before: before && outlined(before), after: outlined(whole) }
    })
    await oneColour(work)
    await users?.release()
    return whole!
  }
  return {
    list: ({ viewer }) => ordered(queuesIn(db, viewer.companyId)).execute(),
    async arrange({ viewer, body }) {
      const rows = (on: Kysely<Database>) => ordered(queuesIn(on, viewer.companyId)).forUpdate().execute()
      await arrange(db, viewer, { list: queue, column: 'orderQueue', missing: 'ERR_NO_QUEUE_FOUND', rows }, body.ids)
      return ordered(queuesIn(db, viewer.companyId)).execute()
    },
    find: ({ viewer, params }) => one(db, viewer, params.id),
    create: ({ body: { chatbots: tree, userIds, ...body }, ...act }) =>
      saved(act, null, { tree, userIds }, async (on) => {
        const { companyId } = act.viewer
        await requirePlanCapacity(on, companyId, 'queues')
        await check(on, act.viewer, body, body)
        const row = { ...toCells({ ...body, name: body.name.trim() }), companyId }
        return (await on.insertInto('queue').values(row).returning('id').executeTakeFirstOrThrow()).id
      }),
    update: ({ params: { id }, body: { chatbots: tree, userIds, version, ...body }, ...act }) =>
      saved(act, id, { tree, userIds }, async (on, before) => {
        if (version !== undefined && version !== before!.version) refuse('ERR_ROW_CHANGED', { version: before!.version })
        await check(on, act.viewer, body, { ...before!, ...body })
        const change = { ...body, ...(body.name !== undefined && { name: body.name.trim() }) }
        if (Object.keys(change).length > 0 || tree || userIds)
          await on
            .updateTable('queue')
            .set({ ...toCells(change), version: sql`version + 1` })
            .where('id', '=', id)
            .execute()
        return id
      }),
    remove: ({ params, query, ...act }) => retire(deps, act, params.id, query.moveTo ?? null),
  }
}

/** The queue for the audit log: its tree has one line per option, and its users are named. */
const outlined = ({ chatbots, userIds: _, usersCount: __, ...row }: Queue) => ({ ...row, chatbots: outline(chatbots) })
