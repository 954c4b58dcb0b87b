import type { TicketRow } from '#domain/ticket/contract.ts'

/** R-INBOX-04: at most this many whole characters. */
export function cut(text: string, most: number): string {
  const whole = [...text]
  return whole.length <= most
    ? text
    : `${whole
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}
const signed = /^(\p{Extended_Pictographic}\ufe0f?\s)?\*[^*\n]{1,60}:\*\s+/u
/** The signature before a text (A-MSG-01). */
export const signature = (text: string): string => signed.exec(text)?.[0] ?? ''
/**
 * The last message in one line without formatting marks, and without our signature, because the card shows the
 * sender.
 */
export const lastLine = (text: string, ours: boolean): string =>
  (ours ? text.replace(signed, '$1') : text).replace(/(^|[\s(])([*_~])(?!\2)(\S(?:.*?\S)?)(?<!\2)\2(?=$|[\s).,;:!?])/g, '$1$3')
/** Id of the element that labels the card. */
export const cardId = (id: number): string => `ticket-${id}`

type Last = Pick<
  TicketRow,
  | 'lastMessage'
  | 'lastMessageFromMe'
  | 'lastMessageKind'
  | 'lastMessageDeleted'
  | 'lastMessageUserId'
  | 'lastMessageSender'
  | 'lastMessageElsewhere'
  | 'lastMessageSeconds'
  | 'lastMessageFile'
  | 'isGroup'
>
/**
 * The sender of the last message: the viewer, a named colleague or participant, the company's phone, or an
 * automatic message. null: the contact, whom the card names.
 */
export function speaker(
  { lastMessageFromMe, lastMessageUserId, lastMessageSender, lastMessageElsewhere, isGroup }: Last,
  me: number,
): 'you' | 'phone' | 'system' | (string & {}) | null {
  if (lastMessageElsewhere) return 'phone'
  if (lastMessageFromMe) return lastMessageUserId === me ? 'you' : (lastMessageSender ?? 'system')
  return isGroup ? lastMessageSender : null
}
const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(Math.round(seconds) % 60).padStart(2, '0')}`
/** The text of the last message, or its kind: the length of a voice message, the name of a file. */
export function lastWords({
  lastMessage,
  lastMessageFromMe,
  lastMessageKind: kind,
  lastMessageDeleted,
  lastMessageSeconds,
  lastMessageFile,
}: Last): string {
  if (lastMessageDeleted) return '×'
  const text = lastLine(lastMessage, lastMessageFromMe)
  if (kind === 'audio' && lastMessageSeconds !== null) return `🎤 ${clock(lastMessageSeconds)}`
  if (kind === 'application' && lastMessageFile !== null && text.replace('📎', '').trim() === '') return `📎 ${lastMessageFile}`
  return text
}
