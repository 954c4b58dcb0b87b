import { type Spoken, textIn } from '#domain/flow/texts.ts'
import type { TicketEvent } from './events.ts'

/** What a contact is told about their data before anything else: the sha256 of that text, and whether it asks for an answer. */
export type Consent = { text: string; asks: boolean }
/** What a contact was last told. `first`: the revision of the message that it was for; `given`: that of the fact that they accepted it. */
export type Told = { text: string; times: number; first: number; given: number | null }
type Standing = { consent: Told | null; revision: number; status: string }

export const answersIn = (language: Spoken): string[] => [textIn(language, 'accepts'), textIn(language, 'declines')]

/** The text with its link and, where it asks, the two answers; null: there is nothing to tell. */
export function consentText(message: string, link: string, asks: boolean, language: Spoken): string | null {
  const told = [message.trim(), link.trim()].filter((part) => part !== '').join('\n')
  if (told === '') return null
  const lines = answersIn(language).map((answer, i) => `*[ ${i + 1} ]* - ${answer}`)
  return asks ? `${told}\n\n${lines.join('\n')}` : told
}

export function consentAfter({ consent, revision }: Pick<Standing, 'consent' | 'revision'>, event: TicketEvent): Told | null {
  if (event.type === 'ConsentGiven') return consent && { ...consent, given: revision }
  if (event.type !== 'ConsentRequested') return consent
  const first = event.times === 1 || !consent ? revision - 1 : consent.first
  return { text: event.text, times: event.times, first, given: null }
}

/** Whether a message was written before the contact accepted: the first of them is dealt with then, and the others were answers. */
export const heldBack = ({ consent, status }: Pick<Standing, 'consent' | 'status'>, revision: number): boolean =>
  consent !== null && revision >= consent.first && (consent.given === null ? status === 'lgpd' : revision < consent.given)
