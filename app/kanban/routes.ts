import type { Viewer } from '#domain/access.ts'
import { ids } from '#domain/contract.ts'
import { refuse } from '#domain/errors.ts'
import { boardPage, type kanban, onBoard } from '#domain/kanban/contract.ts'
import { endOfDay, startOfDay } from '#domain/zone/rules.ts'
import { maskFor, whereVisibleTo } from '#projections/ticket/read.ts'
import { ticketsById } from '#projections/ticket/rows.ts'
import type { Handlers } from '../http/serve.ts'
import { type Deps, executeAndWait, toTicketResponse } from '../ticket/execute.ts'
import { findVisibleTicket } from '../ticket/visibility.ts'

export const kanbanRoutes = (deps: Deps): Handlers<typeof kanban> => {
  const { db } = deps
  /** The tickets that the viewer sees on the board, by the days on which they were opened. */
  function boardTickets(viewer: Viewer, { startDate, endDate }: { startDate?: string; endDate?: string }) {
    const { timeZone } = viewer
    let found = db.selectFrom('ticket').where(whereVisibleTo(viewer, 'ticket')).where('status', 'in', onBoard)
    if (startDate) found = found.where('createdAt', '>=', startOfDay(timeZone, startDate).toISOString())
    if (endDate) found = found.where('createdAt', '<', endOfDay(timeZone, endDate).toISOString())
    return found
  }
  return {
    async board({ viewer, query: { queueIds, pageNumber = 1, ...days } }) {
      const queues = ids(queueIds)
      let found = boardTickets(viewer, days).select('id')
      if (queues.length > 0) found = found.where((eb) => eb.or([eb('queueId', 'in', queues), eb('queueId', 'is', null)]))
      const page = found.offset((pageNumber - 1) * boardPage).limit(boardPage + 1)
      const rows = await page.orderBy('updatedAt', 'desc').orderBy('id', 'desc').execute()
      const tickets = await ticketsById(
        db,
        rows.slice(0, boardPage).map(({ id }) => id),
      )
      return { tickets: tickets.map((row) => maskFor(viewer, row)), hasMore: rows.length > boardPage }
    },
    async counts({ viewer, query }) {
      const there = db.selectFrom('tag').select('id').where('companyId', '=', viewer.companyId).where('kanban', '=', 1)
      const lanes = boardTickets(viewer, query)
        .leftJoin(there.as('lane'), 'lane.id', 'ticket.laneId') // a ticket in a deleted lane counts as without a lane, as on the board
        .select((eb) => [
          'lane.id as laneId',
          eb.fn.countAll<number>().as('count'),
          eb.fn.coalesce(eb.fn.sum<number>('amount'), eb.val(0)).as('worth'),
        ])
      return { lanes: await lanes.groupBy('lane.id').execute() }
    },
    async enter({ viewer, params: { ticketId, tagId }, commandId }) {
      await findVisibleTicket(db, viewer, ticketId)
      const lane = db.selectFrom('tag').select('id').where('id', '=', tagId).where('companyId', '=', viewer.companyId)
      if (!(await lane.where('kanban', '=', 1).executeTakeFirst())) refuse('ERR_NO_TAG_FOUND')
      await executeAndWait(deps, viewer, ticketId, { type: 'EnterLane', tagId }, commandId)
      return toTicketResponse(deps, viewer, ticketId)
    },
    async leave({ viewer, params: { ticketId }, commandId }) {
      await findVisibleTicket(db, viewer, ticketId)
      await executeAndWait(deps, viewer, ticketId, { type: 'LeaveLane' }, commandId)
      return toTicketResponse(deps, viewer, ticketId)
    },
  }
}
