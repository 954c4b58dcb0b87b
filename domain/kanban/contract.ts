import * as Type from 'typebox'
import { moves, seesBoard } from '#domain/access.ts'
import { del, get, Id, IdList, Nullable, PageNumber, put } from '#domain/contract.ts'
import { TicketRow } from '#domain/ticket/contract.ts'

const Day = Type.Optional(Type.String({ format: 'date' }))

/** Which stand on the board: what waits and what is served; a group only where it is treated as a ticket (A-LANE-03). */
export const onBoard: readonly TicketRow['status'][] = ['open', 'pending']

/** So many tickets the board shows at once. */
export const boardPage = 1000

/** The board: tickets at work in their lanes (A-LANE-02, A-LANE-03). */
export const kanban = {
  board: get('/ticket/kanban', {
    may: seesBoard,
    says: 'Tickets in sight of the caller that are waiting or at work and were opened on these days, both included; newest change first, a thousand a page.',
    query: Type.Object({ queueIds: Type.Optional(IdList), startDate: Day, endDate: Day, pageNumber: Type.Optional(PageNumber) }),
    answer: Type.Object({ tickets: Type.Array(TicketRow), hasMore: Type.Boolean() }),
  }),
  counts: get('/ticket/kanban/counts', {
    may: seesBoard,
    says: 'How many tickets in sight of the caller stand in each lane and what they are worth, whenever they were opened or of these days; laneId null: in none. A lane without any is not named.',
    query: Type.Object({ startDate: Day, endDate: Day }),
    answer: Type.Object({ lanes: Type.Array(Type.Object({ laneId: Nullable(Id), count: Type.Integer(), worth: Type.Number() })) }),
  }),
  enter: put('/ticket-tags/:ticketId/:tagId', {
    follows: true,
    may: moves,
    says: 'Puts a ticket into a lane, in place of the one it is in.',
    answer: TicketRow,
  }),
  leave: del('/ticket-tags/:ticketId', { follows: true, may: moves, says: 'Takes a ticket out of its lane.', answer: TicketRow }),
}
