import type { Kysely } from 'kysely'
import { wereOnePerson } from '#domain/contact/merge.ts'
import type { TicketMessage } from '#domain/ticket/message.ts'
import { mergesAround } from '#projections/contact/person.ts'
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
  return wereOnePerson(await mergesAround(db, [contactId]), contactId, ticketContactId, at) ? contactId : ticketContactId
}
