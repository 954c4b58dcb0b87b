import { channels } from '#domain/channel/channels.ts'
import type { Decide } from '#domain/decider.ts'
import { existing } from './attendance.ts'
import type { TicketEvent } from './events.ts'
import type { Present, Ticket } from './ticket.ts'

/** Moves of a ticket on the board. A move by a person sends nothing to the contact (A-LANE-01). */
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

/** A lane with a time limit: after `ms` milliseconds a ticket moves to the lane `to`. */
export type LaneTime = { tagId: number; ms: number; to: number }
/** For each lane, the lane to which a ticket moves back when its contact writes. */
export type LanesBack = Readonly<Record<number, number>>

type LaneState = Pick<Present, 'status' | 'group' | 'lane'>
const canMove = ({ status, group }: LaneState) => !group && (status === 'open' || status === 'pending')

/** When the ticket's time in its lane ends; null: never. */
export const laneDue = (ticket: LaneState & Pick<Present, 'last'>, time: LaneTime | null): number | null =>
  ticket.lane && time?.tagId === ticket.lane.tagId && canMove(ticket)
    ? Math.max(Date.parse(ticket.lane.since), Date.parse(ticket.last?.at ?? ticket.lane.since)) + time.ms
    : null

export const movedOn = ({ tagId, to }: LaneTime): TicketEvent => ({
  ...{ type: 'LaneEntered', tagId: to, fromTagId: tagId },
  ...{ why: 'laneTime', rule: 'A-LANE-01' },
})

/** Moves the ticket back because the contact wrote; nothing is sent to the contact. */
export function movedBack(ticket: LaneState, back: LanesBack, answers: number): TicketEvent[] {
  const from = ticket.lane?.tagId
  const to = from === undefined ? undefined : back[from]
  if (from === undefined || to === undefined || to === from || !canMove(ticket)) return []
  return [{ type: 'LaneEntered', tagId: to, fromTagId: from, why: 'laneBack', rule: 'A-LANE-01', answers }]
}

/** A channel with an answer window and without templates accepts nothing after the window. */
export function reachable({ channel, lastInboundAt }: Pick<Present, 'channel' | 'lastInboundAt'>, at: string): boolean {
  const { window } = channels[channel]
  return !window || window.templates || (lastInboundAt !== null && Date.parse(at) - Date.parse(lastInboundAt) <= window.anybodyMs)
}
