import type { TicketRow } from '#domain/ticket/contract.ts'

/** R-INBOX-04: at most so many characters, whole ones. */
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
/** The name that signing put before what was written (A-MSG-01). */
export const signature = (text: string): string => signed.exec(text)?.[0] ?? ''
/** The last message in one line: without our signature, which the card says already, and without the marks of phones. */
export const lastLine = (text: string, ours: boolean): string =>
  (ours ? text.replace(signed, '$1') : text).replace(/(^|[\s(])([*_~])(\S(?:.*?\S)?)\2(?=$|[\s).,;:!?])/g, '$1$3')
/** What names the card's row in the list. */
export const cardId = (id: number): string => `ticket-${id}`
export const untitled = '—'

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
/** Who said the last: the viewer, a colleague or participant by name, whoever had the company's phone, or nobody of us; null where the card's own name says it. */
export function speaker(
  { lastMessageFromMe, lastMessageUserId, lastMessageSender, lastMessageElsewhere, isGroup }: Last,
  me: number,
): 'you' | 'phone' | 'system' | (string & {}) | null {
  if (lastMessageElsewhere) return 'phone'
  if (lastMessageFromMe) return lastMessageUserId === me ? 'you' : (lastMessageSender ?? 'system')
  return isGroup ? lastMessageSender : null
}
const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(Math.round(seconds) % 60).padStart(2, '0')}`
/** What was said, or what kind of thing it was: how long a voice message is, what a file is called. */
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
