import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { refuse } from '#domain/errors.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import type { TicketCommand } from '#domain/ticket/decide.ts'
import { createStoreBatchLoader } from '#projections/batch-loader.ts'
import type { Database } from '#projections/database.ts'
import { maskFor, ticketById } from '#projections/ticket/read.ts'
import type { NextId } from '../ids.ts'
import { type WaitForProjection, waitUntilVisible } from '../projection/wait-for-projection.ts'
import type { Clock } from '../scheduler/clock.ts'
import type { ActiveTicketRegistry } from './active-ticket-registry.ts'
import type { ExecuteTicketCommand, LoadTicket, WasExecuted } from './ticket-repository.ts'
import { toCommandMetadata } from './visibility.ts'

export type Deps = {
  db: Kysely<Database>
  clock: Clock
  execute: ExecuteTicketCommand
  load: LoadTicket
  wasExecuted: WasExecuted
  activeTickets: ActiveTicketRegistry
  waitForProjection: WaitForProjection
  readHeadPosition: () => Promise<bigint | null>
  nextTicketId: NextId
  nextMessageId: NextId
}

/** Executes the command and waits until the read models contain its events. */
export async function executeAndWait(
  { execute, waitForProjection }: Deps,
  viewer: Viewer,
  id: number,
  command: TicketCommand,
  commandId: string,
): Promise<void> {
  await waitUntilVisible(waitForProjection, await execute(id, { ...command, ...toCommandMetadata(viewer) }, commandId), [id])
}

export const toTicketResponse = async ({ db }: Deps, viewer: Viewer, id: number): Promise<TicketRow> =>
  maskFor(viewer, (await ticketById(db, viewer.companyId, id)) ?? refuse('ERR_NO_TICKET_FOUND'))

/** A retired queue accepts no tickets (A-QUEUE-01). */
const activeQueue = ({ db }: Pick<Deps, 'db'>, companyId: number, id: number) =>
  db.selectFrom('queue').select('id').where('id', '=', id).where('companyId', '=', companyId).where('retiredAt', 'is', null)
export const queueOf = async (deps: Pick<Deps, 'db'>, { companyId }: Viewer, id: number) =>
  (await activeQueue(deps, companyId, id).executeTakeFirst()) ?? refuse('ERR_NO_QUEUE_FOUND')
export const isRetired = async (deps: Pick<Deps, 'db'>, companyId: number, id: number | null): Promise<boolean> =>
  id !== null && (await activeQueue(deps, companyId, id).executeTakeFirst()) === undefined

export const userOf = async ({ db }: Deps, { companyId }: Viewer, id: number) =>
  (await db
    .selectFrom('user')
    .select(['id', 'profile'])
    .where('id', '=', id)
    .where('companyId', '=', companyId)
    .where('retiredAt', 'is', null)
    .executeTakeFirst()) ?? refuse('ERR_NO_USER_FOUND')

/** Admins serve every queue (A-TRANSFER-05). */
export const servesQueue = async ({ db }: Deps, { id, profile }: { id: number; profile: string }, queueId: number): Promise<boolean> =>
  profile === 'admin' ||
  (await db.selectFrom('userQueue').select('userId').where('userId', '=', id).where('queueId', '=', queueId).executeTakeFirst()) !==
    undefined

type Serving = { companyId: number; queueId: number; userId: number }
const loadQueueService = createStoreBatchLoader(async (db: Kysely<Database>, list: Serving[]): Promise<(boolean | undefined)[]> => {
  const column = (name: keyof Serving) => list.map((one) => one[name])
  const { rows } = await sql<{ n: number; serves: boolean }>`
    select w.n::int - 1 as n, exists (select from user_queue u where u.user_id = w.user_id and u.queue_id = q.id) as serves
    from unnest(${column('companyId')}::int[], ${column('queueId')}::int[], ${column('userId')}::int[]) with ordinality as w(company_id, queue_id, user_id, n)
    join queue q on q.id = w.queue_id and q.company_id = w.company_id and q.retired_at is null`.execute(db)
  const found = new Map(rows.map(({ n, serves }) => [n, serves]))
  return list.map((_, n) => found.get(n))
})
/** Returns whether the queue is retired and whether the user serves it. Concurrent calls share one query. */
export async function findQueueService(
  { db }: Pick<Deps, 'db'>,
  companyId: number,
  queueId: number,
  { id, profile }: { id: number; profile: string },
): Promise<{ retired: boolean; serves: boolean }> {
  const serves = await loadQueueService(db, { companyId, queueId, userId: id })
  return { retired: serves === undefined, serves: profile === 'admin' || serves === true }
}

/**
 * Refuses if the connection was deleted: its closed tickets stay closed, because nothing could be sent
 * (A-CONN-06).
 */
export async function requireConnection({ db }: Pick<Deps, 'db'>, { companyId }: Viewer, connectionId: number): Promise<void> {
  const there = db.selectFrom('connection').select('id').where('id', '=', connectionId).where('companyId', '=', companyId)
  if (!(await there.executeTakeFirst())) refuse('ERR_TICKET_CONNECTION_GONE')
}
