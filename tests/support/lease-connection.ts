import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { LeasedConnection } from '#app/channels/channel.ts'
import { createAutoResetEvent } from '#app/concurrency/auto-reset-event.ts'
import { type Deps, mostAttempts } from '#app/outbound/outbox.ts'
import { runOutbox } from '#app/outbound/outbox-sender.ts'
import type { Database } from '#projections/database.ts'

/** Leases a connection as a new worker, whoever holds it. */
export async function leaseConnection(connectionId: number, db: Kysely<Database>): Promise<LeasedConnection> {
  const { rows } = await sql<LeasedConnection['connection'] & LeasedConnection['lease']>`
    with me as (insert into worker (pid, until) values (0, now() + interval '1 hour') returning id),
    lease as (
      insert into connection_lease as l (connection_id, company_id, holder)
      select c.id, c.company_id, me.id from connection c, me where c.id = ${connectionId}
      on conflict (connection_id) do update set holder = excluded.holder, number = l.number + 1
      returning holder, number)
    select c.*, lease.* from connection c, lease where c.id = ${connectionId}`.execute(db)
  const { holder, number, ...now } = rows[0]!
  return {
    connection: now,
    lease: { holder, number },
    isLeaseValid: () => true,
    journal: createAutoResetEvent(),
    people: createAutoResetEvent(),
    outbox: createAutoResetEvent(),
    session: createAutoResetEvent(),
  }
}

/** Runs the outbox of a connection until nothing more can be sent now. */
export async function sends(connectionId: number, deps: Deps): Promise<void> {
  const over = new AbortController()
  const line = await leaseConnection(connectionId, deps.db)
  const sent = runOutbox(line, deps, over.signal)
  const may = (status: string) => status === 'CONNECTED'
  const next = async () => {
    const rows = await deps.db
      .selectFrom('outbox')
      .select(['n', 'kind', 'attempts', 'dueAt', 'contactId'])
      .where('connectionId', '=', connectionId)
      .where('state', '=', 'waiting')
      .orderBy('n')
      .execute()
    const due = ({ dueAt }: { dueAt: string }) => Date.parse(dueAt) <= Date.now()
    const heads = Map.groupBy(
      rows.filter((row) => row.kind === 'send' || row.attempts < mostAttempts || due(row)),
      (row) => row.contactId,
    )
    return [...heads.values()].some(([head]) => due(head!))
  }
  while (may(line.connection.status) && (await next())) await sleep(5)
  over.abort()
  await sent
}
