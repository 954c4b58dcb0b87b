import { type Atom, atom, type WritableAtom } from 'jotai'

/** Searches wait this long after the last key. */
const pause = 500

/** What is in the box at once, and what to search for once the typing rests. */
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

/** What is typed is there at once; what is found follows half a second later. A newer search forgets the older. */
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
