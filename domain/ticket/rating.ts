import { normalizeDigits, numberIn, withoutSignature } from '#domain/flow/answer.ts'
import { type CustomerLanguage, textIn } from '#domain/flow/texts.ts'
import { searchable } from '#domain/text/rules.ts'
import { closed } from './attendance.ts'
import type { Kind, Media, TicketEvent } from './events.ts'
import type { Present } from './ticket.ts'

const wordsOf = (text: string): Set<string> => new Set(text.split(' '))
/** Words that mark a number as a rating, without accents. */
const gradeWords = wordsOf(
  'nota dou dar avaliacao avalio atendimento servico excelente otimo score rating rate puan puanim veriyorum doy calificacion',
)
/** Words that may follow a rating directly: "10 muito bom", but not "1 produto quebrado". */
const followWords = wordsOf(
  'muito bom boa otimo otima excelente perfeito perfeita show top legal parabens obrigado obrigada obg valeu com sempre pessimo pessima ruim ' +
    'nota estrelas pontos pra para e sem muy bueno buena gracias good great very thanks cok iyi tesekkurler harika',
)
/** A longer message is no rating; in characters. */
const mostAround = 90

/** Returns the rating in an answer: its only whole number from 0 to 10, also as a word (A-NPS-02); null: no rating. */
export function ratingIn(kind: Kind, body: string): number | null {
  if (kind !== 'chat' || body.length > longestText) return null
  const text = withoutSignature(normalizeDigits(body).trim())
  if (text.length > mostAround || /[-−–]\s*\d/u.test(text.replace(/(?<=\d)\s*[-–]/gu, ' '))) return null // negative
  const rated = searchable(text).replace(/(?<=\d)(?:\s?\/\s?10|[.,]0{1,2}| de 10| sobre 10| out of 10)(?!\d)/gu, '')
  const first = leading(rated)
  if (first !== undefined) return first
  const words = rated.match(/[\p{L}\p{N}]+/gu) ?? []
  const digits = words.filter((word) => /\p{N}/u.test(word))
  const given = digits.length > 0 ? digits : words.filter((word) => numberIn(word) !== undefined).slice(-1) // "um dez" is ten
  if (given.length !== 1) return null
  const number = digits.length > 0 ? digitsIn(given[0]!) : numberIn(given[0]!)
  const isGrade = words.some((word) => gradeWords.has(word)) || /^[\p{L} ]{1,40}:\s?\d{1,2}$/u.test(rated) // "Maria: 10"
  return number !== undefined && number <= 10 && (words.length === 1 || isGrade) ? number : null
}
/** The number at the start of an answer, if punctuation, an emoji or praise follows it. "1 produto quebrado" is no rating. */
function leading(rated: string): number | undefined {
  const [, digits, word, sign, next] = /^(?:(\d{1,2})|(\p{L}{3,6}))(\s*[^\p{L}\p{N}\s?])?\s*(\p{L}*)/u.exec(rated) ?? []
  if (rated.includes('?') || (next === '' && sign === undefined)) return undefined
  const number = digits === undefined ? numberIn(word ?? '') : Number(digits)
  const isRating = number !== undefined && number <= 10 && (digits !== undefined || number === 0 || number > 3)
  if (!isRating || (sign === undefined && !followWords.has(next!))) return undefined
  return sign !== undefined && /[.,]/.test(sign) && /^\d/.test(rated.slice((digits ?? word ?? '').length + sign.length))
    ? undefined
    : number // "9,5"
}
/** Longer than any signature with a rating; in characters. */
const longestText = 200
/** "n10" and "nota10" mean ten; "10h" is no number. */
const digitsIn = (word: string): number | undefined => {
  const found = /^(?:n|nota)?(\d{1,4})$/.exec(word)?.[1]
  return found === undefined ? undefined : Number(found)
}

/** Maximum length of small talk in characters (A-NPS-02). */
const mostSmallTalk = 20
/** Words that ask for help; a short message with one of them is no small talk. */
const trouble =
  /\b(nao|ainda|ajuda|socorro|problema|erro|errad[oa]|quebrad[oa]|preciso|quero|urgente|boleto|help|problem|wrong|ayuda|todavia|necesito|yardim|sorun)\b/u
const isSmallTalk = ({ kind, body, media }: Reply): boolean =>
  kind === 'chat' ? body.trim().length <= mostSmallTalk && !/[?؟？]/u.test(body) && !trouble.test(searchable(body)) : isSticker(media)
const isSticker = (media: Media | null): boolean => media?.mime === 'image/webp'
type Reply = { kind: Kind; body: string; media: Media | null; undecryptable?: true }

/** The text of a rating request. Adds the range 0 to 10 if the text does not mention it. */
export const asking = (text: string, language: CustomerLanguage): string =>
  /\b0\s*(a|to|até|ile|-|–)\s*10\b/i.test(text) ? text : `${text.trim()}\n${textIn(language, 'zeroToTen')}`

const unrated = (ticket: Present, why: 'answers' | 'expired'): TicketEvent[] => [
  { type: 'RatingMissed', why, rule: 'A-NPS-02' },
  over(ticket, 'unrated'),
]
const over = (ticket: Present, reason: 'rated' | 'unrated'): TicketEvent => ({
  ...closed(reason, reason === 'rated', ticket, null),
  rule: 'A-NPS-02',
})

/** A message from before the question is no answer to it. */
export const answersIt = ({ rating }: Present, wrote: number): boolean => rating?.asked != null && wrote > rating.asked
/**
 * Reopens the ticket if the customer writes before the question is sent, or answers with neither a rating nor small talk.
 * A call reopens nothing.
 */
export function goesOn({ status, rating, userId, queueId }: Present, reply: Reply) {
  if (status !== 'nps' || !rating || reply.kind === 'call_log' || userId === null || queueId === null) return []
  if (rating.asked !== null && (reply.undecryptable || ratingIn(reply.kind, reply.body) !== null || isSmallTalk(reply))) return []
  return [{ type: 'TicketReopened' as const, userId, queueId, rule: 'A-NPS-02' }]
}

/** Decides about an answer to the rating request: a rating, a repeated request or giving up. */
export function ratingFrom(ticket: Present, kind: Kind, body: string, most: number): TicketEvent[] {
  const given = ratingIn(kind, body)
  if (given !== null) return [{ type: 'TicketRated', rating: given }, over(ticket, 'rated')]
  const times = (ticket.rating?.times ?? 0) + 1
  return times > most ? unrated(ticket, 'answers') : [{ type: 'RatingRequested', times, rule: 'A-NPS-02' }]
}
export const ratingExpired = (ticket: Present): TicketEvent[] => unrated(ticket, 'expired')
