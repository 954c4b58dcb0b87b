import { atom, getDefaultStore } from 'jotai'

let ahead = 0
/** What time it is in the house: its clock may go before this machine's, where it is moved to try things. Milliseconds since 1970. */
export const now = (): number => Date.now() + ahead
export const nowDate = (): Date => new Date(now())

const tick = 20_000
const passing = atom(now())
passing.onMount = (tell) => {
  tell(now())
  const timer = setInterval(() => tell(now()), tick)
  return () => clearInterval(timer)
}
/** The time, for what grows older on the screen. */
export const nowAtom = atom((get) => get(passing))
/** By how much the house is ahead, in milliseconds. */
export const aheadAtom = atom(0)

/** Everything is dated by it from now on. */
export function goAhead(ms: number): void {
  if (ms === ahead) return
  ahead = ms
  const store = getDefaultStore()
  store.set(aheadAtom, ms)
  store.set(passing, now())
}
