import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import type { TicketChange, TicketRow } from '#domain/ticket/contract.ts'
import { canSee } from '#domain/ticket/topic.ts'
import { createStoreBatchLoader } from '#projections/batch-loader.ts'
import type { Database } from '#projections/database.ts'
import { maskFor, type TicketSummary, ticketById } from '#projections/ticket/read.ts'
import { type Deps, executeAndWait, findQueueService, queueOf, requireConnection, toTicketResponse, userOf } from './execute.ts'
import { findAcceptableTicket, isAdmin, refuseAcceptedByOther } from './visibility.ts'

type Serving = { userId: number; queueId: number | null }

/** Accepts a waiting ticket or reopens a closed one (A-TICKET-05, A-TICKET-11). */
export async function accept(deps: Deps, viewer: Viewer, id: number, body: TicketChange, commandId: string): Promise<TicketRow> {
  const row = await findAcceptableTicket(deps, viewer, id)
  const userId = body.userId ?? viewer.id
  if (userId !== viewer.id && !isAdmin(viewer)) refuse('ERR_NO_PERMISSION')
  const user = userId === viewer.id ? viewer : await userOf(deps, viewer, userId)
  if (body.queueId != null) await queueOf(deps, viewer, body.queueId)
  const isAccepted = row.status !== 'closed' && row.status !== 'nps' && row.status !== 'pending' && row.userId !== null
  if (isAccepted && row.userId !== userId) return refuseAcceptedByOther(deps, viewer.companyId, id)
  const chosen = body.queueId ?? null
  const queueId = (row.status === 'closed' ? (chosen ?? row.queueId) : (row.queueId ?? chosen)) ?? refuse('ERR_QUEUE_REQUIRED')
  if (!isAccepted) {
    const { retired, serves } = await findQueueService(deps, viewer.companyId, queueId, user)
    if (retired) refuse('ERR_QUEUE_REQUIRED')
    if (!serves) refuse('ERR_NO_PERMISSION/queue')
  }
  const serving = { userId, queueId: chosen }
  if (row.status === 'closed') return reopen(deps, viewer, row, serving, commandId)
  const olderTicket = row.status === 'pending' && !row.isGroup ? await findOlderTicket(deps, row) : undefined
  if (olderTicket) return answerWithOther(deps, viewer, olderTicket)
  try {
    return await executeAccept(deps, viewer, row, { type: 'Accept', ...serving }, commandId)
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'ERR_TICKET_NOT_OPEN')) throw error
    return reopen(deps, viewer, row, serving, commandId) // the ticket was closed in the meantime
  }
}

/** Reclaims the active-ticket row of the contact. If another open ticket holds it, that ticket is the answer. */
async function reopen(deps: Deps, viewer: Viewer, row: TicketSummary, serving: Serving, commandId: string): Promise<TicketRow> {
  const { db, load, activeTickets } = deps
  const { companyId } = viewer
  await requireConnection(deps, viewer, row.whatsappId)
  const now = await load(companyId, row.id)
  const conversation = { companyId, connectionId: row.whatsappId, contactId: row.contactId }
  const activeTicketId =
    now.status === 'closed'
      ? await activeTickets.reclaimIfReleased(conversation, { ticketId: row.id, uuid: row.uuid }, now.revision)
      : row.id
  if (activeTicketId !== row.id) await deps.waitForProjection(await deps.readHeadPosition()) // the other ticket may be newer than the read models
  const other = activeTicketId === row.id ? undefined : await ticketById(db, companyId, activeTicketId)
  if (other && other.status !== 'closed') return answerWithOther(deps, viewer, other)
  return executeAccept(deps, viewer, row, { type: 'Reopen', ...serving }, commandId)
}

const answerWithOther = (deps: Deps, viewer: Viewer, other: TicketRow): TicketRow | Promise<never> =>
  canSee(viewer, other) ? maskFor(viewer, other) : refuseAcceptedByOther(deps, viewer.companyId, other.id)

/** Returns whether the contact has a duplicate. Most contacts have none. Concurrent checks share one query. */
const hasDuplicate = createStoreBatchLoader(async (db: Kysely<Database>, contactIds: number[]): Promise<boolean[]> => {
  const { rows } = await sql<{ contactId: number; duplicateId: number }>`
    select contact_id, duplicate_id from contact_duplicate where contact_id = any(${contactIds}::int[]) or duplicate_id = any(${contactIds}::int[])`.execute(
    db,
  )
  const known = new Set(rows.flatMap(({ contactId, duplicateId }) => [contactId, duplicateId]))
  return contactIds.map((id) => known.has(id))
})

/**
 * Returns the older open ticket of a duplicate contact, if an agent serves it. The waiting ticket stays as it
 * is.
 */
async function findOlderTicket({ db }: Deps, { companyId, id, contactId, whatsappId }: TicketSummary): Promise<TicketRow | undefined> {
  if (!(await hasDuplicate(db, contactId))) return undefined
  const others = sql`
    select duplicate_id from contact_duplicate where contact_id = ${contactId}
    union all select contact_id from contact_duplicate where duplicate_id = ${contactId}`
  const theirs = db.selectFrom('ticket').select('id').where('companyId', '=', companyId).where('whatsappId', '=', whatsappId)
  const served = theirs.where('status', '=', 'open').where('userId', 'is not', null).where('id', '<', id)
  const olderTicket = await served.where(sql<boolean>`contact_id in (${others})`).orderBy('id').limit(1).executeTakeFirst()
  return olderTicket && ticketById(db, companyId, olderTicket.id)
}

async function executeAccept(
  deps: Deps,
  viewer: Viewer,
  { id }: TicketSummary,
  command: { type: 'Accept' | 'Reopen' } & Serving,
  commandId: string,
) {
  try {
    await executeAndWait(deps, viewer, id, command, commandId)
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'ERR_OTHER_OPEN_TICKET')) throw error
    return refuseAcceptedByOther(deps, viewer.companyId, id)
  }
  return toTicketResponse(deps, viewer, id)
}
