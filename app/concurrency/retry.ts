import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Unavailable } from '#app/event-store/event-store.ts'

/** The promise, or Unavailable when it has not settled in time. */
export async function withTimeout<T>(promise: Promise<T>, ms: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unavailable(`${what} took more than ${ms} ms`)), ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** Growing waits with jitter, so that many callers do not come back at the same moment. */
export function createBackoff(first: number, most: number) {
  let ms = first
  return {
    reset: () => {
      ms = first
    },
    pause: async (signal?: AbortSignal) => {
      const wait = ms * (0.5 + Math.random())
      ms = Math.min(ms * 2, most)
      await sleep(wait, undefined, signal ? { signal } : {}).catch(() => undefined)
    },
  }
}

type Says = Pick<Logger, 'warn'> | undefined
export type Announced = ReturnType<typeof createLoggedBackoff>

/** Such waits with one line in the log when a fault has come twice in a row, and one when it is over: nobody waits for ever in silence. */
export const createLoggedBackoff = (wait: ReturnType<typeof createBackoff>, logger: Says, what: string) =>
  createLoggedBackoffOnce(logger, what)(wait)

/** The same for several that wait for one thing: a line when the first of them has to, and one when none has to any more. */
export function createLoggedBackoffOnce(logger: Says, what: string) {
  let waiting = 0
  return (wait: ReturnType<typeof createBackoff>) => {
    let met = 0
    return {
      over: () => {
        if (met > 1 && --waiting === 0) logger?.warn(`${what} goes on`)
        met = 0
        wait.reset()
      },
      pause: async (error: unknown, signal?: AbortSignal) => {
        met += 1
        if (met === 2 && waiting++ === 0) logger?.warn({ err: error }, `${what} waits for a fault to pass`)
        await wait.pause(signal)
      },
      /** It is not waited for any more, whether the fault is over or not. */
      leave: () => {
        if (met > 1) waiting -= 1
        met = 0
      },
    }
  }
}

/** Tries again, whatever the failure, until it is done or nobody wants it any more. */
export async function retryUntilAborted<T>(act: () => Promise<T>, wait: Announced, signal: AbortSignal): Promise<T | undefined> {
  while (!signal.aborted)
    try {
      const done = await act()
      wait.over()
      return done
    } catch (error) {
      await wait.pause(error, signal)
    }
  return undefined
}

/** Tries again while the failure is a passing one and there is time left; then Unavailable. `unsure`: an earlier try may have succeeded. */
export async function retryTransient<T>(
  act: (unsure: boolean) => Promise<T>,
  passing: (error: unknown) => boolean,
  giveUpMs: number,
): Promise<T> {
  const end = Date.now() + giveUpMs
  const wait = createBackoff(50, 2000)
  for (let unsure = false; ; unsure = true) {
    try {
      return await act(unsure)
    } catch (error) {
      if (!passing(error)) throw error
      await wait.pause()
      if (Date.now() >= end) throw new Unavailable(error instanceof Error ? error.message : String(error), { cause: error })
    }
  }
}
