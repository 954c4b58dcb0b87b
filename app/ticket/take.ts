import type { Viewer } from '#domain/access.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import { sees, type TicketChange, type TicketRow } from '#domain/ticket/contract.ts'
import { ticketById, veiled } from '#projections/ticket/read.ts'
import { isAdmin, lost, takeable } from './sight.ts'
import { answer, type Deps, isRetired, queueOf, servesQueue, tell, userOf } from './tell.ts'

/** Accepts or reopens; where another ticket has the contact's place, that one is the answer (A-TICKET-05, A-TICKET-11). */
export async function take(deps: Deps, viewer: Viewer, id: number, body: TicketChange, commandId: string): Promise<TicketRow> {
  const { db, see, place } = deps
  const { companyId } = viewer
  const [row, now] = await Promise.all([takeable(db, viewer, id), see(companyId, id)])
  const userId = body.userId ?? viewer.id
  if (userId !== viewer.id && !isAdmin(viewer)) refuse('ERR_NO_PERMISSION')
  const user = userId === viewer.id ? viewer : await userOf(deps, viewer, userId)
  if (body.queueId != null) await queueOf(deps, viewer, body.queueId)
  const taken = row.status !== 'closed' && row.status !== 'pending' && row.userId !== null
  if (taken && row.userId !== userId) return lost(db, companyId, id)
  const chosen = body.queueId ?? null
  const queueId = (row.status === 'closed' ? (chosen ?? row.queueId) : (row.queueId ?? chosen)) ?? refuse('ERR_QUEUE_REQUIRED')
  if (!taken && chosen !== queueId && (await isRetired(deps, companyId, queueId))) refuse('ERR_QUEUE_REQUIRED')
  if (!taken && !(await servesQueue(deps, user, queueId))) refuse('ERR_NO_PERMISSION/queue')
  const who = { companyId, connectionId: row.whatsappId, contactId: row.contactId }
  const own = { ticketId: row.id, uuid: row.uuid }
  const holder = (now.status === 'closed' ? await place.retake(who, own, now.revision) : await place.standing(who)) ?? row.id
  if (holder !== row.id) await deps.reached(await deps.head()) // it may be newer than what the rows show
  const held = holder === row.id ? undefined : await ticketById(db, companyId, holder)
  if (held && held.status !== 'closed') return sees(viewer, held) ? veiled(viewer, held) : lost(db, companyId, holder)
  try {
    await tell(deps, viewer, row.id, { type: 'Take', userId, queueId: chosen }, commandId)
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'ERR_OTHER_OPEN_TICKET')) throw error
    await deps.reached(await deps.head()) // until the one who was first can be named
    return lost(db, companyId, row.id)
  }
  return answer(deps, viewer, row.id)
}
