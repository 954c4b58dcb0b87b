import { type Kysely, sql } from 'kysely'
import type { TicketLogRow } from '#domain/ticket-log/contract.ts'
import { contactsOfPerson } from '../contact/person.ts'
import type { Database } from '../database.ts'

/**
 * Gaps during which messages were missed, because the number was linked again. Includes the gap before the
 * ticket, which no other ticket shows.
 */
export async function missedIn(db: Kysely<Database>, ticketId: number): Promise<TicketLogRow[]> {
  const { rows } = await sql<Pick<TicketLogRow, 'id' | 'since' | 'createdAt'>>`
    select 'missed-' || g.id as id, g.began_at as since, g.ended_at as created_at
    from ticket t join connection_gap g on g.connection_id = t.whatsapp_id
    where t.id = ${ticketId} and g.anew and g.began_at < coalesce(t.closed_at, 'infinity') and g.ended_at > coalesce((
      select coalesce(b.closed_at, b.created_at) from ticket b
      where b.contact_id in ${contactsOfPerson(sql`t.contact_id`)} and b.whatsapp_id = t.whatsapp_id and b.created_at < t.created_at
      order by b.created_at desc limit 1), t.created_at)
    order by g.ended_at`.execute(db)
  const nobody = {
    user: null,
    queue: null,
    fromUser: null,
    note: null,
    undone: null,
    way: null,
    rule: null,
    nps: null,
    lane: null,
    amount: null,
  }
  return rows.map((row) => ({ ...row, ...nobody, ticketId, type: 'missed' }))
}
