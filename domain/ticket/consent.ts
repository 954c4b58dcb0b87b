import type { WithMetadata } from '#domain/decider.ts'
import { type CustomerLanguage, textIn } from '#domain/flow/texts.ts'
import type { TicketEvent } from './events.ts'

/** The privacy text for a contact: its SHA-256, and whether it requires an answer. */
export type Consent = { text: string; asks: boolean }
/**
 * The last consent request. `first`: the revision of the contact's message that caused it; `given`: the revision of the
 * consent; `requestId`: the message that contains the text.
 */
export type ConsentAsked = {
  text: string
  times: number
  first: number
  given: number | null
  requestId: number | null
  left: ConsentDispatch | null
}
/** The last dispatch of the text, and its count. A message from before it is no answer. */
type ConsentDispatch = { revision: number; at: string; times: number }
type ConsentContext = { consent: ConsentAsked | null; revision: number; status: string }

export const answersIn = (language: CustomerLanguage): string[] => [textIn(language, 'accepts'), textIn(language, 'declines')]

/** The text with its link and, if consent is required, the two answers; null: no text is configured. */
export function consentText(message: string, link: string, asks: boolean, language: CustomerLanguage): string | null {
  const notice = [message.trim(), link.trim()].filter((part) => part !== '').join('\n')
  if (notice === '') return null
  const lines = answersIn(language).map((answer, i) => `*[ ${i + 1} ]* - ${answer}`)
  return asks ? `${notice}\n\n${lines.join('\n')}` : notice
}

export function nextConsent({ consent, revision, status }: ConsentContext, event: WithMetadata<TicketEvent>): ConsentAsked | null {
  switch (event.type) {
    case 'ConsentRequested': {
      const { text, times } = event
      const before = times === 1 ? null : consent
      const left = before?.text === text ? before.left : null
      return { text, times, first: before?.first ?? revision - 1, given: null, requestId: null, left }
    }
    case 'ConsentGiven':
      return consent && { ...consent, given: revision }
    case 'MessageSent': {
      const tells = status === 'lgpd' && consent?.requestId === null && event.by.kind === 'system' && !event.aside && !event.private
      return tells ? { ...consent, requestId: event.messageId } : consent
    }
    case 'MessageDispatched': {
      const leaves = consent && event.messageId === consent.requestId && consent.left?.times !== consent.times
      return leaves ? { ...consent, left: { revision, at: event.at, times: consent.times } } : consent
    }
    default:
      return consent
  }
}

/** Whether a message came before the consent. After it the bot handles the first one; the others were answers to the request. */
export const awaitsConsent = ({ consent, status }: Pick<ConsentContext, 'consent' | 'status'>, revision: number): boolean =>
  consent !== null && revision >= consent.first && (consent.given === null ? status === 'lgpd' : revision < consent.given)
