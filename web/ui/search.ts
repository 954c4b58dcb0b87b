import { type Atom, atom, type WritableAtom } from 'jotai'

/** Milliseconds between the last key and the search. */
const pause = 500

/** The text of a search box, and the text to search for once the typing pauses. */
export function typed(): { text: WritableAtom<string, [string], void>; settled: WritableAtom<string, [string], void> } {
  const now = atom('')
  const settled = atom('')
  let timer: ReturnType<typeof setTimeout> | undefined
  const text = atom(
    (get) => get(now),
    (_, set, to: string) => {
      set(now, to)
      clearTimeout(timer)
      timer = setTimeout(() => set(settled, to.trim()), to.trim() === '' ? 0 : pause)
    },
  )
  const both = atom(
    (get) => get(settled),
    (_, set, to: string) => {
      clearTimeout(timer)
      set(now, to)
      set(settled, to.trim())
    },
  )
  return { text, settled: both }
}

/** A search box with results, half a second after the last key. A newer search discards the older. */
export function searching<Found>(of: { find: (wanted: string) => Promise<Found>; none: Found; least?: number }): {
  wanted: WritableAtom<string, [string], void>
  found: Atom<Found>
  busy: Atom<boolean>
} {
  const text = atom('')
  const found = atom<Found>(of.none)
  const busy = atom(false)
  let latest = 0
  const wanted = atom(
    (get) => get(text),
    (_, set, now: string) => {
      const mine = ++latest
      const trimmed = now.trim()
      set(text, now)
      if (trimmed.length < (of.least ?? 1)) {
        set(found, () => of.none)
        set(busy, false)
        return
      }
      set(busy, true)
      const find = async () => {
        if (mine !== latest) return
        const answer = await of.find(trimmed).catch(() => of.none)
        if (mine !== latest) return
        set(found, () => answer)
        set(busy, false)
      }
      setTimeout(() => void find(), pause)
    },
  )
  return { wanted, found, busy }
}
