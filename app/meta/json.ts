/** Untrusted JSON; any value may be in it. */
export type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
export const object = (value: unknown): Json => (isObject(value) ? value : {})
export const list = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])
/** Text that every store accepts. A number is an id without quotes. */
export const text = (value: unknown): string =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : typeof value === 'number' ? String(value) : ''
export const orNull = (value: string): string | null => (value === '' ? null : value)
