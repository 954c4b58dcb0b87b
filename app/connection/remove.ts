import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { type ConnectionUse, connection } from '#domain/connection/contract.ts'
import { refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import { audited } from '../audit/record.ts'
import { forEachConcurrently } from '../concurrency/for-each-concurrently.ts'
import type { AppContext } from '../context.ts'
import { deleteRelations } from '../http/relations.ts'
import { failAbandoned } from '../outbound/delivery-failures.ts'
import { assertCaughtUp } from '../projection/wait-for-projection.ts'
import { infiniteRetryAttempts, job } from '../scheduler/jobs.ts'
import { ignoreFinalRefusal } from '../ticket/ignore-refusal.ts'
import { type Act, connectionIn, type Deps, lockCompany, refuseOnlyDefault } from './save.ts'
import { endRemoteSession } from './session.ts'

type At = { id: number; companyId: number }
type CloseDeps = Pick<AppContext, 'db' | 'execute' | 'waitForProjection' | 'readHeadPosition'>

/**
 * Deletes a connection (A-CONN-06). Ends its session first, so that no phone still lists the device; closes its tickets without a farewell;
 * removes it from users. Ticket histories stay; unprocessed inbound events are deleted. A connection in use needs `release`, which confirms
 * that the user has seen the number of uses (A-QUEUE-01).
 */
export async function remove(deps: Deps & CloseDeps, act: Act, { id, companyId }: At, release: boolean): Promise<void> {
  const { viewer } = act
  const before = await connectionIn(deps, deps.db, companyId, id)
  if (before.isDefault) await refuseOnlyDefault(deps.db, companyId, id)
  await assertCaughtUp(deps)
  const use = await pointersTo(deps.db, companyId, id)
  if (!release && use.tickets + use.users + use.messages > 0) refuse('ERR_WAPP_IN_USE', use)
  await endRemoteSession(deps, before)
  await closeTickets(deps, { connectionId: id, companyId, by: viewer.id })
  await audited(deps.db, connection, act, async (on) => {
    await lockCompany(on, companyId)
    const row = await connectionIn(deps, on, companyId, id, true)
    if (row.isDefault) await refuseOnlyDefault(on, companyId, id)
    await on.updateTable('user').set({ whatsappId: null }).where('companyId', '=', companyId).where('whatsappId', '=', id).execute()
    await deleteRelations(on, connection, { ...viewer, companyId }, id)
    await on.deleteFrom('inboundEvent').where('connectionId', '=', id).where(hasContent).execute()
    for (const table of ['connectionToken', 'metaAccount'] as const) await on.deleteFrom(table).where('id', '=', String(id)).execute()
    await on.deleteFrom('connection').where('id', '=', id).execute()
    await notifyTickets(on, companyId, id)
    return { before: row, after: null as never }
  })
  const late = { connectionId: id, companyId, by: viewer.id }
  await deps.enqueue(closeLate, late, { id: `close-late-${crypto.randomUUID()}`, delay: 2000 })
}

/** Unprocessed rows and dead letters. Processed rows have no content. */
const hasContent = sql<boolean>`(done_at is null or payload is not null)`
/** Deletes unprocessed inbound events of deleted connections, which were written during the deletion. */
export const deleteOrphanedEvents = ({ db }: Pick<AppContext, 'db'>) =>
  sql`delete from inbound_event j where done_at is null and not exists (select from connection c where c.id = j.connection_id)`.execute(db)

/** Counts the open tickets, users and waiting messages of a connection. */
async function pointersTo(db: Kysely<Database>, companyId: number, id: number): Promise<ConnectionUse> {
  const { rows } = await sql<ConnectionUse>`
    select (select count(*)::int from ticket where company_id = ${companyId} and whatsapp_id = ${id} and status <> 'closed') as tickets,
      (select count(*)::int from "user" where company_id = ${companyId} and whatsapp_id = ${id} and retired_at is null) as users,
      (select count(*)::int from outbox where connection_id = ${id} and kind = 'send' and state = 'waiting') as messages`.execute(db)
  return rows[0]!
}

/** Updates the newest tickets on open screens, because they no longer have a connection. */
const notifyTickets = (on: Kysely<Database>, companyId: number, id: number) =>
  sql`
    select pg_notify('changes', 'ticket update ' || company_id || ' ' || string_agg(id::text, ','))
    from (select company_id, id, row_number() over () / 300 as part from (
      select company_id, id from ticket where company_id = ${companyId} and whatsapp_id = ${id} order by id desc limit 1500) newest) lines
    group by company_id, part`.execute(on)

/** Closes tickets that were opened during the deletion, and fails messages that still wait for the connection. */
export const closeLate = job<CloseDeps & Pick<AppContext, 'logger'>>()<{ connectionId: number; companyId: number; by: number }>(
  'close-late',
  {
    attempts: infiniteRetryAttempts,
    queue: 'bulk',
    async run(which, deps) {
      await closeTickets(deps, which)
      await failAbandoned(deps)
    },
  },
)

async function closeTickets(
  deps: CloseDeps,
  { connectionId, companyId, by }: { connectionId: number; companyId: number; by: number },
): Promise<void> {
  await assertCaughtUp(deps)
  const active = deps.db.selectFrom('ticket').select('id').where('companyId', '=', companyId).where('whatsappId', '=', connectionId)
  const rows = await active.where('status', '!=', 'closed').orderBy('id').execute()
  if (rows.length === 0) return
  const command = { type: 'Close', reason: 'connectionRemoved', farewell: false, mayCloseWaiting: true, tagMissing: false } as const
  const closeOne = ({ id }: { id: number }) =>
    deps.execute(id, { ...command, companyId, by: { kind: 'user', id: by } }, crypto.randomUUID()).catch(ignoreFinalRefusal) // a ticket that was deleted meanwhile must not stop the others
  await forEachConcurrently(rows, 8, closeOne)
  await deps.waitForProjection(await deps.readHeadPosition())
}
