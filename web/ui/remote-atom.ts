import { type Atom, atom, type WritableAtom } from 'jotai'
import { againAfter, isTransient } from '#web/transient.ts'

export type Loaded<T> = { state: 'loading' } | { state: 'failed'; error: unknown } | { state: 'ready'; value: T }

/**
 * Data that loads on first use. `reload` keeps the old value until the answer. After a transient error it retries
 * while something shows it.
 */
export function createRemoteAtom<T>(load: () => Promise<T>): Atom<Loaded<T>> & { reload: WritableAtom<null, [], Promise<void>> } {
  const now = atom<Loaded<T>>({ state: 'loading' })
  let again: (() => void) | null = null
  let waits: ReturnType<typeof setTimeout> | undefined
  const ask = atom(null, async (get, set) => {
    clearTimeout(waits)
    try {
      set(now, { state: 'ready', value: await load() })
    } catch (error) {
      if (!isTransient(error)) return set(now, { state: 'failed', error })
      if (get(now).state !== 'ready') set(now, { state: 'failed', error })
      if (again) waits = setTimeout(again, againAfter)
    }
  })
  const reload = atom(null, (get, set) => {
    if (get(now).state === 'failed') set(now, { state: 'loading' })
    return set(ask)
  })
  const loadedAtom = atom(
    (get) => get(now),
    (_, set, first: boolean) => void set(first ? reload : ask),
  )
  loadedAtom.onMount = (start) => {
    again = () => start(false)
    start(true)
    return () => {
      clearTimeout(waits)
      again = null
    }
  }
  return Object.assign(loadedAtom, { reload })
}
