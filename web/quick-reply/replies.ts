import type { Viewer } from '#domain/access.ts'
import { textValues } from '#domain/contact/rules.ts'
import { type QuickReplyRow, quickReplyTopic } from '#domain/quick-reply/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { api } from '#web/api.ts'
import { createLiveCollection } from '#web/live.ts'
import { compareNames } from '#web/name-order.ts'

/**
 * Values of the names in a text, as far as the author may see them. Masked values are filled in by the server when
 * sending (A-LGPD-04).
 */
export function knownOf({ contact: { name, number, email }, queue }: TicketRow, { masked, name: atendente }: Viewer) {
  const hidden = (text: string) => masked && text.includes('*')
  const { numero, ...names } = textValues({ name, number })
  return {
    ...((names.nome === '' || !hidden(name)) && names),
    ...(!hidden(number) && { numero }),
    email,
    fila: queue?.name ?? '',
    atendente,
  }
}

/** Every visible reply, for the composer. */
export const allReplies = createLiveCollection<QuickReplyRow>({
  topic: quickReplyTopic,
  load: async () => ({ rows: await api.quickReplies.choices({ query: {} }), hasMore: false }),
  belongs: ({ status }) => status,
  order: (a, b) => compareNames(a.shortcode, b.shortcode),
})
