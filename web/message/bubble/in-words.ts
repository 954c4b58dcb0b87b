import { place } from '#domain/message/rules.ts'
import { erasedText } from '#domain/text/rules.ts'
import { signs } from '#domain/ticket/rules.ts'
import { cards, linesOf } from '#domain/vcard/rules.ts'
import { lastLine, signature } from '#web/ticket/list/card.ts'

type MessageText = { mediaType: string; body: string; fromMe: boolean; vCard?: string | null }

/** A message as plain text for copying: a place as text and link, a contact card as names and numbers. */
export function inWords({ mediaType, body, fromMe, vCard = null }: MessageText): string {
  if (mediaType === 'locationMessage') {
    const { text, link } = place(body)
    return [text, link].filter(Boolean).join('\n')
  }
  if (mediaType === 'contactMessage')
    return cards(vCard ?? body)
      .flatMap(linesOf)
      .join('\n')
  return fromMe ? body.slice(signature(body).length) : body
}

/** The message in one line, after an icon of its kind. */
export function brief(mediaType: string, body: string, vCard: string | null = null): string {
  if (body === erasedText) return body
  const names = () => cards(vCard ?? body).map(({ name }) => name)
  const words =
    mediaType === 'locationMessage' ? place(body).text : mediaType === 'contactMessage' ? names().join(', ') : lastLine(body, true)
  return `${signs[mediaType as keyof typeof signs] ?? ''} ${words}`.trim().slice(0, 240)
}
