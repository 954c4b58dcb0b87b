import { searchable } from '#domain/text/rules.ts'

/** Digits of a number as it is stored and compared. */
export const digits = (number: string): string => number.replace(/\D/g, '')

/** What stands between the digits of a number, also where it was copied from a phone: hyphens of its own, and the marks of a direction. */
export const numberSigns = '+()\\s.\\-\\u2010-\\u2015\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'

/** Whether a search could find out whose a whole number is; none that is stored is shorter. */
export const asksForNumber = (search: string): boolean => !search.trim().startsWith('#') && digits(search).length >= 8

/** A number however it is written; an id of another kind stays as it is. */
export const bareNumber = (text: string): string => (/^[\d\s()+.-]+$/.test(text) ? digits(text) : text)

/** Ids of these are no phone numbers, and always valid (A-PHONE-01). */
export const channelsWithoutNumbers = ['facebook', 'instagram']
/** What somebody without a number is stored under who writes by WhatsApp. */
export const lidEnding = '@lid'
/** A contact belongs to a network and is written to on its connections alone; WhatsApp is one, by a phone's session and by the Cloud API. */
export const networkOf = (channel: string): string => (channel === 'whatsappapi' ? 'whatsapp' : channel)

/**
 * A mobile number of Brazil, which people and networks write with its ninth digit or without: the local part of eight digits begins with 6
 * to 9. Eight digits that begin with 2 to 5 are a landline, and nine whose second is below 6 were never written shorter (A-PHONE-02).
 */
const optionalNinth = /^(55(?:1[1-9]|[2-9][0-9]))9?([6-9][0-9]{7})$/
/** One key for the ways a whole number is written (A-CONTACT-02); an id that has no digits (an Instagram one) keeps its text. */
export const numberKey = (number: string): string => digits(number).replace(optionalNinth, '$1$2') || number
/** The ways a whole number is written; Postgres says the same as `number_forms`. */
export function numberForms(number: string): string[] {
  const [, area, local] = optionalNinth.exec(number) ?? []
  return local === undefined ? [number] : [`${area}${local}`, `${area}9${local}`]
}
/** Digits that a person looks for: of a number, however it is written, a part or the whole, also with the zeros that are dialled before an area or a country. */
export const soughtDigits = (search: string): string => digits(search).replace(/^0{1,2}(?=[1-9]\d{9})/, '')

/** Whether a list that is searched so holds the contact; of a number that came masked no part is known (A-LGPD-04). */
export function isCalled({ name, number }: { name: string; number: string }, search: string): boolean {
  const sought = search.trim()
  if (searchable(name).includes(searchable(sought))) return true
  const part = sought.startsWith('#') ? '' : soughtDigits(sought)
  return part.length >= 4 && !number.includes('*') && numberForms(number).some((form) => form.includes(part))
}

/** Whoever has no name is called by the number. */
export const isNumber = (name: string): boolean => !/\p{L}/u.test(name) && digits(name).length >= 7
const isPhone = (number: string): boolean => /^\d{8,15}$/.test(number)

/** What tells people apart who have neither a name nor a phone number: the end of the network's id. */
export const neutralEnd = (id: string): string => ` ${id.replace(lidEnding, '').slice(-4)}`
/** What a text to a customer may say of them (A-BOT-10): no number for a name, and no id for a number. */
export function textValues({ name, number }: { name: string; number: string }): { nome: string; numero: string } {
  const neutral = isNumber(name) || name === number || (!isPhone(number) && name.endsWith(neutralEnd(number)))
  return { nome: neutral ? '' : name, numero: isPhone(number) ? number : '' }
}
