import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '#projections/database.ts'
import type { LeasedConnection } from '../channels/channel.ts'

/** This process, for as long as it lives. */
const life = randomUUID()
/** An inbound event that was in hand at so many deaths of a process becomes a dead letter. */
export const mostDeaths = 3

type Held = Pick<LeasedConnection, 'connection' | 'lease'>

/** Records which inbound events of a connection are in hand, before any of them is processed. */
export async function recordInHand(db: Kysely<Database>, { connection: now, lease }: Held, inHand: number[]): Promise<void> {
  await sql`
    update connection_lease set in_hand = ${inHand}::bigint[], in_hand_by = ${life}
    where connection_id = ${now.id} and holder = ${lease.holder} and number = ${lease.number}`.execute(db)
}

/**
 * Counts a try for each inbound event that another process had in hand when it died, and makes a dead letter of one that has had enough.
 * Returns the others, oldest first: one of them may have ended that process, so each is processed alone.
 */
export async function countDeaths(db: Kysely<Database>, { connection: now }: Held, logger: Logger): Promise<number[]> {
  const { rows } = await sql<{ id: number; deaths: number }>`
    with died as (
      update connection_lease set in_hand = '{}' from (select connection_id, in_hand from connection_lease where connection_id = ${now.id} for update) l
      where connection_lease.connection_id = l.connection_id and in_hand_by is distinct from ${life}
      returning l.in_hand as ids)
    update inbound_event j set deaths = j.deaths + 1,
      refused = case when j.deaths + 1 >= ${mostDeaths} then 'ERR_INTERNAL' else j.refused end,
      done_at = case when j.deaths + 1 >= ${mostDeaths} then now() end
    from died where j.id = any(died.ids) and j.connection_id = ${now.id} and j.done_at is null
    returning j.id, j.deaths`.execute(db)
  for (const { id } of rows.filter(({ deaths }) => deaths >= mostDeaths))
    logger.error({ inboundEventId: id, connectionId: now.id }, 'Inbound event ended its process; moved to dead letters')
  return rows
    .filter(({ deaths }) => deaths < mostDeaths)
    .map(({ id }) => Number(id))
    .toSorted((a, b) => a - b)
}
