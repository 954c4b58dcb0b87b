/** Merges another user's changes into an open form: edited fields keep their values, the others take the new ones. */
export function mergeEdits<V extends object>(
  start: V,
  theirs: V,
  mine: V,
): { taken: (keyof V & string)[]; clashing: (keyof V & string)[] } {
  const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
  const changed = (Object.keys(start) as (keyof V & string)[]).filter((name) => !same(start[name], theirs[name]))
  const untouched = (name: keyof V) => same(mine[name], start[name]) || same(mine[name], theirs[name])
  return { taken: changed.filter(untouched), clashing: changed.filter((name) => !untouched(name)) }
}
