import * as Type from 'typebox'
import { moves, seesBoard } from '#domain/access.ts'
import { del, get, Id, IdList, Nullable, PageNumber, put } from '#domain/contract.ts'
import { TicketRow } from '#domain/ticket/contract.ts'

const Day = Type.Optional(Type.String({ format: 'date' }))

/** The statuses on the board. A group is there only if it is treated as a ticket (A-LANE-03). */
export const onBoard: readonly TicketRow['status'][] = ['open', 'pending']

/** Maximum number of tickets per page of the board. */
export const boardPage = 1000

/** The board: active tickets in their lanes (A-LANE-02, A-LANE-03). */
export const kanban = {
  board: get('/ticket/kanban', {
    may: seesBoard,
    summary:
      'Lists the waiting and open tickets that the caller sees and that were created on these days, both included; newest change first, 1,000 per page.',
    query: Type.Object({ queueIds: Type.Optional(IdList), startDate: Day, endDate: Day, pageNumber: Type.Optional(PageNumber) }),
    answer: Type.Object({ tickets: Type.Array(TicketRow), hasMore: Type.Boolean() }),
  }),
  counts: get('/ticket/kanban/counts', {
    may: seesBoard,
    summary:
      'Counts the tickets that the caller sees in each lane and sums their amounts, of all days or of these days. laneId null: no lane. Empty lanes are omitted.',
    query: Type.Object({ startDate: Day, endDate: Day }),
    answer: Type.Object({ lanes: Type.Array(Type.Object({ laneId: Nullable(Id), count: Type.Integer(), worth: Type.Number() })) }),
  }),
  enter: put('/ticket-tags/:ticketId/:tagId', {
    eventuallyConsistent: true,
    may: moves,
    summary: 'Moves a ticket into a lane and out of its current one.',
    answer: TicketRow,
  }),
  leave: del('/ticket-tags/:ticketId', {
    eventuallyConsistent: true,
    may: moves,
    summary: 'Removes a ticket from its lane.',
    answer: TicketRow,
  }),
}
