import type { Viewer } from '#domain/access.ts'
import { networkOf } from '#domain/contact/rules.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import type { TicketSummary } from '#projections/ticket/read.ts'
import { type Deps, isRetired, queueOf } from '../ticket/execute.ts'
import { isAdmin, toCommandMetadata } from '../ticket/visibility.ts'

type Contact = { id: number; number: string; channel: string; isGroup: boolean; validNumber: boolean }
type PutContent<T> = (ticketId: number) => Promise<T>

/**
 * Adds content to the contact's active ticket on the source's connection, whichever agent serves it,
 * otherwise to a new ticket of the caller (A-MSG-08). The answer does not name the ticket.
 */
export async function forwardToContact<T>(
  viewer: Viewer,
  contactId: number,
  source: TicketSummary,
  queueId: number | null,
  put: PutContent<T>,
  commandId: string,
  deps: Deps,
): Promise<T> {
  const contact = await reachable(viewer, contactId, source, deps)
  const conversation = { companyId: viewer.companyId, connectionId: source.whatsappId, contactId: contact.id }
  for (let turn = 0; ; turn++) {
    const active = await deps.activeTickets.active(conversation)
    try {
      return await put(active ?? (await openTicket(viewer, contact, source, queueId, `${commandId}-open-${turn}`, deps)))
    } catch (error) {
      const over = error instanceof Refusal && (error.code === 'ERR_TICKET_NOT_OPEN' || error.code === 'ERR_NO_TICKET_FOUND')
      if (!over || turn === 2) throw error // the ticket was closed just now: the next attempt finds or opens another
    }
  }
}

async function reachable(viewer: Viewer, contactId: number, source: TicketSummary, { db }: Deps): Promise<Contact> {
  const contact = await db
    .selectFrom('contact')
    .select(['id', 'number', 'isGroup', 'active', 'channel', 'validNumber'])
    .where('id', '=', contactId)
    .where('companyId', '=', viewer.companyId)
    .where('deletedAt', 'is', null)
    .where('mergedIntoId', 'is', null)
    .executeTakeFirst()
  if (!contact) refuse('ERR_NO_CONTACT_FOUND')
  if (networkOf(contact.channel) !== networkOf(source.channel)) refuse('ERR_OTHER_CHANNEL')
  return contact.active && contact.number !== '' ? contact : refuse('ERR_WAPP_INVALID_CONTACT')
}

/** Uses the source's queue if the caller serves it, otherwise the chosen queue. */
async function openTicket(
  viewer: Viewer,
  contact: Contact,
  source: TicketSummary,
  chosen: number | null,
  commandId: string,
  deps: Deps,
): Promise<number> {
  if (!contact.validNumber) refuse('ERR_WAPP_INVALID_CONTACT')
  const { id: contactId, isGroup } = contact
  const { whatsappId: connectionId, channel } = source
  const { companyId } = viewer
  const serves = (id: number) => isAdmin(viewer) || viewer.queueIds.includes(id)
  const own = source.queueId !== null && serves(source.queueId) && !(await isRetired(deps, companyId, source.queueId))
  const queueId = chosen ?? (own ? source.queueId : null) ?? refuse('ERR_QUEUE_REQUIRED')
  await queueOf(deps, viewer, queueId)
  if (!serves(queueId)) refuse('ERR_NO_PERMISSION/queue')
  const conversation = { companyId, connectionId, contactId }
  const { ticketId, uuid } = await deps.activeTickets.claimForOpening(conversation)
  const opening = { ticketId, uuid, contactId, connectionId, channel, group: isGroup, queueId, predecessorId: null }
  await deps.execute(ticketId, { type: 'Open', userId: viewer.id, ...opening, ...toCommandMetadata(viewer) }, commandId)
  return ticketId
}
