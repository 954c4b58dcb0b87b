import { randomUUID } from 'node:crypto'
import { maskTicket } from '#domain/contact/mask.ts'
import { Coloured, closing, TicketContact, TicketRow, tickets } from '#domain/ticket/contract.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { ticketTopic, typingTopic } from '#domain/ticket/topic.ts'
import { TicketLogRow, ticketLogs } from '#domain/ticket-log/contract.ts'
import { ticketProjector } from '#projections/ticket/projector.ts'
import { activeTicketSights, ticketSights } from '#projections/ticket/read.ts'
import { ticketsById } from '#projections/ticket/rows.ts'
import type { AppContext } from '../context.ts'
import { type RoomKey, type SocketSession, showsLists } from '../live/gateway.ts'
import { calls, type FeatureModule } from '../module.ts'
import { whilePaid } from '../plan/expired.ts'
import { recordAccess } from './access.ts'
import { assign, beginTurns, reassignIfUnavailable, rotate } from './assignment.ts'
import { closeTickets, closingRoutes } from './close.ts'
import { openColleagues } from './colleagues.ts'
import { forgetMedia, ticketDeadlines, withdrawMedia } from './jobs.ts'
import { ticketReactor } from './reactions.ts'
import { isInTicketRoom, listsStatus, receivesAll } from './rooms.ts'
import { ticketLogRoutes, ticketRoutes } from './routes.ts'
import { findVisibleTicket } from './visibility.ts'

/**
 * Any viewer who can see the ticket may join. Records an access event when another agent serves it
 * (A-TICKET-06).
 */
async function joinChat({ db, execute }: AppContext, { viewer }: SocketSession, id: RoomKey): Promise<boolean> {
  const row = await findVisibleTicket(db, viewer, id as number)
  if (row.userId !== viewer.id) await recordAccess(execute, viewer, row.id, undefined, randomUUID())
  return true
}

/** The unread counter dropped to 0, or may have: the value before is not always known (R-LIVE-03). */
const toUnreadFrames = ({ id, unreadMessages }: TicketRow, before: Partial<TicketRow> | undefined) =>
  unreadMessages === 0 && before?.unreadMessages !== 0 ? [{ action: 'updateUnread', ticketId: id }] : []

export const ticketModule: FeatureModule = {
  calls: [
    calls('tickets', tickets, ticketRoutes),
    calls('closing', closing, closingRoutes),
    calls('ticketLogs', ticketLogs, ticketLogRoutes),
  ],
  openApiSchemas: { Ticket: TicketRow, TicketContact, TicketLog: TicketLogRow, Named: Coloured },
  topics: ({ db }) => [
    {
      topic: ticketTopic,
      load: (_, ids) => ticketsById(db, ids),
      loadInitialRows: (companyId) => activeTicketSights(db, companyId),
      mask: maskTicket,
      toCompanionFrames: toUnreadFrames,
      trackedFields: ({ status, isGroup, queueId, userId, unreadMessages }) => ({ status, isGroup, queueId, userId, unreadMessages }),
      isSubscribed: (session) => showsLists(session) || session.rooms.ChatBox.size > 0,
      isInRoom: isInTicketRoom,
      toRemovalDetails: ({ user }) => user && { takenBy: { name: user.name } },
      hasOpen: ({ rooms }, { id }) => rooms.ChatBox.has(id),
    },
    {
      topic: typingTopic,
      load: (companyId, ids) => ticketSights(db, companyId, ids),
      isSubscribed: (session) => showsLists(session) || session.rooms.ChatBox.size > 0,
      isInRoom: (session, row) => receivesAll(session, row) || listsStatus(session, [row.status]),
    },
  ],
  onWorking: ({ db, notifications }, live) => openColleagues({ db, notifications, live }),
  rooms: {
    Tickets: {
      of: (data) => {
        const { status } = (data ?? {}) as { status?: unknown }
        return typeof status === 'string' ? status.slice(0, 20) : ''
      },
    },
    Notification: { of: () => '' },
    ChatBox: {
      of: (data) => {
        const id = Number((data as { ticketId?: unknown } | null)?.ticketId ?? data)
        return Number.isInteger(id) && id > 0 && id <= 2147483647 ? id : null
      },
      may: joinChat,
    },
  },
  streamCategories: [ticketStream],
  readModels: [ticketProjector],
  reactors: [ticketReactor, whilePaid(assign)],
  scheduledTasks: [{ name: 'begin turns', everyMs: 10_000, run: beginTurns }],
  deadlines: { ...ticketDeadlines, rotation: rotate, availability: reassignIfUnavailable },
  jobs: [forgetMedia, withdrawMedia],
  bulkOperations: { closeTickets },
}
