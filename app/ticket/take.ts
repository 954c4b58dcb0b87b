import type { Viewer } from '#domain/access.ts'
import { refuse } from '#domain/errors.ts'
import { sees, type TicketChange, type TicketRow } from '#domain/ticket/contract.ts'
import { type Standing, ticketById, veiled } from '#projections/ticket/read.ts'
import type { Who } from './active.ts'
import { busy, isAdmin, waitedInSight } from './sight.ts'
import { answer, type Deps, queueOf, tell, userOf } from './tell.ts'

/** Accepts or reopens; where another ticket has the contact's place, that one is the answer (A-TICKET-05, A-TICKET-11). */
export async function take(deps: Deps, viewer: Viewer, id: number, body: TicketChange, commandId: string): Promise<TicketRow> {
  const { db, see, active } = deps
  const [row, now] = await Promise.all([waitedInSight(db, viewer, id), see(viewer.companyId, id)])
  const userId = body.userId ?? viewer.id
  if (userId !== viewer.id && !isAdmin(viewer)) refuse('ERR_NO_PERMISSION')
  if (userId !== viewer.id) await userOf(deps, viewer, userId)
  const queueId = body.queueId ?? null
  if (queueId !== null) await queueOf(deps, viewer, queueId)
  if (queueId === null && row.queueId === null) refuse('ERR_QUEUE_REQUIRED')
  const who = { companyId: viewer.companyId, connectionId: row.whatsappId, contactId: row.contactId }
  const holder = now.status === 'closed' ? await retake(deps, who, row, now.revision) : ((await active.find(who))?.ticketId ?? row.id)
  const held = holder === row.id ? undefined : await ticketById(db, viewer.companyId, holder)
  if (held && held.status !== 'closed') return sees(viewer, held) ? veiled(viewer, held) : busy(db, viewer.companyId, holder)
  await tell(deps, viewer, row.id, { type: 'Take', userId, queueId }, commandId)
  return answer(deps, viewer, row.id)
}

async function retake({ active, see }: Deps, who: Who, { id: ticketId, uuid }: Standing, since: number): Promise<number> {
  const holder = await active.retake(who, { ticketId, uuid }, since)
  if (holder === ticketId) return ticketId
  const { status } = await see(who.companyId, holder)
  return status === 'closed' || status === 'deleted' ? active.retake(who, { ticketId, uuid }, since, holder) : holder
}
