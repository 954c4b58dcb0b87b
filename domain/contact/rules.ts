import { channels, isChannel } from '#domain/channel/channels.ts'
import type { ExtraField } from '#domain/contact-field/rules.ts'
import { nameKey } from '#domain/text/rules.ts'

/** The digits of a number, as it is stored and compared. */
export const digits = (number: string): string => number.replace(/\D/g, '')

/** Characters that may separate the digits of a number; text copied from a phone has special hyphens and direction marks. */
export const numberSigns = '+()\\s.\\-\\u2010-\\u2015\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'

/** Whether a search could reveal the owner of a complete number. Stored numbers have at least 8 digits. */
export const asksForNumber = (search: string): boolean => !search.trim().startsWith('#') && digits(search).length >= 8

/** Reduces a number in any notation to its digits; other ids stay unchanged. */
export const bareNumber = (text: string): string => (/^[\d\s()+.-]+$/.test(text) ? digits(text) : text)

/** Whether people have phone numbers on a channel or network. Other ids are always valid (A-PHONE-01). */
export const hasPhoneNumbers = (channel: string): boolean => !isChannel(channel) || channels[channel].identity === 'phone'
/** The ending of the id under which a WhatsApp contact without a number is stored. */
export const lidEnding = '@lid'
/** The network of contacts that are created by their phone number. */
export const phoneNetwork = 'whatsapp'
/** The network of a channel; a contact can be reached on its network only. Phone sessions and Cloud API share WhatsApp. */
export const networkOf = (channel: string): string => (isChannel(channel) ? channels[channel].network : channel)

/**
 * A Brazilian mobile number, with or without its ninth digit: the eight-digit local part begins with 6 to 9.
 * Eight digits that begin with 2 to 5 are a landline (A-PHONE-02).
 */
const optionalNinth = /^(55(?:1[1-9]|[2-9][0-9]))9?([6-9][0-9]{7})$/
/** A number of Mexico, or a mobile number of Argentina, with or without the digit that WhatsApp writes after the country. */
const optionalMobile = [
  { pattern: /^(52)1?(\d{10})$/, digit: '1' },
  { pattern: /^(54)9?(\d{10})$/, digit: '9' },
]
const optionalDigits = [{ pattern: optionalNinth, digit: '9' }, ...optionalMobile]
/** One key for all forms of a complete number (A-CONTACT-02). An id without digits, such as an Instagram id, stays. */
export const numberKey = (number: string): string =>
  optionalDigits.reduce((key, { pattern }) => key.replace(pattern, '$1$2'), digits(number)) || number
/** All forms of a complete number. The SQL function `number_forms` does the same. */
export function numberForms(number: string): string[] {
  for (const { pattern, digit } of optionalDigits) {
    const [, before, after] = pattern.exec(number) ?? []
    if (after !== undefined) return [`${before}${after}`, `${before}${digit}${after}`]
  }
  return [number]
}
/** The digits of a search for a number or a part of it, without the zeros of a dialling prefix. */
export const soughtDigits = (search: string): string => digits(search).replace(/^0{1,2}(?=[1-9]\d{9})/, '')

/** Whether a contact matches a search. A masked number matches no digits (A-LGPD-04). */
export function isCalled({ name, number }: { name: string; number: string }, search: string): boolean {
  const searched = search.trim()
  if (nameKey(name).includes(nameKey(searched))) return true
  const part = searched.startsWith('#') ? '' : soughtDigits(searched)
  return part.length >= 4 && !number.includes('*') && numberForms(number).some((form) => form.includes(part))
}

/** Whether a name is a number, as for a contact without a name. */
export const isNumber = (name: string): boolean => !/\p{L}/u.test(name) && digits(name).length >= 7
/** Whether a name has a letter or a digit. Customers also name themselves ".", "~" or by an emoji only. */
const isReadable = (name: string): boolean => /[\p{L}\p{N}]/u.test(name)
const isPhone = (number: string): boolean => /^\d{8,15}$/.test(number)

/** The end of the network id, which distinguishes people without a name and a phone number. */
export const neutralEnd = (id: string): string => ` ${id.replace(lidEnding, '').slice(-4)}`
export type TextValues = { nome: string; 'primeiro nome': string; numero: string }
/** The variables for a text to a customer (A-BOT-10). A number is never used as the name, nor an id as the number. */
export function textValues({ name, number }: { name: string; number: string }): TextValues {
  const neutral = !isReadable(name) || isNumber(name) || name === number || (!isPhone(number) && name.endsWith(neutralEnd(number)))
  const nome = neutral ? '' : name
  return { nome, 'primeiro nome': nome.trim().split(/\s+/)[0]!, numero: isPhone(number) ? number : '' }
}

/** Whose values of an extra field stay after a merge (A-MERGE-02). */
export type MergeChoice = { name: string; keep: 'source' | 'target' | 'both' }
export const hasField = (list: ExtraField[], one: ExtraField): boolean =>
  list.some((other) => other.name === one.name && other.value === one.value)
/** The names of the extra fields of which two contacts have values, and not the same. */
export function conflictingFields(target: { extraInfo: ExtraField[] }, source: { extraInfo: ExtraField[] }): string[] {
  const names = [...new Set(source.extraInfo.map(({ name }) => name))].filter((name) => target.extraInfo.some((own) => own.name === name))
  const lacks = (a: ExtraField[], b: ExtraField[], name: string) => a.some((one) => one.name === name && !hasField(b, one))
  return names.filter((name) => lacks(source.extraInfo, target.extraInfo, name) || lacks(target.extraInfo, source.extraInfo, name))
}
