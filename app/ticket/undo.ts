import type { Viewer } from '#domain/access.ts'
import { refuse } from '#domain/errors.ts'
import { type TicketRow, tickets } from '#domain/ticket/contract.ts'
import type { Present } from '#domain/ticket/ticket.ts'
import { canSee } from '#domain/ticket/topic.ts'
import { type TicketSummary, ticketSummary } from '#projections/ticket/read.ts'
import { forEachConcurrently } from '../concurrency/for-each-concurrently.ts'
import { commandOf, executeForMany } from '../http/idempotency.ts'
import type { Handlers } from '../http/serve.ts'
import { importReopened } from '../inbound/reopened.ts'
import { assertCaughtUp, waitUntilVisible } from '../projection/wait-for-projection.ts'
import { renewTurn } from './assignment.ts'
import { type Deps, isRetired, requireConnection, toTicketResponse } from './execute.ts'
import { ignoreRefusal } from './ignore-refusal.ts'
import type { TicketCommandResult } from './ticket-repository.ts'
import { toCommandMetadata } from './visibility.ts'

/** Undoes the viewer's own action, even if it moved the ticket out of their sight (A-TICKET-07). */
async function undoOne(
  deps: Deps,
  viewer: Viewer,
  row: TicketSummary,
  seen: number | null,
  commandId: string,
): Promise<TicketCommandResult> {
  const now = await deps.load(viewer.companyId, row.id)
  const own = 'undoableAction' in now && now.undoableAction?.by.kind === 'user' && now.undoableAction.by.id === viewer.id
  if (!own && !canSee(viewer, row)) refuse('ERR_NO_TICKET_FOUND')
  if (own && now.undoableAction && (await isRetired(deps, viewer.companyId, now.undoableAction.before.queueId))) refuse('ERR_UNDO_GONE')
  if (own && now.undoableAction && seen !== null && now.undoableAction.revision > seen) refuse('ERR_UNDO_GONE')
  if (own && now.status === 'closed') await reclaimTicket(deps, viewer, row, now, commandId)
  if (own && now.undoableAction) await renewTurn(viewer.companyId, { ...now, ...now.undoableAction.before }, deps)
  return deps.execute(row.id, { type: 'Undo', seen, ...toCommandMetadata(viewer) }, commandId)
}

/**
 * Reclaims the active-ticket row, from the transfer's successor or if it is free. A ticket that was opened or
 * written to since keeps it.
 */
async function reclaimTicket(
  deps: Deps,
  viewer: Viewer,
  row: TicketSummary,
  { successor, revision }: Present,
  commandId: string,
): Promise<void> {
  await requireConnection(deps, viewer, row.whatsappId)
  const conversation = { companyId: viewer.companyId, connectionId: row.whatsappId, contactId: row.contactId }
  const own = { ticketId: row.id, uuid: row.uuid }
  if ((await deps.activeTickets.reclaimIfReleased(conversation, own, revision, successor?.ticketId)) !== row.id) refuse('ERR_UNDO_GONE')
  if (!successor) return
  try {
    await deps.execute(
      successor.ticketId,
      { type: 'Withdraw', back: { ticketId: row.id, command: commandId }, ...toCommandMetadata(viewer) },
      `${commandId}-withdraw`,
    )
  } catch (error) {
    await deps.activeTickets.transferClaim(conversation, row.id, successor)
    throw error
  }
}

export async function undo(deps: Deps, viewer: Viewer, id: number, seen: number | null, commandId: string): Promise<TicketRow> {
  const row = (await ticketSummary(deps.db, viewer.companyId, id)) ?? refuse('ERR_NO_TICKET_FOUND')
  await waitUntilVisible(deps.waitForProjection, await undoOne(deps, viewer, row, seen, commandId), [id])
  return toTicketResponse(deps, viewer, id)
}

const atOnce = 8
/** Undoes each ticket of a close-all separately. A ticket that has changed since stays as it is. */
export const undoAll =
  (deps: Deps): Handlers<typeof tickets>['undoAll'] =>
  async (request) => {
    const { viewer, body, commandId } = request
    const findTicketIds = async () => {
      await assertCaughtUp(deps) // the read models may not show the latest closings yet
      const closed = deps.db.selectFrom('ticket').select('id').where('batch', '=', body.batch).where('companyId', '=', viewer.companyId)
      return (await closed.orderBy('id').execute()).map(({ id }) => id)
    }
    const undoEach = async (all: number[]): Promise<number> => {
      let count = 0
      await forEachConcurrently(all, atOnce, async (id) => {
        const row = await ticketSummary(deps.db, viewer.companyId, id)
        if (row && (await undoOne(deps, viewer, row, null, `${commandId}-${id}`).catch(ignoreRefusal)) !== null) count++
      })
      await deps.waitForProjection(await deps.readHeadPosition())
      await importReopened(deps.db, viewer.companyId)
      return count
    }
    return { count: await executeForMany(deps.db, viewer, commandOf(tickets.undoAll, request), findTicketIds, undoEach) }
  }
