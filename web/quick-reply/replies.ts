import { type QuickReplyRow, quickReplyTopic } from '#domain/quick-reply/contract.ts'
import { api } from '#web/api.ts'
import { collection } from '#web/live.ts'

/** Every reply in sight, as the composer offers them. */
export const allReplies = collection<QuickReplyRow>({
  topic: quickReplyTopic,
  load: async () => ({ rows: await api.quickReplies.choices({ query: {} }), hasMore: false }),
  order: (a, b) => a.shortcode.localeCompare(b.shortcode),
})
