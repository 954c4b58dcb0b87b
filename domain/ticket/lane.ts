import type { Decide } from '#domain/decider.ts'
import { existing } from './attendance.ts'
import type { TicketEvent } from './events.ts'
import type { Ticket } from './ticket.ts'

/** Where it stands on the board. A person's move says nothing to the contact (A-LANE-01). */
export type LaneCommand = { type: 'EnterLane'; tagId: number } | { type: 'LeaveLane' }

export const lanes: Decide<Ticket, LaneCommand, TicketEvent> = {
  EnterLane: (ticket, { tagId }) => {
    const { lane } = existing(ticket)
    return lane?.tagId === tagId ? [] : [{ type: 'LaneEntered', tagId, fromTagId: lane?.tagId ?? null }]
  },
  LeaveLane: (ticket) => {
    const { lane } = existing(ticket)
    return lane ? [{ type: 'LaneLeft', tagId: lane.tagId }] : []
  },
}
