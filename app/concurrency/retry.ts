import type { Logger } from 'pino'
import { Unavailable } from '#app/event-store/event-store.ts'
import { abortableSleep } from './abortable-sleep.ts'

/** Rejects with `Unavailable` if the promise does not settle in time. */
export async function withTimeout<T>(promise: Promise<T>, ms: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unavailable(`${what} took more than ${ms} ms`)), ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** Exponential backoff with jitter, so that many callers do not retry at the same moment. */
export function createBackoff(first: number, most: number) {
  let ms = first
  return {
    reset: () => {
      ms = first
    },
    pause: async (signal?: AbortSignal) => {
      const wait = ms * (0.5 + Math.random())
      ms = Math.min(ms * 2, most)
      await abortableSleep(wait, signal)
    },
  }
}

type WarningLogger = Pick<Logger, 'warn'> | undefined
export type LoggedBackoff = ReturnType<typeof createLoggedBackoff>

/** A backoff that logs one line at the second failure in a row, and one when the operation succeeds again. */
export const createLoggedBackoff = (wait: ReturnType<typeof createBackoff>, logger: WarningLogger, what: string) =>
  createLoggedBackoffOnce(logger, what)(wait)

/** The same for several callers of one operation: one line when the first starts to wait, one when the last stops waiting. */
export function createLoggedBackoffOnce(logger: WarningLogger, what: string) {
  let waiting = 0
  return (wait: ReturnType<typeof createBackoff>) => {
    let failures = 0
    return {
      over: () => {
        if (failures > 1 && --waiting === 0) logger?.warn({ operation: what }, 'Operation recovered')
        failures = 0
        wait.reset()
      },
      pause: async (error: unknown, signal?: AbortSignal) => {
        failures += 1
        if (failures === 2 && waiting++ === 0) logger?.warn({ err: error, operation: what }, 'Operation failing; retrying')
        await wait.pause(signal)
      },
      /** Stops waiting, whether the operation has recovered or not. */
      leave: () => {
        if (failures > 1) waiting -= 1
        failures = 0
      },
    }
  }
}

/** Retries after every error until the operation succeeds or `signal` aborts. */
export async function retryUntilAborted<T>(act: () => Promise<T>, wait: LoggedBackoff, signal: AbortSignal): Promise<T | undefined> {
  while (!signal.aborted)
    try {
      const done = await act()
      wait.over()
      return done
    } catch (error) {
      if (!signal.aborted) await wait.pause(error, signal)
    }
  return undefined
}

/** Repeats work until `signal` aborts. After an error it pauses, longer each time until the work calls `wait.over`. */
export async function repeatUntilAborted(
  act: () => Promise<void>,
  wait: Pick<LoggedBackoff, 'pause'>,
  signal: AbortSignal,
  onError: (error: unknown) => void = () => undefined,
): Promise<void> {
  while (!signal.aborted)
    try {
      await act()
    } catch (error) {
      onError(error)
      if (!signal.aborted) await wait.pause(error, signal)
    }
}

/** Retries transient errors until `giveUpMs` has passed, then throws `Unavailable`. `unsure`: an earlier attempt may have succeeded. */
export async function retryTransient<T>(
  act: (unsure: boolean) => Promise<T>,
  isTransient: (error: unknown) => boolean,
  giveUpMs: number,
): Promise<T> {
  const end = Date.now() + giveUpMs
  const wait = createBackoff(50, 2000)
  for (let unsure = false; ; unsure = true) {
    try {
      return await act(unsure)
    } catch (error) {
      if (!isTransient(error)) throw error
      await wait.pause()
      if (Date.now() >= end) throw new Unavailable(error instanceof Error ? error.message : String(error), { cause: error })
    }
  }
}
