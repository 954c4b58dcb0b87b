import { threadCpuUsage } from 'node:process'

/** The longest that one turn of the event loop may compute, in milliseconds of processor time, so that a busy machine changes nothing. */
export const longestTurnMs = 500
const tickMs = 20

function usedMs(): number {
  const { user, system } = threadCpuUsage()
  return (user + system) / 1000
}

/** The milliseconds of processor time that a call computes. */
export function computedMs(call: () => unknown): number {
  const before = usedMs()
  call()
  return usedMs() - before
}

/** Watches the event loop of this thread; `worst` is the longest turn so far. */
export function watchEventLoop() {
  let worst = 0
  let before = usedMs()
  const timer = setInterval(() => {
    const now = usedMs()
    worst = Math.max(worst, now - before)
    before = now
  }, tickMs)
  return {
    worst: () => worst,
    /** Whether no turn was too long. */
    isFree: () => worst < longestTurnMs,
    stop: () => clearInterval(timer),
  }
}
