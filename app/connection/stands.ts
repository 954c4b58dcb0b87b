import type { Kysely } from 'kysely'
import type { Database } from '#projections/database.ts'
import type { Standing } from '../channels/channel.ts'
import type { Clock } from '../work/clock.ts'

/**
 * How a connection stands by its provider's word, and where that says so, why it is away: its company's admins are told by who looks after
 * connections. Told by who holds it; the same again changes nothing.
 */
export async function stands(
  { db, clock }: { db: Kysely<Database>; clock: Clock },
  { id }: { id: number },
  { status, qrcode = '', number, reason = null }: Standing,
): Promise<void> {
  const up = status === 'CONNECTED'
  const next = { status, qrcode, reason: up ? null : reason, silentSince: null, ...(number !== undefined && { number }) }
  await db
    .updateTable('connection')
    .set({ ...next, ...(up && { outageToldAt: null }), updatedAt: clock.iso() })
    .where('id', '=', id)
    .where(({ eb, or }) => or(Object.entries(next).map(([key, value]) => eb(key as keyof typeof next, 'is distinct from', value as never))))
    .execute()
}
