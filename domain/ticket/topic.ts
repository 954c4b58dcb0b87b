import type { Viewer } from '#domain/access.ts'
import { topic } from '#domain/topic.ts'
import type { TicketRow } from './contract.ts'

export type Sighted = Pick<TicketRow, 'status' | 'isGroup' | 'queueId' | 'userId'>
/** Which tickets a viewer may see (A-VIS-01). projections/ticket/read.ts says the same in SQL; the sight law holds the two together. */
export function canSee(viewer: Viewer, { status, isGroup, queueId, userId }: Sighted): boolean {
  if (isGroup && !viewer.flags.allowGroup) return false
  if (viewer.profile === 'admin') return true
  const served = (id: number) => viewer.queueIds.includes(id) || (status === 'closed' && viewer.retiredQueueIds.includes(id))
  if (!(queueId === null ? viewer.flags.allTicket : served(queueId))) return false
  return userId === null || userId === viewer.id || viewer.flags.allUserChat
}

export const ticketTopic = topic<TicketRow>('ticket', 'ticket', canSee)
/** That the customer of a ticket writes just now, for whoever sees it. */
export const typingTopic = topic<Sighted & Pick<TicketRow, 'id' | 'companyId'>>('typing', 'typing', canSee)
