import { type EventMetadata, effectiveTimeOf } from '#domain/decider.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import { normalizePlainAnswer, parseAnswer } from '#domain/flow/answer.ts'
import { customerLanguages, textIn } from '#domain/flow/texts.ts'
import { closed } from './attendance.ts'
import { answersIn, type Consent } from './consent.ts'
import type { Content, TicketEvent } from './events.ts'
import type { Present } from './ticket.ts'

const rule = 'A-LGPD-01'
/** How often the request is repeated after an answer that is not understood. */
const mostRepeats = 3
/** The text is not repeated within this time, because the contact may still be reading or typing. */
const readingMs = 10_000
/** The tolerated difference between a provider's clock and ours. */
const clocksMs = 5 * minuteMs

/** Further answers that clearly mean yes or no, as `meant` normalizes them. */
const yesWords = [
  ['s', 'y', 'ok', 'okay', 'ok aceito', 'ok concordo', 'autorizo', 'sim autorizo'],
  ['concordo', 'sim concordo', 'de acordo', 'estou de acordo', 'concordo com os termos', 'li e concordo'],
  ['eu aceito', 'sim aceito', 'aceito sim', 'li e aceito', 'aceito os termos', 'sim aceito os termos', 'li e aceito os termos'],
  ['agree', 'i agree', 'yes i agree', 'i agree to the terms', 'yes i accept', 'i accept the terms', 'i have read and accept'],
  ['de acuerdo', 'estoy de acuerdo', 'si acepto', 'acepto los terminos', 'lei y acepto', 'he leido y acepto', 'si autorizo'],
  ['tamam', 'onayliyorum', 'evet onayliyorum', 'evet kabul ediyorum', 'sartlari kabul ediyorum', 'okudum ve kabul ediyorum'],
  ['izin veriyorum'],
].flat()
const noWords = [
  ['n', 'nao concordo', 'nao quero', 'recuso', 'nao autorizo', 'nao aceito os termos', 'nao concordo com os termos', 'nao nao aceito'],
  ['i decline', 'i disagree', 'i do not agree', 'i do not accept the terms', 'i do not agree to the terms', 'no i do not accept'],
  ['no quiero', 'no estoy de acuerdo', 'no autorizo', 'no acepto los terminos', 'no no acepto'],
  ['istemiyorum', 'onaylamiyorum', 'izin vermiyorum', 'sartlari kabul etmiyorum', 'hayir kabul etmiyorum'],
].flat()
/** The whole answer counts, without accents, emoji, polite words at its end, and punctuation between words. */
function meant(words: string | null): { choice: number } | undefined {
  const answer = normalizePlainAnswer(words ?? '').replace(/[\s,.;!]+/g, ' ')
  const choice = [yesWords, noWords].findIndex((list) => list.includes(answer))
  return choice < 0 ? undefined : { choice }
}

export type Reply = Pick<Content, 'kind' | 'body'> & Pick<EventMetadata, 'at' | 'occurredAt'>

/** Requests consent. If the text needs no answer, the consent counts as given at once. */
export const consentAsked = ({ text, asks }: Consent, times = 1): TicketEvent[] => [
  { type: 'ConsentRequested', times, asks, text, rule },
  ...(asks ? [] : [{ type: 'ConsentGiven' as const, text, answered: false, rule }]),
]

/**
 * Decides about a contact's message while consent is requested. After too many wrong answers nothing more is sent, but an
 * answer still counts. A yes with a thumbs down or a question mark is no answer, nor is a message from before the text was sent. `wrote`: the revision of the message.
 * `today`: the current privacy text; undefined: consent is no longer needed, and the ticket waits for people.
 */
export function consentFrom(ticket: Present, wrote: number, { kind, body, ...metadata }: Reply, today: Consent | undefined): TicketEvent[] {
  if (!ticket.consent) return []
  const { text, times, left } = ticket.consent
  const read = left !== null && wrote > left.revision && !(Date.parse(effectiveTimeOf(metadata)) + clocksMs < Date.parse(left.at))
  const words = read && kind === 'chat' ? body : null
  const ways = customerLanguages.flatMap((language) => [answersIn(language), [textIn(language, 'yes'), textIn(language, 'no')]])
  const answer = ways.map((names) => parseAnswer(words, names, null)).find((one) => one !== null) ?? meant(words)
  const isDoubtful = /👎|[?？]$/u.test(body.trimEnd())
  if (typeof answer === 'object' && !(answer.choice === 0 && isDoubtful)) {
    if (answer.choice === 0) return [{ type: 'ConsentGiven', text, answered: true, rule }]
    return [
      { type: 'ConsentRefused', text, rule },
      { ...closed('consentRefused', false, ticket, null), rule },
    ]
  }
  if (!today) return [{ type: 'TicketReturned', rule }]
  const had = read && left.times === times && Date.parse(metadata.at) - Date.parse(left.at) >= readingMs
  return times <= mostRepeats && (had || !today.asks) ? consentAsked(today, times + 1) : []
}
