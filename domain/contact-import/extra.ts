import { searchable } from '#domain/text/rules.ts'

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

/** The same field, however its name is spelled. */
export const extraKey = (name: string): string => searchable(name.trim().replace(/\s+/g, ' '))

/**
 * The extra fields of a contact with imported ones. A new value replaces the only value of its field; a contact that has several, or a
 * table that gives several, keeps all of them.
 */
export function withExtraFields(own: readonly ExtraField[], given: readonly ExtraField[]): Numbered[] {
  const fields = own.map(({ name, value }) => ({ name, value }))
  const isOf = (key: string) => (field: ExtraField) => extraKey(field.name) === key
  for (const field of given) {
    const key = extraKey(field.name)
    const same = fields.filter(isOf(key))
    if (same.some(({ value }) => value === field.value)) continue
    if (same.length === 1 && given.filter(isOf(key)).length === 1) same[0]!.value = field.value
    else fields.push({ ...field })
  }
  return fields.map((field, i) => ({ id: i + 1, ...field }))
}
