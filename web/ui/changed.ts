import type { Static, TObject } from 'typebox'

/** The stored file of a row. In a form another file may replace it, or null remove it. */
export type RowFile = { name: string; path: string }
export type FormFile = File | RowFile | null

/** The changed fields of a form. Only these are sent, so that concurrent edits of other fields are kept. */
export function changed<V extends object>(start: V, now: V): Partial<V> {
  const differs = (name: string) => JSON.stringify(start[name as keyof V] ?? null) !== JSON.stringify(now[name as keyof V] ?? null)
  return Object.fromEntries(Object.entries(now).filter(([name]) => differs(name))) as Partial<V>
}

/** The fields of a row that its form shows. `file` becomes the name and path of the row's or the entry's own file. */
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
