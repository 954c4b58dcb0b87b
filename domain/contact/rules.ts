import { searchable } from '#domain/text/rules.ts'

/** Digits of a number as it is stored and compared. */
export const digits = (number: string): string => number.replace(/\D/g, '')

/** What stands between the digits of a number, also where it was copied from a phone: hyphens of its own, and the marks of a direction. */
export const numberSigns = '+()\\s.\\-\\u2010-\\u2015\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'

/** Whether a search could find out whose a whole number is; none that is stored is shorter. */
export const asksForNumber = (search: string): boolean => !search.trim().startsWith('#') && digits(search).length >= 8

/** A number however it is written; an id of another kind stays as it is. */
export const bareNumber = (text: string): string => (/^[\d\s()+.-]+$/.test(text) ? digits(text) : text)

/** R-PHONE-01: an optional 55 in front, area code 11 to 99, then 8 digits, or 9 that begin with 9; read by Postgres as well. */
export const brazilianDigits = '^(55)?(1[1-9]|[2-9][0-9])(9[0-9]{8}|[0-9]{8})$'
export const brazilian = (number: string): boolean => new RegExp(brazilianDigits).test(digits(number))
/** With the digits of its country: one without `+` that is as long as those of Brazil without theirs is one of them. */
export function withCountry(number: string): string {
  const all = digits(number)
  return !number.includes('+') && all.length <= 11 && brazilian(all) ? `55${all}` : all
}

/** Ids of these are no phone numbers, and always valid (A-PHONE-01). */
export const channelsWithoutNumbers = ['facebook', 'instagram']
/** What somebody without a number is stored under who writes by WhatsApp. */
export const lidEnding = '@lid'
type Numbered = { number: string; channel: string; isGroup: boolean }
/** A contact belongs to a network and is written to on its connections alone; WhatsApp is one, by a phone's session and by the Cloud API. */
export const networkOf = (channel: string): string => (channel === 'whatsappapi' ? 'whatsapp' : channel)
/** Whether one can be chatted with: shown in the list, and a ticket opened with (R-PHONE-02, R-CONTACT-02, A-CONTACT-03). */
export const validNumber = ({ number, channel, isGroup }: Numbered): boolean =>
  isGroup || channelsWithoutNumbers.includes(channel) || number.endsWith(lidEnding) || brazilian(number)

/** Whether a list that is searched so holds the contact; of a number that came masked no part is known (A-LGPD-04). */
export function isCalled({ name, number }: { name: string; number: string }, search: string): boolean {
  const sought = search.trim()
  const part = sought.startsWith('#') ? '' : digits(sought)
  return searchable(name).includes(searchable(sought)) || (part.length >= 4 && !number.includes('*') && number.includes(part))
}

/**
 * One key for the ways a number is written, with and without the Brazilian ninth digit (A-CONTACT-02).
 * What is no Brazilian number keeps its digits; an id that has none (an Instagram one) keeps its text.
 */
export function numberKey(number: string): string {
  const all = digits(number)
  if (all.length === 0) return number
  if (!brazilian(all)) return all
  const local = all.length >= 12 ? all.slice(2) : all
  return `55${local.slice(0, 2)}${local.slice(2).slice(-8)}`
}

/** Whoever has no name is called by the number. */
export const isNumber = (name: string): boolean => !/\p{L}/u.test(name) && digits(name).length >= 7
export const maskedName = (name: string): string => (isNumber(name) ? masked(name) : name)

/** Country and area stay, and the last two digits (A-LGPD-04). */
export function masked(number: string): string {
  const all = digits(number)
  if (all.length < 7) return '*'.repeat(number.length)
  return `${all.slice(0, 4)}${'*'.repeat(all.length - 6)}${all.slice(-2)}`
}
