import type { FastifyInstance } from 'fastify'
import { connections, connectionTopic } from '#domain/connection/contract.ts'
import { contacts, contactTopic } from '#domain/contact/contract.ts'
import { veilContact, veilMessage, veilTicket } from '#domain/contact/veil.ts'
import { history, historyTopic } from '#domain/history/contract.ts'
import { failedTopic, type MessageRow, messages, messageTopic } from '#domain/message/contract.ts'
import { notes, noteTopic } from '#domain/note/contract.ts'
import { parked } from '#domain/parked/contract.ts'
import { queue, queues } from '#domain/queue/contract.ts'
import { quickReplies, quickReply, quickReplyTopic } from '#domain/quick-reply/contract.ts'
import { sandbox } from '#domain/sandbox/contract.ts'
import { security } from '#domain/security/contract.ts'
import { session } from '#domain/session/contract.ts'
import { tag, tags } from '#domain/tag/contract.ts'
import { closing, type TicketRow, ticketLogs, tickets, ticketTopic } from '#domain/ticket/contract.ts'
import { users, userTopic } from '#domain/user/contract.ts'
import { label, version } from '#domain/version/contract.ts'
import { contactsById } from '#projections/contact/read.ts'
import { grownHistories } from '#projections/history/read.ts'
import { messagesById } from '#projections/message/read.ts'
import { notesById } from '#projections/note/read.ts'
import { ticketsById } from '#projections/ticket/rows.ts'
import { connectionColumns, connectionRoutes } from './connection/routes.ts'
import { contactRoutes } from './contact/routes.ts'
import { historyRoutes } from './history/routes.ts'
import type { House } from './house.ts'
import type { Seat, Shown } from './http/live.ts'
import { serve } from './http/serve.ts'
import { beforeFiles, messageRoutes } from './message/routes.ts'
import { noteRoutes } from './note/routes.ts'
import { parkedRoutes } from './parked/routes.ts'
import { queueRoutes, queuesIn } from './queue/routes.ts'
import { quickReplyRoutes } from './quick-reply/routes.ts'
import { beforeCustomersFiles, sandboxRoutes } from './sandbox/routes.ts'
import { securityRoutes } from './security/routes.ts'
import { sessionRoutes } from './session/routes.ts'
import { tagRoutes } from './tag/routes.ts'
import { closingRoutes } from './ticket/close.ts'
import { ticketLogRoutes, ticketRoutes } from './ticket/routes.ts'
import { userRoutes, usersIn } from './user/routes.ts'

/** Every area once: its contract and its handlers. */
export function mountAreas(server: FastifyInstance, house: House): void {
  serve(server, 'auth', session, sessionRoutes(house))
  serve(server, 'version', version, { show: async () => ({ version: label }) })
  serve(server, 'security', security, securityRoutes(house))
  serve(server, 'tickets', tickets, ticketRoutes(house))
  serve(server, 'closing', closing, closingRoutes(house))
  serve(server, 'ticketLogs', ticketLogs, ticketLogRoutes(house))
  serve(server, 'notes', notes, noteRoutes(house))
  serve(server, 'histories', history, historyRoutes(house))
  serve(server, 'messages', messages, messageRoutes(house), beforeFiles(house))
  serve(server, 'contacts', contacts, contactRoutes(house))
  serve(server, 'tags', tags, tagRoutes(house))
  serve(server, 'quickReplies', quickReplies, quickReplyRoutes(house))
  serve(server, 'queues', queues, queueRoutes(house))
  serve(server, 'users', users, userRoutes(house))
  serve(server, 'connections', connections, connectionRoutes(house))
  serve(server, 'parked', parked, parkedRoutes(house))
  if (house.settings.sandbox) serve(server, 'sandbox', sandbox, sandboxRoutes(house), beforeCustomersFiles(house))
}

const inList = ({ lists, notifications }: Seat) => lists.size > 0 || notifications
const inListOrBox = (seat: Seat) => inList(seat) || seat.boxes.size > 0

/** Its unread counter went back to nothing, or may have: what it was before is not always known (R-LIVE-03). */
const readNow = ({ id, unreadMessages }: TicketRow, before: Partial<TicketRow> | undefined) =>
  unreadMessages === 0 && before?.unreadMessages !== 0 ? { action: 'updateUnread', ticketId: id } : null

const notLeft = (row: Partial<MessageRow> | undefined) => row?.uncertain === true || (row?.failed ?? null) !== null

/** Every live topic once: how its rows are read, and who has joined them. */
export function shownTopics({ db, media }: Pick<House, 'db' | 'media'>): Shown[] {
  const rowsOf = (table: 'tag' | 'quickMessage') => (companyId: number, ids: number[]) =>
    db.selectFrom(table).selectAll().where('companyId', '=', companyId).where('id', 'in', ids).execute() as Promise<any[]>
  return [
    {
      topic: ticketTopic,
      load: (_, ids) => ticketsById(db, ids),
      veil: veilTicket,
      beside: readNow,
      trace: ({ status, isGroup, queueId, userId, unreadMessages }) => ({ status, isGroup, queueId, userId, unreadMessages }),
      wanted: inListOrBox,
      joined: (seat, row) => inList(seat) || seat.boxes.has(row.id),
      parting: ({ user }) => user && { takenBy: { name: user.name } },
      open: ({ boxes }, { id }) => boxes.has(id),
    },
    {
      topic: messageTopic,
      load: (_, ids) => messagesById(db, ids, media.url),
      veil: veilMessage,
      trace: ({ ticketId, fromMe, ticket, failed, uncertain }) => ({ ticketId, fromMe, ticket, failed, uncertain }),
      concerns: {
        topic: failedTopic,
        whom: (row, before) => (notLeft(row) || notLeft(before) ? [row.user?.id ?? null, row.ticket.userId] : []),
      },
      wanted: (seat) => seat.boxes.size > 0 || inList(seat),
      joined: (seat, row, op) =>
        seat.boxes.has(row.ticketId) || (op === 'insert' && (seat.lists.size > 0 || (seat.notifications && !row.fromMe))),
    },
    {
      topic: noteTopic,
      load: (_, ids) => notesById(db, ids),
      trace: ({ ticketId, ticket }) => ({ ticketId, ticket }),
      wanted: (seat) => seat.boxes.size > 0,
      joined: (seat, { ticketId }) => ticketId === undefined || seat.boxes.has(ticketId), // of one that is gone, its ticket may be forgotten
    },
    {
      topic: contactTopic,
      load: (companyId, ids) => contactsById(db, companyId, ids),
      veil: veilContact,
    },
    {
      topic: historyTopic,
      load: (companyId, ids) => grownHistories(db, companyId, ids),
      wanted: ({ histories }) => histories.size > 0,
      joined: ({ histories }, { uuid }) => histories.has(uuid),
    },
    { topic: tag.topic, load: rowsOf('tag') },
    { topic: quickReplyTopic, told: quickReply.table, load: rowsOf('quickMessage') },
    { topic: queue.topic, load: (companyId, ids) => queuesIn(db, companyId).where('id', 'in', ids).execute() },
    { topic: userTopic, load: (companyId, ids) => usersIn(db, companyId).where('user.id', 'in', ids).execute() },
    {
      topic: connectionTopic,
      load: (companyId, ids) =>
        db.selectFrom('connection').select(connectionColumns).where('companyId', '=', companyId).where('id', 'in', ids).execute(),
    },
  ]
}
