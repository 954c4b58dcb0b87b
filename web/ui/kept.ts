import { atom, type WritableAtom } from 'jotai'

/** What stays as it is over a reload of this tab; another tab begins afresh. */
export function keptAtom<Value>(name: string, first: Value): WritableAtom<Value, [Value], void> {
  const shelf = typeof sessionStorage === 'undefined' ? null : sessionStorage
  let kept = first
  try {
    kept = (JSON.parse(shelf?.getItem(name) ?? 'null') as Value | null) ?? first
  } catch {
    // what cannot be read any more was of an older version
  }
  const now = atom(kept)
  return atom(
    (get) => get(now),
    (_, set, next: Value) => {
      set(now, next)
      shelf?.setItem(name, JSON.stringify(next))
    },
  )
}
