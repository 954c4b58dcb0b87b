import { isJsonObject } from '../event-store/event-store.ts'

/** Untrusted JSON; any value may be in it. */
export type Json = Record<string, unknown>

export const object = (value: unknown): Json => (isJsonObject(value) ? value : {})
export const list = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])
/** Text that every store accepts. A number is an id without quotes. */
export const text = (value: unknown): string =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : typeof value === 'number' ? String(value) : ''
export const orNull = (value: string): string | null => (value === '' ? null : value)
