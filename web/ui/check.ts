import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'
import type { TSchema } from 'typebox'
import { Errors } from 'typebox/schema'
import { hasHidden } from '#domain/contract.ts'
import { translate } from '#web/i18n.ts'
import { badEntriesIn, type EntryType } from './bad-entry.ts'
import { changed } from './changed.ts'
import { uiWords } from './words.ts'

type Wrong = { keyword: string; instancePath: string; params: object }

/** Rules of a form beyond the body of the call; each returns an error text or null. `stored`: the value of the edited row. */
export type FieldRules = Record<string, (value: unknown, stored?: unknown) => string | null>
/** Error texts for a too short value, in place of the usual one. */
export type Short = Record<string, (n: number) => string>

/**
 * Validates a form by the body of its call. Each field gets its first error in the user's language. `stored`: the
 * values of an edited row; what is unchanged is not sent, so its length and form are not checked (A-VALID-01).
 */
export function check<T extends FieldValues>(
  body: TSchema,
  short: Short = {},
  rules: FieldRules = {},
  stored: object | null = null,
): Resolver<T> {
  return (values) => {
    const isSent = stored === null ? null : new Set(Object.keys(changed(stored, values)))
    const [right, wrongs] = Errors(body as object, values)
    const errors: Record<string, { type: string; message: string }> = {}
    for (const { path, type } of badEntriesIn(values)) errors[path] = { type: 'badEntry', message: badEntryText(type) }
    for (const wrong of right ? [] : (wrongs as Wrong[]).flatMap(perField)) {
      const name = wrong.instancePath.slice(1).replaceAll('/', '.')
      if (name && isSent?.has(name.split('.')[0]!) !== false)
        errors[name] ??= { type: wrong.keyword, message: faultWords(short, body, name, wrong, valueAt(values, name)) }
    }
    for (const [name, rule] of Object.entries(rules)) {
      if (errors[name] && errors[name].type !== 'pattern') continue
      const message = rule(valueAt(values, name), stored === null ? undefined : valueAt(stored as FieldValues, name))
      if (message !== null) errors[name] = { type: 'asked', message }
    }
    if (Object.keys(errors).length === 0) return { values, errors: {} }
    return { values: {}, errors: nested(errors) as FieldErrors<T> }
  }
}

export const badEntryText = (type: EntryType): string =>
  translate(uiWords, ({ date: 'badDate', time: 'badTime', number: 'badNumber' } as const)[type])

/** Nests the errors as the form library expects them, so that it removes the corrected ones. */
function nested<E>(errors: Record<string, E>): Record<string, E | Record<string, E>> {
  const made: Record<string, E | Record<string, E>> = {}
  for (const [name, error] of Object.entries(errors)) {
    const [of = '', inner, ...more] = name.split('.')
    if (inner === undefined || more.length > 0 || /^\d+$/.test(inner)) made[name] = error
    else made[of] = { ...(made[of] as Record<string, E> | undefined), [inner]: error }
  }
  return made
}
function perField(wrong: Wrong): Wrong[] {
  const missing = (wrong.params as { requiredProperties?: string[] }).requiredProperties
  return missing ? missing.map((name) => ({ ...wrong, instancePath: `${wrong.instancePath}/${name}` })) : [wrong]
}
const valueAt = (values: FieldValues, name: string) =>
  name.split('.').reduce<unknown>((at, key) => (at as FieldValues | undefined)?.[key], values)

function faultWords(short: Short, body: TSchema, name: string, { keyword, params }: Wrong, value: unknown): string {
  const { limit = 0, format } = params as { limit?: number; format?: string }
  if (keyword === 'required' || (typeof value === 'string' && value.trim() === '') || value === null || value === undefined)
    return translate(uiWords, 'required')
  const least = keyword === 'minLength' ? limit : padded(body, name, value)
  if (least > 0) return short[name]?.(least) ?? translate(uiWords, 'tooShort', { n: least })
  if (keyword === 'maxLength') return translate(uiWords, 'tooLong', { n: limit })
  if (keyword === 'minimum') return translate(uiWords, 'tooSmall', { n: limit })
  if (keyword === 'maximum') return translate(uiWords, 'tooBig', { n: limit })
  if (keyword === 'pattern' && typeof value === 'string' && hasHidden(value)) return translate(uiWords, 'hiddenLetters')
  if (numeric(body, name))
    return translate(uiWords, Number.isNaN(numberIn(value)) ? 'badNumber' : numberIn(value) < 0 ? 'tooSmall' : 'wholeNumber', { n: 0 })
  return translate(uiWords, format === 'email' ? 'badEmail' : 'badValue')
}
type Field = { type?: string; anyOf?: Field[]; minLength?: number }
const fieldOf = (body: TSchema, name: string) => (body as { properties?: Record<string, Field> }).properties?.[name]
function numeric(body: TSchema, name: string): boolean {
  const field = fieldOf(body, name)
  return [field, ...(field?.anyOf ?? [])].some((one) => one?.type === 'integer' || one?.type === 'number')
}
/** A number as written in four languages: 1,5 is 1.5. */
const numberIn = (value: unknown) => Number(String(value).trim().replace(',', '.'))
/** The error of a number that is stored as text; null if it is a whole number up to `most`. */
export function numberProblem(value: unknown, most: number): string | null {
  const n = numberIn(value)
  if (Number.isNaN(n)) return translate(uiWords, 'badNumber')
  if (n < 0) return translate(uiWords, 'tooSmall', { n: 0 })
  if (n > most) return translate(uiWords, 'tooBig', { n: most })
  return /^\d+$/.test(String(value).trim()) ? null : translate(uiWords, 'wholeNumber')
}
/** The required length if the value reaches it only with surrounding blanks, otherwise 0. */
function padded(body: TSchema, name: string, value: unknown): number {
  const least = fieldOf(body, name)?.minLength ?? 0
  return typeof value === 'string' && value.length >= least && value.trim().length < least ? least : 0
}
