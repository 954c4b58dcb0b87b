import type { Static, TObject } from 'typebox'

/** The fields that were changed in a form: nothing else is sent, so that whoever changed the others meanwhile keeps theirs. */
export function changed<V extends object>(start: V, now: V): Partial<V> {
  const differs = (name: string) => JSON.stringify(start[name as keyof V] ?? null) !== JSON.stringify(now[name as keyof V] ?? null)
  return Object.fromEntries(Object.entries(now).filter(([name]) => differs(name))) as Partial<V>
}

/** What of a row its form shows. */
export const bodyOf = <B extends TObject>({ properties }: B, row: object) =>
  Object.fromEntries(Object.keys(properties).map((name) => [name, row[name as keyof typeof row]])) as Static<B>
