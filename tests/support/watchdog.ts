import { threadCpuUsage } from 'node:process'

/** The maximum processor time of one turn of the event loop in milliseconds, which does not depend on other load. */
export const longestTurnMs = 500
const tickMs = 20

function usedMs(): number {
  const { user, system } = threadCpuUsage()
  return (user + system) / 1000
}

/**
 * The milliseconds of processor time that a call takes. A virtual machine also counts time that its host gave to
 * others, so a call that seems too long is measured up to three times, and the least counts.
 */
export function computedMs(call: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < 3 && least > longestTurnMs; n++) {
    const before = usedMs()
    call()
    least = Math.min(least, usedMs() - before)
  }
  return least
}

/** Watches the event loop of this thread. `worst` is the longest turn so far, including the running one. */
export function watchEventLoop() {
  let longest = 0
  let before = usedMs()
  function worst(): number {
    const now = usedMs()
    longest = Math.max(longest, now - before)
    before = now
    return longest
  }
  const timer = setInterval(worst, tickMs)
  return {
    worst,
    /** Whether no turn was too long. */
    isFree: () => worst() < longestTurnMs,
    stop: () => {
      clearInterval(timer)
      worst()
    },
  }
}
