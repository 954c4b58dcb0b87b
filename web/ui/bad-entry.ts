/** What is typed in an input of the browser that offers only valid values. */
export type EntryType = 'date' | 'time' | 'number'

/** The value of such an input while its text is impossible, such as 31 February. No stored value contains the first character. */
const badEntries = { date: '\u0000date', time: '\u0000time', number: '\u0000number' } as const
export const badEntry = (type: EntryType): string => badEntries[type]
const types = new Map<unknown, EntryType>(Object.entries(badEntries).map(([type, value]) => [value, type as EntryType]))

/** The type of input whose text is impossible; null for every other value. */
export const badEntryType = (value: unknown): EntryType | null => types.get(value) ?? null

/** The paths of the impossible texts in the values of a form, each with its type. */
export function badEntriesIn(values: unknown, path: string[] = []): { path: string; type: EntryType }[] {
  const type = badEntryType(values)
  if (type) return [{ path: path.join('.'), type }]
  if (typeof values !== 'object' || values === null) return []
  return Object.entries(values).flatMap(([key, value]) => badEntriesIn(value, [...path, key]))
}
