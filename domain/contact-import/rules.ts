import { completeNumber, isValidEntry } from '#domain/contact/phone.ts'
import { hasPhoneNumbers, numberKey } from '#domain/contact/rules.ts'
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
import { singleSpaced } from '#domain/text/rules.ts'
import { isDamaged } from './damage.ts'

/** `hasNameParts`: the name is from columns for its parts, so that some of it may be missing. */
type Named = { name: string; hasNameParts?: boolean }
/** `channel`: of a contact that this product has exported. */
export type TypedRow = Named & { number: string; email: string; tags: string; extra: ExtraField[]; channel?: string }
export type ImportedContact = Named & { number: string; numberKey: string; email: string; tags: string[]; extra: ExtraField[] }

const mostTags = 20
/** A spreadsheet shows a long number this way, and its last digits are lost in the file. */
const shortened = /^\s*[+-]?\d+([.,]\d+)?e\+?\d+\s*$/i
const steering = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu
const email = /^[^\s@"(),:;<>[\]\\]+@[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)+$/i
/** The ids of groups of WhatsApp, and of people whose number it does not give. */
const withoutPhone = /^\s*\+?(120363\d{9,13}|\d{10,15}-\d{10})(@g\.us)?\s*$|@lid\s*$/
const isWithin = (text: string, least: number, most: number) => text.length >= least && text.length <= most

/** What a row means, with its number completed by the company's country (A-PHONE-02); refused with the reason. */
export function importedContact(row: TypedRow, country: string, fields: ContactField[] = []): ImportedContact {
  const extra = row.extra.filter(({ value }) => value.trim() !== '')
  const texts = extra.flatMap(({ name, value }) => [name, value])
  if ([row.name, row.number, row.email, row.tags, ...texts].some(isDamaged)) refuse('ERR_IMPORT_TEXT')
  const name = singleSpaced(row.name.replace(steering, ' '))
  if (!isWithin(name, 2, 250) || !/[^\s\p{Cf}]/u.test(name)) refuse('ERR_IMPORT_NAME')
  if (withoutPhone.test(row.number) || !hasPhoneNumbers(row.channel ?? '')) refuse('ERR_IMPORT_NO_PHONE')
  const number = validNumber(row.number, country)
  const address = severalValues(row.email)[0] ?? ''
  if (address !== '' && (address.length > 250 || !email.test(address))) refuse('ERR_IMPORT_EMAIL')
  const isTooLong = extra.some((field) => field.name.length > longestExtraName || field.value.length > longestExtraValue)
  if (isTooLong || extra.length > mostExtraFields) refuse('ERR_IMPORT_EXTRA')
  return {
    name,
    ...(row.hasNameParts && { hasNameParts: true }),
    number,
    numberKey: numberKey(number),
    email: address,
    tags: tagNames(row.tags),
    extra: extra.map((field) => typedExtra(fields, field)),
  }
}

/** The values of a cell. Google Contacts joins several by colons. */
const severalValues = (cell: string): string[] =>
  cell
    .split(':::')
    .map((value) => value.trim())
    .filter((value) => value !== '')

/** The first valid number of a cell, completed. */
function validNumber(cell: string, country: string): string {
  const typed = severalValues(cell)
  if (typed.length === 0) refuse('ERR_IMPORT_NUMBER')
  const complete = typed.filter((one) => !/\p{L}/u.test(one)).map((one) => ({ one, number: completeNumber(one, country) }))
  const isShortened = typed.some((one) => shortened.test(one))
  return (
    complete.find(({ one, number }) => isValidEntry(one, number))?.number ??
    refuse(isShortened ? 'ERR_IMPORT_SHORTENED' : 'ERR_WAPP_INVALID_CONTACT')
  )
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

/** The labels of Google Contacts: those that it gives every contact are left out. */
const googleLabels = (text: string): string[] =>
  severalValues(text)
    .filter((name) => !/^\* *(my ?contacts|starred)$/i.test(name))
    .map((name) => name.replace(/^\* */, ''))

/** The names between commas. Names that differ only in case are one. */
function tagNames(text: string): string[] {
  const isGoogle = text.includes(':::') || text.trim().startsWith('* ')
  const names = (isGoogle ? googleLabels(text) : parts(text))
    .map((part) => unquoted(part.replace(steering, ' ').trim()).trim())
    .filter((name) => name !== '')
  const once = [...new Map(names.map((name) => [name.toLowerCase(), name])).values()]
  if (once.length > mostTags || once.some((name) => !isWithin(name, 3, 100))) refuse('ERR_IMPORT_TAG')
  return once
}
