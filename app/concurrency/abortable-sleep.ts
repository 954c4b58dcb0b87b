import { setTimeout as sleep } from 'node:timers/promises'

/** Sleeps for `ms`, or until `signal` aborts. It never rejects: callers check the signal. */
export const abortableSleep = (ms: number, signal: AbortSignal | undefined, options: { ref?: boolean } = {}): Promise<void> =>
  sleep(ms, undefined, { ...options, ...(signal && { signal }) }).catch(() => undefined)
