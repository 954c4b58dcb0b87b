import { maskMessage } from '#domain/contact/mask.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import { MessageRow, messages } from '#domain/message/contract.ts'
import { failedTopic, messageTopic } from '#domain/message/topic.ts'
import { messagesById } from '#projections/message/read.ts'
import { sweepUploads } from '../http/uploads.ts'
import { showsLists } from '../live/gateway.ts'
import { calls, type FeatureModule } from '../module.ts'
import { failAbandoned } from '../outbound/delivery-failures.ts'
import { listsStatus } from '../ticket/rooms.ts'
import { sweepOrphanedUploads } from './orphaned-uploads.ts'
import { beforeUpload, messageRoutes } from './routes.ts'

const isUndelivered = (row: Partial<MessageRow> | undefined) => row?.uncertain === true || (row?.failed ?? null) !== null

export const messageModule: FeatureModule = {
  calls: [calls('messages', messages, messageRoutes, beforeUpload)],
  openApiSchemas: { Message: MessageRow },
  topics: ({ db, media }) => [
    {
      topic: messageTopic,
      load: (_, ids) => messagesById(db, ids, media.url),
      mask: maskMessage,
      trackedFields: ({ ticketId, fromMe, ticket, failed, uncertain }) => ({ ticketId, fromMe, ticket, failed, uncertain }),
      invalidates: {
        topic: failedTopic,
        whom: (row, before) => (isUndelivered(row) || isUndelivered(before) ? [row.user?.id ?? null, row.ticket.userId] : []),
      },
      isSubscribed: (session) => session.rooms.ChatBox.size > 0 || showsLists(session),
      isInRoom: (session, row, op) =>
        session.rooms.ChatBox.has(row.ticketId) ||
        (op === 'insert' && (listsStatus(session, [row.ticket.status]) || (session.rooms.Notification.size > 0 && !row.fromMe))),
    },
  ],
  scheduledTasks: [
    { name: 'fail abandoned messages', everyMs: minuteMs, run: failAbandoned },
    { name: 'sweep uploads', everyMs: 10 * minuteMs, atStart: true, everywhere: true, run: ({ uploadDir }) => sweepUploads(uploadDir) },
    { name: 'sweep held files', everyMs: 10 * minuteMs, atStart: true, run: (ctx) => sweepOrphanedUploads(ctx) },
  ],
}
