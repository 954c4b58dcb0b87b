import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '#projections/database.ts'
import type { LeasedConnection } from '../channels/channel.ts'

/** Identifies this run of the process. */
const processId = randomUUID()
/** An inbound event becomes a dead letter if it was in flight at this many crashes of a process. */
export const mostDeaths = 3

type Held = Pick<LeasedConnection, 'connection' | 'lease'>

/** Records which inbound events of a connection are in flight, before any of them is processed. */
export async function recordInFlight(db: Kysely<Database>, { connection, lease }: Held, ids: number[]): Promise<void> {
  await sql`
    update connection_lease set in_hand = ${ids}::bigint[], in_hand_by = ${processId}
    where connection_id = ${connection.id} and holder = ${lease.holder} and number = ${lease.number}`.execute(db)
}

/**
 * Counts a crash for each inbound event that another process had in flight when it ended, and moves an event with too many to dead letters.
 * Returns the others, oldest first. One of them may have ended that process, so each is processed alone.
 */
export async function countDeaths(db: Kysely<Database>, { connection }: Held, logger: Logger): Promise<number[]> {
  const { rows } = await sql<{ id: number; deaths: number }>`
    with died as (
      update connection_lease set in_hand = '{}' from (select connection_id, in_hand from connection_lease where connection_id = ${connection.id} for update) l
      where connection_lease.connection_id = l.connection_id and in_hand_by is distinct from ${processId}
      returning l.in_hand as ids)
    update inbound_event j set deaths = j.deaths + 1,
      refused = case when j.deaths + 1 >= ${mostDeaths} then 'ERR_INTERNAL' else j.refused end,
      done_at = case when j.deaths + 1 >= ${mostDeaths} then now() end
    from died where j.id = any(died.ids) and j.connection_id = ${connection.id} and j.done_at is null
    returning j.id, j.deaths`.execute(db)
  for (const { id } of rows.filter(({ deaths }) => deaths >= mostDeaths))
    logger.error({ inboundEventId: id, connectionId: connection.id }, 'Inbound event ended its process; moved to dead letters')
  return rows
    .filter(({ deaths }) => deaths < mostDeaths)
    .map(({ id }) => Number(id))
    .toSorted((a, b) => a - b)
}
