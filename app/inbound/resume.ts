import type { Kysely } from 'kysely'
import { minuteMs } from '#domain/duration/rules.ts'
import type { ConversationCommand } from '#domain/ticket/conversation.ts'
import { contactsOfPerson } from '#projections/contact/person.ts'
import type { Database } from '#projections/database.ts'
import type { Connection } from '../channels/channel.ts'
import { assertCaughtUp, type WaitForProjection } from '../projection/wait-for-projection.ts'
import type { ActiveTicketRegistry, ConversationKey, TicketRef } from '../ticket/active-ticket-registry.ts'
import { isRetired } from '../ticket/execute.ts'
import type { LoadTicket } from '../ticket/ticket-repository.ts'

type Deps = {
  db: Kysely<Database>
  load: LoadTicket
  activeTickets: ActiveTicketRegistry
  waitForProjection: WaitForProjection
  readHeadPosition: () => Promise<bigint | null>
}
type How = Pick<Extract<ConversationCommand, { type: 'Receive' }>, 'resumes'>

/**
 * Returns the last closed ticket of a contact, claimed as the active one again (A-EXP-04). Null: there is none, or another ticket is active.
 * `previous`: the ticket that was active before. The ticket decides on `Receive` whether it was closed recently enough.
 */
export async function resumable(
  { timeCreateNewTicket }: Connection,
  who: ConversationKey,
  previous: TicketRef | null,
  deps: Deps,
): Promise<{ claim: TicketRef; how: How } | null> {
  if (timeCreateNewTicket === 0) return null
  const last = previous ?? (await lastOf(who, deps))
  const ticket = last && (await deps.load(who.companyId, last.ticketId))
  if (ticket?.status !== 'closed' || ticket.successor) return null
  const { ticketId, uuid, queueId, revision } = ticket
  if ((await deps.activeTickets.reclaimIfReleased(who, { ticketId, uuid }, revision)) !== ticketId) return null
  const retired = await isRetired(deps, who.companyId, queueId)
  return { claim: { ticketId, uuid }, how: { resumes: { withinMs: timeCreateNewTicket * minuteMs, queueId: retired ? null : queueId } } }
}

async function lastOf(who: ConversationKey, deps: Deps): Promise<TicketRef | null> {
  if (await deps.activeTickets.findHolder(who)) return null
  await assertCaughtUp(deps) // so that a ticket that was closed a moment ago is found
  const row = await deps.db
    .selectFrom('ticket')
    .select(['id as ticketId', 'uuid'])
    .where('companyId', '=', who.companyId)
    .where('contactId', 'in', contactsOfPerson(who.contactId))
    .where('whatsappId', '=', who.connectionId)
    .where('status', '=', 'closed')
    .orderBy('closedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}
