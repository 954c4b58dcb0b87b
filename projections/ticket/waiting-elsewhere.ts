import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { Database } from '../database.ts'

/**
 * Counts the tickets that wait for anybody and that the viewer does not see (A-VIS-01). It returns numbers only,
 * from the counters, where 0 stands for no queue and no user.
 */
export async function countWaitingElsewhere(
  db: Kysely<Database>,
  { companyId, profile, flags, queueIds }: Viewer,
): Promise<{ withoutQueue: number; inOtherQueues: number }> {
  if (profile === 'admin') return { withoutQueue: 0, inOtherQueues: 0 }
  const waiting = db.selectFrom('ticketCounter').where('companyId', '=', companyId).where('status', '=', 'pending').where('userId', '=', 0)
  const found = await waiting
    .$if(!flags.allowGroup, (query) => query.where('isGroup', '=', false))
    .select([
      sql<number>`coalesce(sum(tickets) filter (where queue_id = 0), 0)::int`.as('withoutQueue'),
      sql<number>`coalesce(sum(tickets) filter (where queue_id <> 0 and queue_id <> all(${queueIds}::int[])), 0)::int`.as('inOtherQueues'),
    ])
    .executeTakeFirstOrThrow()
  return { ...found, ...(flags.allTicket && { withoutQueue: 0 }) }
}
