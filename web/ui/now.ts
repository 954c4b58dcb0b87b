import { atom, getDefaultStore } from 'jotai'
import { createClockDifference } from './clock-difference.ts'

const difference = createClockDifference()
let ahead = 0
/**
 * The current time of the server, whatever the clock of this device says, with the simulated time that the sandbox may add.
 * Milliseconds since 1970.
 */
export const now = (): number => Date.now() + difference.ms() + ahead
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

/** Notes the server's time in an answer (its Date header) and when the request was sent by the clock of this device. */
export function noteServerTime(date: string | null, sentAt: number): void {
  if (difference.note(date, sentAt, Date.now())) getDefaultStore().set(passing, now())
}
