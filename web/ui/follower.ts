import { type Atom, atom, type WritableAtom } from 'jotai'

/** `value` belongs to `key`; while the next key loads, the last value stays. */
export type Followed<T> = { key: string | null; value: T | null; error: unknown }

/**
 * Loads the newest wanted key. Keys that are replaced before their turn are skipped, so that a slider may move faster than the server
 * answers. Null forgets the value.
 */
export function createFollower<T>(
  load: (key: string) => Promise<T>,
): Atom<Followed<T>> & { follow: WritableAtom<null, [string | null], Promise<void>> } {
  const nothing: Followed<T> = { key: null, value: null, error: null }
  const state = atom(nothing)
  let wanted: string | null = null
  let isLoading = false
  const follow = atom(null, async (get, set, key: string | null) => {
    wanted = key
    if (key === null) return set(state, nothing)
    if (isLoading) return
    isLoading = true
    while (wanted !== null && (wanted !== get(state).key || get(state).error !== null)) {
      const current: string = wanted
      const loaded = await load(current).then(
        (value) => ({ key: current, value, error: null }),
        (error: unknown) => ({ key: current, value: null, error }),
      )
      if (wanted === null) break
      set(state, loaded)
      if (loaded.error !== null && wanted === current) break
    }
    isLoading = false
  })
  return Object.assign(
    atom((get) => get(state)),
    { follow },
  )
}
