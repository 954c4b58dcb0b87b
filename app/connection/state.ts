import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '#projections/database.ts'
import type { ConnectionState, LeasedConnection } from '../channels/channel.ts'
import type { AppContext } from '../context.ts'
import type { Clock } from '../scheduler/clock.ts'

export type Linkable = { id: number; provider: string; number: string | null; status: string; reason: string | null }
/** The fields of a connection that its session changes. */
export type State = ConnectionState & { qrcode: string }

/** How a provider's session starts, restarts and ends. */
export type SessionDriver = {
  begin: (one: Linkable) => State
  renew: (one: Linkable) => State
  /** Starts with a pairing code for the phone with this number. */
  type?: (one: Linkable, number: string) => State
  end: State
  /** Whether the provider has removed the device, for providers where that takes a moment after the end. */
  parted?: (db: Kysely<Database>, id: number) => Promise<boolean>
  /** Only in the sandbox: a phone scanned the code. */
  read?: (one: Linkable) => State
  /**
   * Runs while this process leases the connection, in every state. It owns the provider's socket. `leased.session` is set when a user starts
   * or ends the session; `leased.connection` then has the new state. Ends with `signal`. An error is logged, and the function runs again.
   */
  keepConnected?: (leased: LeasedConnection, ctx: AppContext, signal: AbortSignal) => Promise<void>
}

/** Sets `back_at` if admins were notified of the outage, so that they are notified of the return. */
export const backNow = (at: string) => sql<string | null>`case when outage_notified_at is null then back_at else ${at}::timestamptz end`

/**
 * Sets the state of a connection as the provider reports it, with the reason of an outage. Called by the worker with the lease. An unchanged
 * state changes nothing. `before`: the state that the row must still have. The scheduled task notifies the admins.
 */
export async function setConnectionState(
  { db, clock, logger }: { db: Kysely<Database>; clock: Clock; logger?: Logger },
  { id }: { id: number },
  { status, qrcode = '', number, reason = null }: ConnectionState,
  before?: { status: string; reason: string | null },
): Promise<void> {
  const up = status === 'CONNECTED'
  const at = clock.iso()
  const since = number !== undefined && {
    numberSince: sql<string | null>`case when number <> ${number} then ${at}::timestamptz else number_since end`,
  }
  const next = { status, qrcode, reason: up ? null : reason, silentSince: null, ...(number !== undefined && { number }) }
  const changed = db
    .updateTable('connection')
    .set({ ...next, ...since, ...(up && { outageNotifiedAt: null, backAt: backNow(at) }), updatedAt: at })
    .where('id', '=', id)
    .$if(before !== undefined, (one) =>
      one.where('status', '=', before!.status as ConnectionState['status']).where('reason', 'is not distinct from', before!.reason),
    )
    .where(({ eb, or }) => or(Object.entries(next).map(([key, value]) => eb(key as keyof typeof next, 'is distinct from', value as never))))
  const reported = sql<boolean>`(select was.outage_notified_at is not null from connection was where was.id = connection.id)`.as('reported') // the value before this update
  for (const { companyId, reported: wasAway } of await changed.returning(['companyId', reported]).execute())
    if (up && wasAway) logger?.info({ connectionId: id, companyId }, 'Connection is back')
}
