import { type Kysely, sql } from 'kysely'
import type { TicketMessage } from '#domain/ticket/message.ts'
import type { Database } from '#projections/database.ts'

/**
 * To whom a message of a ticket and its changes go (A-MERGE-01): to the merged contact who wrote last, if both contacts were
 * one person when the message was written; after the undo of their merge to the ticket's contact. A contact's own message
 * stays in that contact's chat. `at`: ISO 8601; null: now.
 */
export async function recipientOf(
  db: Kysely<Database>,
  { contactId: ticketContactId }: { contactId: number },
  { from, at, contactId }: Pick<TicketMessage, 'from' | 'contactId'> & { at: string | null },
): Promise<number> {
  if (contactId === undefined || contactId === ticketContactId) return ticketContactId
  if (from === 'contact') return contactId
  return (await wereOnePerson(db, [contactId, ticketContactId], at)) ? contactId : ticketContactId
}

/** Whether two contacts were merged into the same contact at this time, directly or through others. */
async function wereOnePerson(db: Kysely<Database>, [one, other]: [number, number], at: string | null): Promise<boolean> {
  const then = at === null ? sql`app_now()` : sql`${at}::timestamptz`
  const { rows } = await sql`
    with recursive merged as (
      select start, start as id from unnest(array[${one}, ${other}]::int[]) as of(start)
      union select m.start, c.target_id from merged m join contact_merge c on c.source_id = m.id
        and c.created_at <= ${then} and (c.undone_at is null or c.undone_at > ${then})
    ) select from merged a join merged b on b.id = a.id where a.start = ${one}::int and b.start = ${other}::int limit 1`.execute(db)
  return rows.length > 0
}
