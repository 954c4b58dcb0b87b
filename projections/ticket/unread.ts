import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { Database } from '../database.ts'
import { whereVisibleTo } from './read.ts'

/** The maximum count. */
const most = 10_000
/**
 * The viewer's open tickets with unread messages. If the company wants it, also waiting tickets that are
 * assigned to nobody else (A-RT-06).
 */
export async function unreadTickets(db: Kysely<Database>, viewer: Viewer, waiting: boolean): Promise<number[]> {
  const statuses = ['open', 'group', ...(waiting ? ['pending'] : [])] as ('open' | 'group' | 'pending')[]
  const rows = await db
    .selectFrom('ticket')
    .select('ticket.id')
    .where(whereVisibleTo(viewer, 'ticket'))
    .where('ticket.unreadMessages', '>', 0)
    .where('ticket.status', 'in', statuses)
    .where((eb) => eb.or([eb('ticket.userId', '=', viewer.id), eb('ticket.status', '=', 'pending').and('ticket.userId', 'is', null)]))
    .orderBy('ticket.updatedAt', 'desc')
    .limit(most)
    .execute()
  return rows.map(({ id }) => id)
}
