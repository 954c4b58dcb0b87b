import { quickReplies, quickReply, quickReplyTopic } from '#domain/quick-reply/contract.ts'
import { type Area, calls } from '../area.ts'
import { rowsOf } from '../http/live.ts'
import { quickReplyRoutes } from './routes.ts'

export const quickReplyArea: Area = {
  calls: [calls('quickReplies', quickReplies, quickReplyRoutes)],
  topics: ({ db }) => [{ topic: quickReplyTopic, told: quickReply.table, load: rowsOf(db, 'quickMessage') }],
}
