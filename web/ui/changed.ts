import type { Static, TObject } from 'typebox'

/** The file of a row, as it stands there; while a form is open another may take its place, or none: null. */
export type RowFile = { name: string; path: string }
export type FormFile = File | RowFile | null

/** The fields that were changed in a form: nothing else is sent, so that whoever changed the others meanwhile keeps theirs. */
export function changed<V extends object>(start: V, now: V): Partial<V> {
  const differs = (name: string) => JSON.stringify(start[name as keyof V] ?? null) !== JSON.stringify(now[name as keyof V] ?? null)
  return Object.fromEntries(Object.entries(now).filter(([name]) => differs(name))) as Partial<V>
}

/** What of a row its form shows; of a file, its own or that of an entry, `file`: its name and address. */
export const bodyOf = <B extends TObject>({ properties }: B, row: object): Static<B> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, { items }]: [string, { items?: TObject }]) => {
      const value = row[name as keyof typeof row] as unknown
      if (name === 'file') return [name, rowFile(row)]
      return [name, items?.properties?.file && Array.isArray(value) ? value.map((one: object) => bodyOf(items, one)) : value]
    }),
  ) as Static<B>
type Filed = { [_ in 'mediaPath' | 'mediaName' | 'path' | 'fileName']?: string | null }
const rowFile = ({ mediaPath, mediaName, path = mediaPath, fileName = mediaName }: Filed): RowFile | null =>
  path ? { path, name: fileName ?? '' } : null
