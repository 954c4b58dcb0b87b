import { bare, numberIn } from '#domain/flow/answer.ts'
import { type Spoken, textIn } from '#domain/flow/texts.ts'
import { closed } from './attendance.ts'
import type { Kind, TicketEvent } from './events.ts'
import type { Present } from './ticket.ts'

/** What people put before and behind the number they give. */
const graded = /^(?:(?:a )?(?:minha )?(?:nota e|nota|rating|score|puan|puanim) ?:? ?)?(.+?)(?: ?\/ ?10)?$/u

/** The number that an answer gives: the first whole one from 0 to 10 in a short message, or one in words (A-NPS-02); null: it gives none. */
export function ratingIn(kind: Kind, body: string): number | null {
  const text = body.normalize('NFKC').trim()
  if (kind !== 'chat' || /[-−–]\s*\d/u.test(text)) return null // a minus is no mark around it
  const digits = text.length <= 3 ? /\d+/.exec(text)?.[0] : undefined
  const given = digits !== undefined ? Number(digits) : numberIn(graded.exec(bare(text))?.[1] ?? '')
  return given !== undefined && given <= 10 ? given : null
}

/** The text that asks for it; that it is a number from 0 to 10 is said where the text does not. */
export const asking = (text: string, language: Spoken): string =>
  /\b0\s*(a|to|até|ile|-|–)\s*10\b/i.test(text) ? text : `${text.trim()}\n${textIn(language, 'zeroToTen')}`

const unrated = (ticket: Present, why: 'answers' | 'expired'): TicketEvent[] => [
  { type: 'RatingMissed', why, rule: 'A-NPS-02' },
  over(ticket, 'unrated'),
]
const over = (ticket: Present, reason: 'rated' | 'unrated'): TicketEvent => ({
  ...closed(reason, reason === 'rated', ticket, null),
  rule: 'A-NPS-02',
})

/** What was written before the question was said is no answer to it. */
export const answersIt = ({ rating }: Present, wrote: number): boolean => rating?.asked != null && wrote > rating.asked
/** Who goes on writing before it is said goes on with whom they were served by; a call says nothing. */
export function unasked({ status, rating, userId, queueId }: Present, kind: Kind) {
  if (status !== 'nps' || !rating || rating.asked !== null || kind === 'call_log' || userId === null || queueId === null) return []
  return [{ type: 'TicketReopened' as const, userId, queueId, rule: 'A-NPS-02' }]
}

/** What follows from a contact's message while it is asked to rate: the rating, the question once more, or giving up. */
export function ratingFrom(ticket: Present, kind: Kind, body: string, most: number): TicketEvent[] {
  const nps = ratingIn(kind, body)
  if (nps !== null) return [{ type: 'TicketRated', nps }, over(ticket, 'rated')]
  const times = (ticket.rating?.times ?? 0) + 1
  return times > most ? unrated(ticket, 'answers') : [{ type: 'RatingRequested', times, rule: 'A-NPS-02' }]
}
export const ratingExpired = (ticket: Present): TicketEvent[] => unrated(ticket, 'expired')
