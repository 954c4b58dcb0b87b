import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { CommandMetadata } from '#domain/decider.ts'
import { refuse } from '#domain/errors.ts'
import { type QueueUse, queue } from '#domain/queue/contract.ts'
import type { Database } from '#projections/database.ts'
import { recordChange } from '../audit/record.ts'
import { storeCommandId } from '../http/idempotency.ts'
import type { Command } from '../http/serve.ts'
import { assertCaughtUp, type WaitForProjection } from '../projection/wait-for-projection.ts'
import { type EnqueueJob, job } from '../scheduler/jobs.ts'
import { executeForEach } from '../ticket/bulk.ts'
import { isRetired, queueOf } from '../ticket/execute.ts'
import type { ExecuteTicketCommand } from '../ticket/ticket-repository.ts'
import { toCommandMetadata } from '../ticket/visibility.ts'
import { servers } from './servers.ts'

export type Deps = MoveDeps & { enqueue: EnqueueJob }
type Act = { viewer: Viewer; command: Command }
type MoveDeps = {
  db: Kysely<Database>
  execute: ExecuteTicketCommand
  waitForProjection: WaitForProjection
  readHeadPosition: () => Promise<bigint | null>
}

/**
 * Retires a queue (A-QUEUE-01): moves its tickets, then removes all references in one transaction. If the
 * process stops in between, the queue still exists with fewer tickets, and the call can be repeated.
 */
export async function retire(deps: Deps, act: Act, id: number, moveTo: number | null): Promise<void> {
  const { viewer } = act
  await queueOf(deps, viewer, id)
  if (moveTo === id) refuse('ERR_INVALID_INPUT', { field: 'moveTo' })
  if (moveTo !== null) await queueOf(deps, viewer, moveTo)
  await assertCaughtUp(deps)
  const use = await countReferences(deps.db, viewer.companyId, id)
  if (moveTo === null && Object.values(use).some((n) => n > 0)) refuse('ERR_QUEUE_IN_USE', use)
  if (moveTo === null) return removeReferences(deps.db, act, id, null)
  await move(deps, toCommandMetadata(viewer), id, moveTo)
  const late = { companyId: viewer.companyId, by: viewer.id, from: id, to: moveTo }
  await deps.enqueue(moveLate, late, { id: `move-late-${crypto.randomUUID()}`, delay: 2000 })
  await removeReferences(deps.db, act, id, moveTo)
}

/**
 * Moves tickets that entered the queue while it was being retired. The attempts cover the longest wait for a
 * lock. If the queue still exists after that, the retirement failed.
 */
export const moveLate = job<MoveDeps>()<{ companyId: number; by: number; from: number; to: number }>('move-late', {
  attempts: 7,
  queue: 'bulk',
  async run({ companyId, by, from, to }, deps) {
    if (await isRetired(deps, companyId, to)) return
    if (!(await isRetired(deps, companyId, from))) refuse('ERR_BUSY')
    await move(deps, { companyId, by: { kind: 'user', id: by } }, from, to)
  },
})

/** Counts what refers to a queue. */
async function countReferences(db: Kysely<Database>, companyId: number, id: number): Promise<QueueUse> {
  const { rows } = await sql<QueueUse>`
    select (select count(*)::int from ticket where company_id = ${companyId} and queue_id = ${id} and status <> 'closed') as tickets,
      (select count(*)::int from user_queue where queue_id = ${id}) as users,
      (select count(*)::int from connection c where c.company_id = ${companyId}
        and (c.send_id_queue = ${id} or c.queue_id_import_messages = ${id} or exists (select from connection_queue where connection_id = c.id and queue_id = ${id}))) as connections,
      (select count(*)::int from menu_option where company_id = ${companyId} and opt_queue_id = ${id} and queue_id <> ${id}) as options`.execute(
    db,
  )
  return rows[0]!
}

/** In list order, so that tickets keep their relative position. */
async function move(deps: MoveDeps, by: CommandMetadata, from: number, to: number): Promise<void> {
  await assertCaughtUp(deps)
  const active = deps.db.selectFrom('ticket').select(['id', 'userId']).where('companyId', '=', by.companyId).where('queueId', '=', from)
  const rows = await active.where('status', '!=', 'closed').orderBy('updatedAt').orderBy('id').execute()
  const serving = rows.length > 0 ? await servers(deps.db, by.companyId, to) : new Set<number>()
  await executeForEach(rows, ({ userId }) => ({ type: 'Move', queueId: to, suits: userId === null || serving.has(userId) }), by, deps)
}

const removeReferences = (db: Kysely<Database>, { viewer, command }: Act, queueId: number, moveTo: number | null): Promise<void> =>
  db.transaction().execute(async (inOne) => {
    const before = await inOne
      .updateTable('queue')
      .set({ retiredAt: sql`now()` })
      .where('id', '=', queueId)
      .where('companyId', '=', viewer.companyId)
      .where('retiredAt', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (!before) refuse('ERR_NO_QUEUE_FOUND') // another call was first
    await recordChange(inOne, queue, viewer, { before, after: null })
    await storeCommandId(inOne, viewer, command, queueId)
    const served = inOne.deleteFrom('userQueue').where('queueId', '=', queueId).returning(['companyId', 'userId', 'queueId'])
    const users = await served.execute()
    if (users.length > 0) await inOne.insertInto('retiredQueueUser').values(users).execute()
    /** A limit that loses its last queue stays a limit: it shows nothing instead of everything (A-VIS-04). */
    const limited = inOne.updateTable('user').where('companyId', '=', viewer.companyId)
    await limited
      .set({ reportQueueIds: sql`array_remove(report_queue_ids, ${queueId}::int)`, version: sql`version + 1` })
      .where(sql<boolean>`${queueId}::int = any(report_queue_ids)`)
      .execute()
    /** References to the queue now point to the queue of its tickets. Its own options are deleted. */
    await inOne.deleteFrom('menuOption').where('queueId', '=', queueId).execute()
    await inOne
      .updateTable('menuOption')
      .set({ optQueueId: moveTo })
      .where('optQueueId', '=', queueId)
      .where('queueId', '!=', moveTo ?? 0)
      .execute()
    // the target queue must not refer to itself
    await inOne.updateTable('menuOption').set({ optQueueId: null }).where('optQueueId', '=', queueId).execute()
    const sending = inOne.updateTable('connection').where('sendIdQueue', '=', queueId)
    await sending.set(moveTo === null ? { sendIdQueue: null, timeSendQueue: '0' } : { sendIdQueue: moveTo }).execute()
    const importing = inOne.updateTable('connection').where('queueIdImportMessages', '=', queueId)
    await importing
      .set(moveTo === null ? { queueIdImportMessages: null, enableImportMessage: false } : { queueIdImportMessages: moveTo })
      .execute()
    const connected = await inOne.deleteFrom('connectionQueue').where('queueId', '=', queueId).returning('connectionId').execute()
    const ids = connected.map(({ connectionId }) => connectionId)
    // so that the connection's worker reloads it
    if (ids.length > 0) await inOne.updateTable('connection').set({ updatedAt: sql`now()` }).where('id', 'in', ids).execute()
  })
