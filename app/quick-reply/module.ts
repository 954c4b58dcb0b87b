import { quickReplies, quickReply, quickReplyTopic } from '#domain/quick-reply/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { withPath } from '../storage/row-file.ts'
import { beforeUpload, quickReplyRoutes, repliesIn } from './routes.ts'

export const quickReplyModule: FeatureModule = {
  calls: [calls('quickReplies', quickReplies, quickReplyRoutes, beforeUpload)],
  openApiSchemas: { QuickReply: quickReply.Row, QuickReplyBody: quickReply.Body },
  topics: ({ db, media }) => [
    {
      topic: quickReplyTopic,
      changeName: quickReply.table,
      load: async (companyId, ids) => (await repliesIn(db, companyId).where('id', 'in', ids).execute()).map((row) => withPath(media, row)),
    },
  ],
}
