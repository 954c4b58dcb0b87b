import type { Kysely } from 'kysely'
import type { ConversationCommand } from '#domain/ticket/conversation.ts'
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
 * The ticket that was closed so lately that its contact goes on in it (A-EXP-04), with its place taken again; null: there is none, or
 * another has the place. `over`: the one that had it. Whether it was lately enough the ticket itself decides, when the message is received.
 */
export async function resumable(
  { timeCreateNewTicket }: Connection,
  who: ConversationKey,
  over: TicketRef | null,
  deps: Deps,
): Promise<{ claim: TicketRef; how: How } | null> {
  if (timeCreateNewTicket === 0) return null
  const last = over ?? (await lastOf(who, deps))
  const ticket = last && (await deps.load(who.companyId, last.ticketId))
  if (ticket?.status !== 'closed' || ticket.successor) return null
  const { ticketId, uuid, queueId, revision } = ticket
  if ((await deps.activeTickets.reclaimIfReleased(who, { ticketId, uuid }, revision)) !== ticketId) return null
  const retired = await isRetired(deps, who.companyId, queueId)
  return { claim: { ticketId, uuid }, how: { resumes: { withinMs: timeCreateNewTicket * 60_000, queueId: retired ? null : queueId } } }
}

async function lastOf(who: ConversationKey, deps: Deps): Promise<TicketRef | null> {
  if (await deps.activeTickets.holder(who)) return null
  await assertCaughtUp(deps) // what was closed a moment ago is there to be found
  const row = await deps.db
    .selectFrom('ticket')
    .select(['id as ticketId', 'uuid'])
    .where('companyId', '=', who.companyId)
    .where('contactId', '=', who.contactId)
    .where('whatsappId', '=', who.connectionId)
    .where('status', '=', 'closed')
    .orderBy('closedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}
