import { completeNumber, isValidEntry } from '#domain/contact/phone.ts'
import { numberKey } from '#domain/contact/rules.ts'
import {
  type ContactField,
  type ExtraField,
  fieldNamed,
  longestExtraName,
  longestExtraValue,
  mostExtraFields,
  typedFieldValue,
} from '#domain/contact-field/rules.ts'
import { refuse } from '#domain/errors.ts'
import { isDamaged } from './damage.ts'

export type TypedRow = { name: string; number: string; email: string; tags: string; extra: ExtraField[] }
export type ImportedContact = { name: string; number: string; numberKey: string; email: string; tags: string[]; extra: ExtraField[] }

const mostTags = 20
/** A spreadsheet shows a long number this way, and its last digits are lost in the file. */
const shortened = /^\s*[+-]?\d+([.,]\d+)?e\+?\d+\s*$/i
const steering = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu
const email = /^[^\s@"(),:;<>[\]\\]+@[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)+$/i
const isWithin = (text: string, least: number, most: number) => text.length >= least && text.length <= most

/** What a row means, with its number completed by the company's country (A-PHONE-02); refused with the reason. */
export function importedContact(row: TypedRow, country: string, fields: ContactField[] = []): ImportedContact {
  const extra = row.extra.filter(({ value }) => value.trim() !== '')
  const texts = extra.flatMap(({ name, value }) => [name, value])
  if ([row.name, row.number, row.email, row.tags, ...texts].some(isDamaged)) refuse('ERR_IMPORT_TEXT')
  const name = row.name.replace(steering, ' ').trim()
  if (!isWithin(name, 2, 250) || !/[^\s\p{Cf}]/u.test(name)) refuse('ERR_IMPORT_NAME')
  const typed = row.number.trim()
  if (typed === '') refuse('ERR_IMPORT_NUMBER')
  if (shortened.test(typed)) refuse('ERR_IMPORT_SHORTENED')
  const number = /\p{L}/u.test(typed) ? '' : completeNumber(typed, country)
  if (!isValidEntry(typed, number)) refuse('ERR_WAPP_INVALID_CONTACT')
  const address = row.email.trim()
  if (address !== '' && (address.length > 250 || !email.test(address))) refuse('ERR_IMPORT_EMAIL')
  const isTooLong = extra.some((field) => field.name.length > longestExtraName || field.value.length > longestExtraValue)
  if (isTooLong || extra.length > mostExtraFields) refuse('ERR_IMPORT_EXTRA')
  return {
    name,
    number,
    numberKey: numberKey(number),
    email: address,
    tags: tagNames(row.tags),
    extra: extra.map((field) => typedExtra(fields, field)),
  }
}

/** The extra field with its value as its type stores it. */
function typedExtra(fields: ContactField[], { name, value }: ExtraField): ExtraField {
  const field = fieldNamed(fields, name)
  return field ? { name: field.name, value: typedFieldValue(field, value) ?? refuse('ERR_CONTACT_FIELD') } : { name, value }
}

/** The tags as one text. A name that contains a separator is written in quotation marks. */
export const writtenTags = (names: string[]): string =>
  names.map((name) => (/[,;"]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(', ')
/** The parts of a text between commas and semicolons, except within quotation marks. */
function parts(text: string): string[] {
  const found: string[] = []
  let part = ''
  let isQuoted = false
  for (const one of text) {
    if (one === '"' && (isQuoted || part.trim() === '')) isQuoted = !isQuoted
    else if (!isQuoted && (one === ',' || one === ';')) {
      found.push(part)
      part = ''
      continue
    }
    part += one
  }
  return [...found, part]
}
/** A part without the quotation marks around it. */
const unquoted = (part: string): string =>
  part.length > 1 && part.startsWith('"') && part.endsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part

/** The names between commas. Names that differ only in case are one. */
function tagNames(text: string): string[] {
  const names = parts(text)
    .map((part) => unquoted(part.replace(steering, ' ').trim()).trim())
    .filter((name) => name !== '')
  const once = [...new Map(names.map((name) => [name.toLowerCase(), name])).values()]
  if (once.length > mostTags || once.some((name) => !isWithin(name, 3, 100))) refuse('ERR_IMPORT_TAG')
  return once
}
