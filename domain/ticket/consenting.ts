import { type EventMetadata, effectiveTimeOf } from '#domain/decider.ts'
import { bare, understood } from '#domain/flow/answer.ts'
import { spoken, textIn } from '#domain/flow/texts.ts'
import { closed } from './attendance.ts'
import { answersIn, type Consent } from './consent.ts'
import type { Content, TicketEvent } from './events.ts'
import type { Present } from './ticket.ts'

const rule = 'A-LGPD-01'
/** How often it is asked again after an answer that is none. */
const mostRepeats = 3
/** Who goes on writing has that long to read the text before it is said again. */
const readingMs = 10_000
/** How far a provider's clock may be behind ours. */
const clocksMs = 5 * 60_000

/** What else says nothing but yes, or nothing but no; as they are written without accents. */
const yesWords = [
  's',
  'y',
  'ok',
  'okay',
  'concordo',
  'de acordo',
  'agree',
  'i agree',
  'de acuerdo',
  'estoy de acuerdo',
  'tamam',
  'onayliyorum',
]
const noWords = ['n', 'nao concordo', 'nao quero', 'recuso', 'i decline', 'i disagree', 'no quiero', 'no estoy de acuerdo', 'istemiyorum']
function meant(words: string | null): { choice: number } | undefined {
  const choice = [yesWords, noWords].findIndex((list) => list.includes(bare(words ?? '')))
  return choice < 0 ? undefined : { choice }
}

export type Reply = Pick<Content, 'kind' | 'body'> & Pick<EventMetadata, 'at' | 'occurredAt'>

/** The contact is told; where that is all, it goes on at once. */
export const consentAsked = ({ text, asks }: Consent, times = 1): TicketEvent[] => [
  { type: 'ConsentRequested', times, asks, text, rule },
  ...(asks ? [] : [{ type: 'ConsentGiven' as const, text, answered: false, rule }]),
]

/**
 * What follows from a contact's message while it is asked. After too many that are no answer nothing more is said, and an answer still
 * counts; what was written before the text left is none, and asks for nothing. `wrote`: the revision of that message. `today`: what they
 * would be told now; nothing, where it was switched off or accepted elsewhere, and then it waits for people.
 */
export function consentFrom(ticket: Present, wrote: number, { kind, body, ...stamp }: Reply, today: Consent | undefined): TicketEvent[] {
  if (!ticket.consent) return []
  const { text, times, left } = ticket.consent
  const read = left !== null && wrote > left.revision && !(Date.parse(effectiveTimeOf(stamp)) + clocksMs < Date.parse(left.at))
  const words = read && kind === 'chat' ? body : null
  const ways = spoken.flatMap((language) => [answersIn(language), [textIn(language, 'yes'), textIn(language, 'no')]])
  const answer = ways.map((names) => understood(words, names, null)).find((one) => one !== null) ?? meant(words)
  if (typeof answer === 'object') {
    if (answer.choice === 0) return [{ type: 'ConsentGiven', text, answered: true, rule }]
    return [
      { type: 'ConsentRefused', text, rule },
      { ...closed('consentRefused', false, ticket, null), rule },
    ]
  }
  if (!today) return [{ type: 'TicketReturned', rule }]
  const had = read && left.times === times && Date.parse(stamp.at) - Date.parse(left.at) >= readingMs
  return times <= mostRepeats && (had || !today.asks) ? consentAsked(today, times + 1) : []
}
