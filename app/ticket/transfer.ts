import type { Viewer } from '#domain/access.ts'
import { refuse } from '#domain/errors.ts'
import { on } from '#domain/setting/contract.ts'
import type { TicketChange, TicketRow } from '#domain/ticket/contract.ts'
import { type TicketSummary, ticketIdOf } from '#projections/ticket/read.ts'
import { idFrom } from '../event-store/event-codec.ts'
import { waitUntilVisible } from '../projection/wait-for-projection.ts'
import { settingsOf } from '../setting/read.ts'
import { type Deps, queueOf, servesQueue, toTicketResponse, userOf } from './execute.ts'
import { toCommandMetadata } from './visibility.ts'

const successorUuid = ({ companyId, id: userId }: Viewer, ticketId: number, commandId: string) =>
  idFrom(`${companyId}/${ticketId}/${userId}/${commandId}/successor`)
/** Returns the ticket that the same call created before. */
export const successorOf = ({ db }: Pick<Deps, 'db'>, viewer: Viewer, ticketId: number, commandId: string) =>
  ticketIdOf(db, viewer.companyId, successorUuid(viewer, ticketId, commandId))

export async function transfer(deps: Deps, viewer: Viewer, row: TicketSummary, body: TicketChange, commandId: string): Promise<TicketRow> {
  const { db, execute, activeTickets, waitForProjection } = deps
  const existing = await successorOf(deps, viewer, row.id, commandId)
  if (existing !== undefined) return toTicketResponse(deps, viewer, existing)
  const queueId = body.queueId ?? refuse('ERR_QUEUE_REQUIRED')
  await queueOf(deps, viewer, queueId)
  const userId = body.userId ?? null
  const suits = userId === null || (await servesQueue(deps, await userOf(deps, viewer, userId), queueId))
  const settings = await settingsOf(db, viewer.companyId)
  const uuid = successorUuid(viewer, row.id, commandId)
  const successor = on(settings, 'closeTicketOnTransfer') ? { ticketId: await deps.nextTicketId(), uuid } : null
  const note = body.msgTransfer?.trim() || null
  const result = await execute(
    row.id,
    { type: 'Transfer', userId, queueId, suits, successor, note, ...toCommandMetadata(viewer) },
    commandId,
  )
  const closing = result.events.find((event) => event.type === 'TicketClosed')
  const { contactId, whatsappId: connectionId, channel, isGroup: group } = row
  if (closing?.successor) {
    const { userId: fromUserId, queueId: fromQueueId = null, successor: to } = closing
    const transferFields = { transfer: { userId: to.userId, fromUserId, fromQueueId }, note }
    const opening = { ...to, contactId, connectionId, channel, group, predecessorId: row.id, ...transferFields }
    // the ticket must exist before it holds the active-ticket row
    const opened = await execute(opening.ticketId, { type: 'Open', ...opening, ...toCommandMetadata(viewer) }, `open-${opening.uuid}`)
    await activeTickets.transferClaim({ companyId: viewer.companyId, connectionId, contactId }, row.id, closing.successor)
    await waitUntilVisible(waitForProjection, opened, [opening.ticketId]) // its position is after the closing
    return toTicketResponse(deps, viewer, opening.ticketId)
  }
  await waitUntilVisible(waitForProjection, result, [row.id])
  return toTicketResponse(deps, viewer, row.id)
}
