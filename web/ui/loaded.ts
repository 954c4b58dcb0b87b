import { type Atom, atom, type WritableAtom } from 'jotai'

export type Loaded<T> = { state: 'loading' } | { state: 'failed'; error: unknown } | { state: 'ready'; value: T }

/** Something asked for once, when it is first shown; `reload` asks again and keeps what is there until the answer. */
export function loaded<T>(load: () => Promise<T>): Atom<Loaded<T>> & { reload: WritableAtom<null, [], Promise<void>> } {
  const now = atom<Loaded<T>>({ state: 'loading' })
  const reload = atom(null, async (get, set) => {
    if (get(now).state === 'failed') set(now, { state: 'loading' })
    try {
      set(now, { state: 'ready', value: await load() })
    } catch (error) {
      set(now, { state: 'failed', error })
    }
  })
  const shown = atom(
    (get) => get(now),
    (_, set) => void set(reload),
  )
  shown.onMount = (start) => start()
  return Object.assign(shown, { reload })
}
