import type { Viewer } from '#domain/access.ts'
import { topic } from '#domain/topic.ts'
import type { TicketRow } from './contract.ts'

export type Sighted = Pick<TicketRow, 'status' | 'isGroup' | 'queueId' | 'userId'>
/** Whether a viewer may see a ticket (A-VIS-01). projections/ticket/read.ts does the same in SQL; a test compares the two. */
export function canSee(viewer: Viewer, { status, isGroup, queueId, userId }: Sighted): boolean {
  if (isGroup && !viewer.flags.allowGroup) return false
  if (viewer.profile === 'admin') return true
  const served = (id: number) => viewer.queueIds.includes(id) || (status === 'closed' && viewer.retiredQueueIds.includes(id))
  if (!(queueId === null ? viewer.flags.allTicket : served(queueId))) return false
  return userId === null || userId === viewer.id || viewer.flags.allUserChat
}

export const ticketTopic = topic<TicketRow>('ticket', 'ticket', canSee)
/** Notifies viewers of a ticket that its customer is typing. */
export const typingTopic = topic<Sighted & Pick<TicketRow, 'id' | 'companyId'>>('typing', 'typing', canSee)
