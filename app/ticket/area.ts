import { veilTicket } from '#domain/contact/veil.ts'
import { closing, type TicketRow, ticketLogs, tickets, ticketTopic } from '#domain/ticket/contract.ts'
import { ticketProjector } from '#projections/ticket/projector.ts'
import { ticketsById } from '#projections/ticket/rows.ts'
import { type Area, calls } from '../area.ts'
import { inList } from '../http/live.ts'
import { closingRoutes } from './close.ts'
import { forgetMedia, ticketDeadlines, withdrawMedia } from './jobs.ts'
import { attend } from './reactions.ts'
import { ticketLogRoutes, ticketRoutes } from './routes.ts'

/** Its unread counter went back to nothing, or may have: what it was before is not always known (R-LIVE-03). */
const readNow = ({ id, unreadMessages }: TicketRow, before: Partial<TicketRow> | undefined) =>
  unreadMessages === 0 && before?.unreadMessages !== 0 ? { action: 'updateUnread', ticketId: id } : null

export const ticketArea: Area = {
  calls: [
    calls('tickets', tickets, ticketRoutes),
    calls('closing', closing, closingRoutes),
    calls('ticketLogs', ticketLogs, ticketLogRoutes),
  ],
  topics: ({ db }) => [
    {
      topic: ticketTopic,
      load: (_, ids) => ticketsById(db, ids),
      veil: veilTicket,
      beside: readNow,
      trace: ({ status, isGroup, queueId, userId, unreadMessages }) => ({ status, isGroup, queueId, userId, unreadMessages }),
      wanted: (seat) => inList(seat) || seat.boxes.size > 0,
      joined: (seat, row) => inList(seat) || seat.boxes.has(row.id),
      parting: ({ user }) => user && { takenBy: { name: user.name } },
      open: ({ boxes }, { id }) => boxes.has(id),
    },
  ],
  readModels: [ticketProjector],
  reactors: [attend],
  deadlines: ticketDeadlines,
  jobs: [forgetMedia, withdrawMedia],
}
