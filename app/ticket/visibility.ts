import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { CommandMetadata } from '#domain/decider.ts'
import { refuse } from '#domain/errors.ts'
import { canSee } from '#domain/ticket/topic.ts'
import type { Database } from '#projections/database.ts'
import { acceptedAt, queueBefore, type TicketSummary, ticketSummary } from '#projections/ticket/read.ts'
import type { Clock } from '../scheduler/clock.ts'
import type { LoadTicket } from './ticket-repository.ts'

export const toCommandMetadata = ({ id, companyId }: Viewer): CommandMetadata => ({ companyId, by: { kind: 'user', id } })
export const isAdmin = ({ profile }: Viewer): boolean => profile === 'admin'

/** How long somebody who comes second may still be told so: what they clicked on waited on their screen. */
const raceMs = 60_000

/** A ticket that this viewer sees, or that waited in their sight a moment ago; any other does not exist (A-TICKET-04). */
export async function acceptable(
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
/** Who serves a ticket, and in which queue: as it is, also where the tables do not show it yet. */
async function serving({ db, load }: Seeing, companyId: number, ticketId: number) {
  const now = await load(companyId, ticketId)
  const { userId, queueId } = 'userId' in now ? now : { userId: null, queueId: null }
  const [user, queue] = await Promise.all([
    userId === null ? undefined : db.selectFrom('user').select(['id', 'name']).where('id', '=', userId).executeTakeFirst(),
    queueId === null ? undefined : db.selectFrom('queue').select(['id', 'name', 'color']).where('id', '=', queueId).executeTakeFirst(),
  ])
  return { user: user ?? null, queue: queue ?? null }
}

/** Somebody else was first: who, and in which queue, and nothing else (A-TICKET-04). */
export async function lost(deps: Seeing, companyId: number, ticketId: number): Promise<never> {
  const { user, queue } = await serving(deps, companyId, ticketId)
  refuse('ERR_OTHER_OPEN_TICKET', { user: user && { name: user.name }, queue: queue && { name: queue.name } })
}

/** A ticket that this viewer may see; any other does not exist. */
export async function findVisibleTicket(db: Kysely<Database>, viewer: Viewer, id: number | undefined): Promise<TicketSummary> {
  const row = id === undefined ? undefined : await ticketSummary(db, viewer.companyId, id)
  return row && canSee(viewer, row) ? row : refuse('ERR_NO_TICKET_FOUND')
}

/** A-TICKET-02. */
export async function busy(deps: Seeing, companyId: number, ticket: { id: number; uuid: string }): Promise<never> {
  const { user, queue } = await serving(deps, companyId, ticket.id)
  refuse('ERR_OTHER_OPEN_TICKET', { userId: user?.id ?? null, user, queue, ticket })
}
