import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { CommandMetadata } from '#domain/decider.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import { refuse } from '#domain/errors.ts'
import { canSee } from '#domain/ticket/topic.ts'
import type { Database } from '#projections/database.ts'
import { acceptedAt, queueBefore, type TicketSummary, ticketSummary } from '#projections/ticket/read.ts'
import type { Clock } from '../scheduler/clock.ts'
import type { LoadTicket } from './ticket-repository.ts'

export const toCommandMetadata = ({ id, companyId }: Viewer): CommandMetadata => ({ companyId, by: { kind: 'user', id } })
export const isAdmin = ({ profile }: Viewer): boolean => profile === 'admin'

/**
 * How long a late click still gets the refusal with the other agent's name: the ticket was still on the
 * screen.
 */
const raceMs = minuteMs

/**
 * Returns a ticket that the viewer sees, or that waited in their sight within `raceMs`. Any other ticket does
 * not exist (A-TICKET-04).
 */
export async function findAcceptableTicket(
  { db, clock }: { db: Kysely<Database>; clock: Clock },
  viewer: Viewer,
  id: number,
): Promise<TicketSummary> {
  const row = (await ticketSummary(db, viewer.companyId, id)) ?? refuse('ERR_NO_TICKET_FOUND')
  if (canSee(viewer, row)) return row
  const waited = (queueId: number | null) => canSee(viewer, { ...row, userId: null, queueId })
  const since = row.status === 'closed' ? null : await acceptedAt(db, id)
  if (since === null || Date.parse(since) < clock.now() - raceMs) refuse('ERR_NO_TICKET_FOUND')
  return waited(row.queueId) || waited(await queueBefore(db, row)) ? row : refuse('ERR_NO_TICKET_FOUND')
}

type Seeing = { db: Kysely<Database>; load: LoadTicket }
/** Reads the current agent and queue from the aggregate, because the read models may lag. */
async function serving({ db, load }: Seeing, companyId: number, ticketId: number) {
  const now = await load(companyId, ticketId)
  const { userId, queueId } = 'userId' in now ? now : { userId: null, queueId: null }
  const [user, queue] = await Promise.all([
    userId === null ? undefined : db.selectFrom('user').select(['id', 'name']).where('id', '=', userId).executeTakeFirst(),
    queueId === null ? undefined : db.selectFrom('queue').select(['id', 'name', 'color']).where('id', '=', queueId).executeTakeFirst(),
  ])
  return { user: user ?? null, queue: queue ?? null }
}

/** Refuses because another agent was first. The detail contains only that agent and the queue (A-TICKET-04). */
export async function refuseAcceptedByOther(deps: Seeing, companyId: number, ticketId: number): Promise<never> {
  const { user, queue } = await serving(deps, companyId, ticketId)
  refuse('ERR_OTHER_OPEN_TICKET', { user: user && { name: user.name }, queue: queue && { name: queue.name } })
}

/** Returns a ticket that this viewer may see; any other does not exist. */
export async function findVisibleTicket(db: Kysely<Database>, viewer: Viewer, id: number | undefined): Promise<TicketSummary> {
  const row = id === undefined ? undefined : await ticketSummary(db, viewer.companyId, id)
  return row && canSee(viewer, row) ? row : refuse('ERR_NO_TICKET_FOUND')
}

/** A-TICKET-02. */
export async function refuseConversationTaken(deps: Seeing, companyId: number, ticket: { id: number; uuid: string }): Promise<never> {
  const { user, queue } = await serving(deps, companyId, ticket.id)
  refuse('ERR_OTHER_OPEN_TICKET', { userId: user?.id ?? null, user, queue, ticket })
}
