import type { Viewer } from '#domain/access.ts'
import { textValues } from '#domain/contact/rules.ts'
import { type QuickReplyRow, quickReplyTopic } from '#domain/quick-reply/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { api } from '#web/api.ts'
import { createLiveCollection } from '#web/live.ts'
import { fileAt } from '#web/ui/files.ts'

/** What the names in a text stand for, as far as its writer may know it: what is hidden here is filled in on the way out (A-LGPD-04). */
export function knownOf({ contact: { name, number, email }, queue }: TicketRow, { masked }: Viewer) {
  const hidden = (text: string) => masked && text.includes('*')
  const { nome, numero } = textValues({ name, number })
  return { ...(!hidden(name) && { nome }), ...(!hidden(number) && { numero }), email, fila: queue?.name ?? '' }
}

/** The file of a reply, to go along with its words. */
export const fileOf = async ({ mediaPath, mediaName }: QuickReplyRow): Promise<File | null> =>
  mediaPath ? fileAt(mediaPath, mediaName ?? 'file') : null

/** Every reply in sight, as the composer offers them. */
export const allReplies = createLiveCollection<QuickReplyRow>({
  topic: quickReplyTopic,
  load: async () => ({ rows: await api.quickReplies.choices({ query: {} }), hasMore: false }),
  belongs: ({ status }) => status,
  order: (a, b) => a.shortcode.localeCompare(b.shortcode),
})
