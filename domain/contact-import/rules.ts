import { completeNumber, isValidNumber } from '#domain/contact/phone.ts'
import { numberKey } from '#domain/contact/rules.ts'
import { refuse } from '#domain/errors.ts'
import { isDamaged } from './damage.ts'

export type TypedRow = { name: string; number: string; email: string; tags: string }
export type ImportedContact = { name: string; number: string; numberKey: string; email: string; tags: string[] }

const mostTags = 20
/** A spreadsheet shows a long number this way, and its last digits are lost in the file. */
const shortened = /^\s*[+-]?\d+([.,]\d+)?e\+?\d+\s*$/i
const steering = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu
const email = /^[^\s@"(),:;<>[\]\\]+@[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)+$/i
const isWithin = (text: string, least: number, most: number) => text.length >= least && text.length <= most

/** What a row means, with its number completed by the company's country (A-PHONE-02); refused with the reason. */
export function importedContact(row: TypedRow, country: string): ImportedContact {
  if ([row.name, row.number, row.email, row.tags].some(isDamaged)) refuse('ERR_IMPORT_TEXT')
  const name = row.name.replace(steering, ' ').trim()
  if (!isWithin(name, 2, 250) || !/[^\s\p{Cf}]/u.test(name)) refuse('ERR_IMPORT_NAME')
  const typed = row.number.trim()
  if (typed === '') refuse('ERR_IMPORT_NUMBER')
  if (shortened.test(typed)) refuse('ERR_IMPORT_SHORTENED')
  const number = /\p{L}/u.test(typed) ? '' : completeNumber(typed, country)
  if (number.length < 8 || !isValidNumber(number)) refuse('ERR_WAPP_INVALID_CONTACT')
  const address = row.email.trim()
  if (address !== '' && (address.length > 250 || !email.test(address))) refuse('ERR_IMPORT_EMAIL')
  return { name, number, numberKey: numberKey(number), email: address, tags: tagNames(row.tags) }
}

/** The names between commas. Names that differ only in case are one. */
function tagNames(text: string): string[] {
  const names = text
    .split(/[,;]/)
    .map((name) => name.replace(steering, ' ').trim())
    .filter((name) => name !== '')
  const once = [...new Map(names.map((name) => [name.toLowerCase(), name])).values()]
  if (once.length > mostTags || once.some((name) => !isWithin(name, 3, 100))) refuse('ERR_IMPORT_TAG')
  return once
}
