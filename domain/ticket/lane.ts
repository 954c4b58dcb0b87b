import type { Decide } from '#domain/decider.ts'
import { existing } from './attendance.ts'
import type { TicketEvent } from './events.ts'
import type { Present, Ticket } from './ticket.ts'

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

/** A lane from which tickets move on by themselves: after how many milliseconds, and to which. */
export type LaneTime = { tagId: number; ms: number; to: number }
/** To which lane a ticket goes back when its contact writes, by the lane where it stands. */
export type LanesBack = Readonly<Record<number, number>>

type Standing = Pick<Present, 'status' | 'group' | 'lane'>
const moves = ({ status, group }: Standing) => !group && (status === 'open' || status === 'pending')

/** When its time in this lane is over; null: never. */
export const laneDue = (ticket: Standing & Pick<Present, 'last'>, time: LaneTime | null): number | null =>
  ticket.lane && time?.tagId === ticket.lane.tagId && moves(ticket)
    ? Math.max(Date.parse(ticket.lane.since), Date.parse(ticket.last?.at ?? ticket.lane.since)) + time.ms
    : null

export const movedOn = ({ tagId, to }: LaneTime): TicketEvent => ({
  ...{ type: 'LaneEntered', tagId: to, fromTagId: tagId },
  ...{ why: 'laneTime', rule: 'A-LANE-01' },
})

/** The contact wrote; nothing is said to them for it. */
export function movedBack(ticket: Standing, back: LanesBack, answers: number): TicketEvent[] {
  const from = ticket.lane?.tagId
  const to = from === undefined ? undefined : back[from]
  if (from === undefined || to === undefined || to === from || !moves(ticket)) return []
  return [{ type: 'LaneEntered', tagId: to, fromTagId: from, why: 'laneBack', rule: 'A-LANE-01', answers }]
}

const day = 24 * 60 * 60_000
/** Facebook and Instagram take nothing but answers to what was written within a day. */
export const reachable = ({ channel, heardAt }: Pick<Present, 'channel' | 'heardAt'>, at: string): boolean =>
  (channel !== 'facebook' && channel !== 'instagram') || (heardAt !== null && Date.parse(at) - Date.parse(heardAt) <= day)
