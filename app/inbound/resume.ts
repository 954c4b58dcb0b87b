import type { Kysely } from 'kysely'
import type { ConversationCommand } from '#domain/ticket/conversation.ts'
import type { Database } from '#projections/database.ts'
import type { Connection } from '../channels/channel.ts'
import { caughtUp, type Reached } from '../projection/wait-for-projection.ts'
import type { Named, Place, Who } from '../ticket/active-ticket-registry.ts'
import { isRetired } from '../ticket/execute.ts'
import type { SeeTicket } from '../ticket/ticket-repository.ts'

type Deps = {
  db: Kysely<Database>
  see: SeeTicket
  activeTickets: Place
  waitForProjection: Reached
  readHeadPosition: () => Promise<bigint | null>
}
type How = Pick<Extract<ConversationCommand, { type: 'Receive' }>, 'resumes'>

/**
 * The ticket that was closed so lately that its contact goes on in it (A-EXP-04), with its place taken again; null: there is none, or
 * another has the place. `over`: the one that had it. Whether it was lately enough the ticket itself decides, when the message is received.
 */
export async function resumable(
  { timeCreateNewTicket }: Connection,
  who: Who,
  over: Named | null,
  deps: Deps,
): Promise<{ claim: Named; how: How } | null> {
  if (timeCreateNewTicket === 0) return null
  const last = over ?? (await lastOf(who, deps))
  const ticket = last && (await deps.see(who.companyId, last.ticketId))
  if (ticket?.status !== 'closed' || ticket.successor) return null
  const { ticketId, uuid, queueId, revision } = ticket
  if ((await deps.activeTickets.retake(who, { ticketId, uuid }, revision)) !== ticketId) return null
  const retired = await isRetired(deps, who.companyId, queueId)
  return { claim: { ticketId, uuid }, how: { resumes: { withinMs: timeCreateNewTicket * 60_000, queueId: retired ? null : queueId } } }
}

async function lastOf(who: Who, deps: Deps): Promise<Named | null> {
  if (await deps.activeTickets.holder(who)) return null
  await caughtUp(deps) // what was closed a moment ago is there to be found
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
