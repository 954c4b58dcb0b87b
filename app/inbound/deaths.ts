import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '#projections/database.ts'
import type { LeasedConnection } from '../channels/channel.ts'
import { processId } from '../channels/lease.ts'

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
 * Returns the others, oldest first. One of them may have ended that process, so each is processed alone. A process that only lost its
 * session to Postgres registers again: it counts no crash while it is registered, and once at most.
 */
export async function countDeaths(db: Kysely<Database>, { connection }: Held, logger: Logger): Promise<number[]> {
  const { rows } = await sql<{ id: number; isDead: boolean }>`
    with left_behind as (
      update connection_lease set in_hand = '{}'
      from (select connection_id, in_hand, in_hand_by from connection_lease where connection_id = ${connection.id} for update) l
      where connection_lease.connection_id = l.connection_id and l.in_hand_by is distinct from ${processId}
      returning l.in_hand as ids, l.in_hand_by as process
    ), found as (
      select j.id, process, exists (select from worker w where w.process = left_behind.process) or process = any(j.died_with) as lives,
        (select count(*) from worker w where w.process = any(j.died_with)) as lived
      from inbound_event j join left_behind on j.id = any(ids) where j.connection_id = ${connection.id} and j.done_at is null
    ), counted as (
      update inbound_event j set deaths = j.deaths + 1, died_with = coalesce(j.died_with, '{}') || process,
        refused = case when j.deaths + 1 - lived >= ${mostDeaths} then 'ERR_INTERNAL' else j.refused end,
        done_at = case when j.deaths + 1 - lived >= ${mostDeaths} then now() end
      from found f where j.id = f.id and not coalesce(f.lives, false)
      returning j.id, j.done_at is not null as is_dead
    )
    select f.id, coalesce(c.is_dead, false) as is_dead from found f left join counted c on c.id = f.id`.execute(db)
  for (const { id } of rows.filter(({ isDead }) => isDead))
    logger.error({ inboundEventId: id, connectionId: connection.id }, 'Inbound event ended its process; moved to dead letters')
  return rows
    .filter(({ isDead }) => !isDead)
    .map(({ id }) => Number(id))
    .toSorted((a, b) => a - b)
}
