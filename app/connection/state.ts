import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '#projections/database.ts'
import type { ConnectionState, LeasedConnection } from '../channels/channel.ts'
import type { AppContext } from '../context.ts'
import type { Clock } from '../scheduler/clock.ts'

export type Linkable = { id: number; provider: string; number: string | null; status: string; reason: string | null }
/** What of a connection its session changes. */
export type State = ConnectionState & { qrcode: string }

/** How a provider’s session begins, begins anew and ends. */
export type SessionDriver = {
  begin: (one: Linkable) => State
  renew: (one: Linkable) => State
  /** The same, with a code to be typed into the phone that has the number. */
  type?: (one: Linkable, number: string) => State
  end: State
  /** Whether nothing on the other side knows of it any more, where that takes a moment after its end. */
  parted?: (db: Kysely<Database>, id: number) => Promise<boolean>
  /** The sandbox: a phone has read the code. */
  read?: (one: Linkable) => State
  /**
   * Runs for as long as this process holds a connection, whatever it stands as: a socket lives here. `line.session` rings when somebody began
   * or ended the session, and `line.now` says how it stands then. Ends when `signal` does; what it throws is logged, and it is begun again.
   */
  keepConnected?: (line: LeasedConnection, ctx: AppContext, signal: AbortSignal) => Promise<void>
}

/** Whoever was told that it is away is to be told that it is back. */
export const backNow = (at: string) => sql<string | null>`case when outage_notified_at is null then back_at else ${at}::timestamptz end`
/** The end of what who runs the house was told of. */
export const backAgain = 'a connection is back'

/**
 * How a connection stands by its provider's word, and where that says so, why it is away: its company's admins are told by who looks after
 * connections. Told by who holds it; the same again changes nothing. `before`: as what it has to stand still.
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
  const reported = sql<boolean>`(select was.outage_notified_at is not null from connection was where was.id = connection.id)`.as('reported') // as it stood before
  for (const { companyId, reported: wasAway } of await changed.returning(['companyId', reported]).execute())
    if (up && wasAway) logger?.info({ connectionId: id, companyId }, backAgain)
}
