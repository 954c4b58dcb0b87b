import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'
import type { TSchema } from 'typebox'
import { Errors } from 'typebox/schema'
import { say } from '#web/i18n.ts'
import { uiWords } from './words.ts'

type Wrong = { keyword: string; instancePath: string; params: object }

/** The body of a call decides what a form accepts; what is wrong is said in the user's words, the first of it per field. */
export function check<T extends FieldValues>(body: TSchema): Resolver<T> {
  return (values) => {
    const [right, wrongs] = Errors(body as object, values)
    if (right) return { values, errors: {} }
    const errors: Record<string, { type: string; message: string }> = {}
    for (const wrong of (wrongs as Wrong[]).flatMap(perField)) {
      const name = wrong.instancePath.slice(1).replaceAll('/', '.')
      if (name) errors[name] ??= { type: wrong.keyword, message: told(wrong, valueAt(values, name)) }
    }
    return { values: {}, errors: errors as FieldErrors<T> }
  }
}

function perField(wrong: Wrong): Wrong[] {
  const missing = (wrong.params as { requiredProperties?: string[] }).requiredProperties
  return missing ? missing.map((name) => ({ ...wrong, instancePath: `${wrong.instancePath}/${name}` })) : [wrong]
}
const valueAt = (values: FieldValues, name: string) =>
  name.split('.').reduce<unknown>((at, key) => (at as FieldValues | undefined)?.[key], values)

function told({ keyword, params }: Wrong, value: unknown): string {
  const { limit = 0, format } = params as { limit?: number; format?: string }
  if (keyword === 'required' || (typeof value === 'string' && value.trim() === '') || value === null || value === undefined)
    return say(uiWords, 'required')
  if (keyword === 'minLength') return say(uiWords, 'tooShort', { n: limit })
  if (keyword === 'maxLength') return say(uiWords, 'tooLong', { n: limit })
  if (keyword === 'minimum') return say(uiWords, 'tooSmall', { n: limit })
  if (keyword === 'maximum') return say(uiWords, 'tooBig', { n: limit })
  return say(uiWords, format === 'email' ? 'badEmail' : 'badValue')
}
