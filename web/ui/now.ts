import { atom, getDefaultStore } from 'jotai'

let ahead = 0
/** The current simulated time, which the sandbox may move ahead of the system clock. Milliseconds since 1970. */
export const now = (): number => Date.now() + ahead
export const nowDate = (): Date => new Date(now())

const tick = 20_000
const passing = atom(now())
passing.onMount = (tell) => {
  tell(now())
  const timer = setInterval(() => tell(now()), tick)
  return () => clearInterval(timer)
}
/** The current time, for ages on the screen. */
export const nowAtom = atom((get) => get(passing))
/** How far the simulated clock is ahead, in milliseconds. */
export const aheadAtom = atom(0)

/** Sets how far the simulated clock is ahead. */
export function goAhead(ms: number): void {
  if (ms === ahead) return
  ahead = ms
  const store = getDefaultStore()
  store.set(aheadAtom, ms)
  store.set(passing, now())
}
