import type { Kysely } from 'kysely'
import { beginning } from '#domain/text/rules.ts'
import type { Kind } from '#domain/ticket/events.ts'
import type { QuotedMessage } from '#domain/ticket/message.ts'
import type { Database } from '#projections/database.ts'
import type { ConversationKey, TicketRef } from '../ticket/active-ticket-registry.ts'
import type { LoadTicket } from '../ticket/ticket-repository.ts'
import { placesOf } from './contact-places.ts'

/** By all of their contacts that turned out to be one person. */
export type Person = Omit<ConversationKey, 'contactId'> & { contactIds: number[] }
type Deps = { db: Kysely<Database>; load: LoadTicket }

/** In which of a person's tickets a message stands, by the provider's id. */
export async function findMessage(
  { companyId, ...person }: Person,
  externalId: string,
  { db, load }: Deps,
): Promise<(TicketRef & { messageId: number }) | null> {
  for (const ticketId of await placesOf(db, person, externalId)) {
    const ticket = await load(companyId, ticketId, { ids: [externalId] })
    const messageId = ticket.status === 'absent' || ticket.status === 'deleted' ? undefined : ticket.spent.get(externalId)
    if (messageId !== undefined && 'uuid' in ticket) return { ticketId, uuid: ticket.uuid, messageId }
  }
  return null
}

/** What somebody quotes, wherever in their tickets it was said: as it reads now, for it goes along with what quotes it. */
export async function quotedIn(
  { contactId, ...who }: ConversationKey,
  externalId: string | null,
  deps: Deps,
): Promise<{ earlier?: QuotedMessage }> {
  const found = externalId ? await findMessage({ ...who, contactIds: [contactId] }, externalId, deps) : null // whose key seals it
  const earlier = found && (await asQuoted(deps.db, who.companyId, found.messageId))
  return earlier ? { earlier } : {}
}

/** Bytes of a quote: a line of it is shown. */
const mostQuotedBytes = 2000
/** What only we read is quoted to nobody. */
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
