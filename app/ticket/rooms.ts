import { type Status, statuses, type TicketRow } from '#domain/ticket/contract.ts'
import type { Op, RoomKey, SocketSession } from '../live/gateway.ts'

/**
 * Returns whether the session joined a list that shows one of these statuses (A-RT-01). A list that is not named
 * by a status shows every ticket, and an unknown status may be any.
 */
export const listsStatus = ({ rooms: { Tickets } }: SocketSession, shown: (Status | undefined)[]): boolean =>
  [...Tickets].some((name) => shown.includes(undefined) || !isStatus(name) || shown.includes(name))
const isStatus = (name: RoomKey): name is Status => (statuses as readonly RoomKey[]).includes(name)

type Sight = Pick<TicketRow, 'id' | 'status'>
/** Returns whether the session receives every change of the ticket, whatever its status. */
export const receivesAll = ({ rooms }: SocketSession, { id }: Sight): boolean => rooms.Notification.size > 0 || rooms.ChatBox.has(id)
/** A list also receives a ticket that leaves its status. */
export const isInTicketRoom = (session: SocketSession, row: Sight, op: Op, before?: Partial<Sight>): boolean =>
  receivesAll(session, row) || listsStatus(session, op === 'insert' ? [row.status] : [row.status, before?.status])
