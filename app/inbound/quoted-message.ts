import type { Kysely } from 'kysely'
import { beginning } from '#domain/text/rules.ts'
import type { Kind } from '#domain/ticket/events.ts'
import type { QuotedMessage } from '#domain/ticket/message.ts'
import type { Database } from '#projections/database.ts'
import type { ConversationKey, TicketRef } from '../ticket/active-ticket-registry.ts'
import type { LoadTicket } from '../ticket/ticket-repository.ts'
import { placesOf } from './contact-places.ts'

/** A person with all of their contacts. */
export type Person = Omit<ConversationKey, 'contactId'> & { contactIds: number[] }
type Deps = { db: Kysely<Database>; load: LoadTicket }

/** Finds the ticket of a person that contains a message, by the provider's id. */
export async function findMessage(
  { companyId, ...person }: Person,
  externalId: string,
  { db, load }: Deps,
): Promise<(TicketRef & { messageId: number }) | null> {
  for (const ticketId of await placesOf(db, person, externalId)) {
    const ticket = await load(companyId, ticketId, { ids: [externalId] })
    const messageId = ticket.status === 'absent' || ticket.status === 'deleted' ? undefined : ticket.usedIds.get(externalId)
    if (messageId !== undefined && 'uuid' in ticket) return { ticketId, uuid: ticket.uuid, messageId }
  }
  return null
}

/** Finds the quoted message in any ticket of the contact. Its current text is stored with the message that quotes it. */
export async function quotedIn(
  { contactId, ...who }: ConversationKey,
  externalId: string | null,
  deps: Deps,
): Promise<{ earlier?: QuotedMessage }> {
  const found = externalId ? await findMessage({ ...who, contactIds: [contactId] }, externalId, deps) : null // only this contact, because its key seals the quote
  const earlier = found && (await asQuoted(deps.db, who.companyId, found.messageId))
  return earlier ? { earlier } : {}
}

/** Bytes of a quote, of which one line is shown. */
const mostQuotedBytes = 2000
/** Returns a message as a quote, or null for a private message. */
export async function asQuoted(db: Kysely<Database>, companyId: number, messageId: number): Promise<QuotedMessage | null> {
  const row = await db
    .selectFrom('message')
    .select(['body', 'mediaType', 'fromMe', 'deletedBy'])
    .where('id', '=', messageId)
    .where('companyId', '=', companyId)
    .where('isPrivate', '=', false)
    .executeTakeFirst()
  if (!row) return null
  const { body, mediaType, fromMe, deletedBy } = row
  return {
    messageId,
    quote: { from: fromMe ? 'us' : 'contact', kind: mediaType as Kind, body: deletedBy === null ? beginning(body, mostQuotedBytes) : '' },
  }
}
