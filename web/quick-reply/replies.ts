import { type QuickReplyRow, quickReplyTopic } from '#domain/quick-reply/contract.ts'
import { api } from '#web/api.ts'
import { collection } from '#web/live.ts'

/** The file of a reply, to go along with its words. */
export async function fileOf({ mediaPath, mediaName }: QuickReplyRow): Promise<File | null> {
  if (!mediaPath) return null
  const response = await fetch(mediaPath)
  if (!response.ok) throw new Error(`the file of a quick reply is away: ${response.status}`)
  const blob = await response.blob()
  return new File([blob], mediaName ?? 'file', { type: blob.type })
}

/** Every reply in sight, as the composer offers them. */
export const allReplies = collection<QuickReplyRow>({
  topic: quickReplyTopic,
  load: async () => ({ rows: await api.quickReplies.choices({ query: {} }), hasMore: false }),
  belongs: ({ status }) => status,
  order: (a, b) => a.shortcode.localeCompare(b.shortcode),
})
