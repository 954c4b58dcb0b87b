import { dayMs } from '#domain/duration/rules.ts'
import { nameKey, searchable } from '#domain/text/rules.ts'

export type ExtraField = { name: string; value: string }
type Numbered = ExtraField & { id: number }

export const mostExtraFields = 50
export const longestExtraName = 100
export const longestExtraValue = 2000

/** The title of a column with an extra field, in the languages of the product. It never equals the title of another column. */
const prefix = /^\s*(?:extra|ek)\s*:\s*/i
export const isExtraTitle = (title: string): boolean => prefix.test(title)
/** The name of the extra field that a column with this title holds. */
export const extraName = (title: string): string => title.replace(prefix, '').trim()
export const extraTitle = (name: string, language: string): string => `${language === 'tr' ? 'Ek' : 'Extra'}: ${name}`

/**
 * The extra fields of a contact with imported ones. A new value replaces the only value of its field; a contact that has several, or a
 * table that gives several, keeps all of them.
 */
export function withExtraFields(own: readonly ExtraField[], given: readonly ExtraField[]): Numbered[] {
  const fields = own.map(({ name, value }) => ({ name, value }))
  const isOf = (key: string) => (field: ExtraField) => nameKey(field.name) === key
  for (const field of given) {
    const key = nameKey(field.name)
    const same = fields.filter(isOf(key))
    if (same.some(({ value }) => value === field.value)) continue
    if (same.length === 1 && given.filter(isOf(key)).length === 1) same[0]!.value = field.value
    else fields.push({ ...field })
  }
  return fields.map((field, i) => ({ id: i + 1, ...field }))
}

/* Extra fields of contacts that a company gives a type. Other extra fields are texts. */

export const fieldKinds = ['text', 'number', 'date', 'boolean', 'list'] as const
export type FieldKind = (typeof fieldKinds)[number]
/** `options`: the values of a list. */
export type ContactField = { name: string; kind: FieldKind; options: string[] }

const mostFields = 40
/** The words for a type in the languages of the product. */
const words: Record<FieldKind, readonly string[]> = {
  text: ['text', 'texto', 'metin'],
  number: ['number', 'numero', 'sayi'],
  date: ['date', 'data', 'fecha', 'tarih'],
  boolean: ['yes/no', 'sim/nao', 'si/no', 'evet/hayir'],
  list: ['list', 'lista', 'liste'],
}
const kindOf = (word: string) => fieldKinds.find((kind) => words[kind].includes(searchable(word).trim().replaceAll('ı', 'i')))

/** The fields of the setting: one line for each, such as "Plan: list: Gold, Silver". Null: a line is wrong, or a name comes twice. */
export function parseContactFields(text: string): ContactField[] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const fields = lines.map((line): ContactField | null => {
    const [name = '', word = '', ...rest] = line.split(':').map((part) => part.trim())
    const kind = kindOf(word)
    const options = rest
      .join(':')
      .split(',')
      .map((option) => option.trim())
      .filter((option) => option !== '')
    const isRight = kind && name !== '' && name.length <= longestExtraName && (kind === 'list' ? options.length > 0 : options.length === 0)
    return isRight ? { name, kind, options } : null
  })
  const names = new Set(fields.map((field) => nameKey(field?.name ?? '')))
  if (fields.includes(null) || names.size < fields.length || fields.length > mostFields) return null
  return fields as ContactField[]
}
export const contactFieldsIn = (text: string): ContactField[] => parseContactFields(text) ?? []
export const fieldNamed = (fields: ContactField[], name: string): ContactField | undefined =>
  fields.find((field) => nameKey(field.name) === nameKey(name))

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && dayOf(...(text.split('-').map(Number) as Parts)) === text
/** Whether a value is stored as its type requires: 12.5, 1990-03-01, true, or an option as it is written. No value always is. */
export function isFieldValue({ kind, options }: ContactField, value: string): boolean {
  if (value === '') return true
  if (kind === 'number') return /^-?\d{1,15}(\.\d{1,10})?$/.test(value)
  if (kind === 'date') return isDay(value)
  if (kind === 'boolean') return value === 'true' || value === 'false'
  return kind === 'text' || options.includes(value)
}

type Parts = [year: number, month: number, day: number]
/** A day of the calendar, in no zone. Null: it does not exist. */
function dayOf(...[year, month, day]: Parts): string | null {
  const at = new Date(Date.UTC(year, month - 1, day))
  const isSame = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day
  return isSame && year >= 1000 ? at.toISOString().slice(0, 10) : null
}
/** A spreadsheet counts days; 61 is 1 March 1900. Earlier counts differ between programs. */
const firstSerial = 61
const lastSerial = 2_958_465
const serialZero = Date.UTC(1899, 11, 30)
/** A year alone is no day, although it could be the number of a day in 1905. */
const isYear = (text: string): boolean => /^(19|20)\d\d$/.test(text)

function typedDate(text: string): string | null {
  const serial = /^\d{1,7}(\.\d+)?$/.test(text) && !isYear(text) ? Math.floor(Number(text)) : 0
  if (serial >= firstSerial && serial <= lastSerial) return new Date(serialZero + serial * dayMs).toISOString().slice(0, 10)
  const [date = ''] = text.split(/[T ]/)
  const parts = date.split(/[/.-]/)
  if (parts.length !== 3 || parts.some((part) => !/^\d{1,4}$/.test(part))) return null
  const [a, b, c] = parts.map(Number) as [number, number, number]
  if (parts[0]!.length === 4) return dayOf(a, b, c)
  return parts[2]!.length === 4 ? dayOf(c, b, a) : null // the day comes first
}
/** A number with a decimal point or comma. Null: "1.234" and "1,234" may be a thousand or a little more than one. */
function typedNumber(text: string): string | null {
  const compact = text.replace(/\s/g, '')
  const mark = compact.lastIndexOf('.') > compact.lastIndexOf(',') ? '.' : ','
  const other = mark === '.' ? ',' : '.'
  const isGrouped = /^-?\d{1,3}([.,]\d{3})+([.,]\d+)?$/.test(compact)
  const whole = isGrouped && compact.includes(other) ? compact.replaceAll(other, '') : compact
  if (/^-?\d{1,3}[.,]\d{3}$/.test(compact)) return null
  const repeated = whole.split(mark).length > 2
  const plain = repeated && isGrouped ? whole.replaceAll(mark, '') : whole.replace(mark, '.')
  return /^-?\d{1,15}(\.\d{1,10})?$/.test(plain) ? plain : null
}
const yes = ['true', 'sim', 's', 'yes', 'y', 'si', 'evet', 'e', 'x', '1', 'verdadeiro', 'verdadero', 'dogru']
const no = ['false', 'nao', 'n', 'no', 'hayir', 'h', '0', 'falso', 'yanlis']

/** The stored value of a text that a person or a spreadsheet has written. Null: it does not fit the type. */
export function typedFieldValue({ kind, options }: ContactField, text: string): string | null {
  const written = text.trim()
  if (kind === 'text' || written === '') return text
  if (kind === 'number') return typedNumber(written)
  if (kind === 'date') return typedDate(written)
  if (kind === 'list') return options.find((option) => nameKey(option) === nameKey(written)) ?? null
  const word = searchable(written).replaceAll('ı', 'i')
  return yes.includes(word) ? 'true' : no.includes(word) ? 'false' : null
}
