import { minuteMs } from '#domain/duration/rules.ts'
import type { InboundEvent } from '../channels/channel.ts'
import { abortableSleep } from '../concurrency/abortable-sleep.ts'

/** The event targets a message that we have not received. Providers redeliver unacknowledged events out of order. */
export class TargetMissing extends Error {}

/** How long an event waits for its target. Then it is dropped, because the target may be older than this installation. */
const maxWaitMs = 10 * minuteMs
export const isLate = ({ receivedAt }: { receivedAt: string }): boolean => Date.now() - Date.parse(receivedAt) > maxWaitMs

/** Deferred events of one connection. The number is limited because each is looked up again and again. */
const maxDeferred = 500

type Entry = { id: number; payload: InboundEvent | null }
type Steps<E> = {
  /** Processes an entry again. Returns whether it is done. */
  retry: (entry: E) => Promise<boolean>
  /** Called for an entry that is done or dropped. */
  finish: (id: number) => void
  /** Runs a task after everything that these people have waiting. */
  runInOrder: (keys: string[], task: () => Promise<void>) => Promise<void>
}

/**
 * Holds events whose target message is missing, outside their person's queue, so that they delay no later event. They are retried in the
 * order of their provider times: after each message of the person, and by polling. Each is finished once. After a restart they are read
 * again, because their journal rows are not done.
 */
export function createDeferredEvents<E extends Entry>({ retry, finish, runInOrder }: Steps<E>, signal: AbortSignal) {
  const deferred = new Map<number, { entry: E; keys: string[]; at: string }>()

  /** Retries the deferred events of one person. */
  async function retryOf(keys: string[]): Promise<void> {
    const own = [...deferred.values()]
      .filter((one) => one.keys.some((key) => keys.includes(key)))
      .sort((a, b) => a.at.localeCompare(b.at) || a.entry.id - b.entry.id)
    for (const { entry } of own)
      if (await retry(entry)) {
        deferred.delete(entry.id)
        finish(entry.id)
      }
  }
  /** Polls for the target. No later inbound event announces the target if it is one of our own messages. */
  async function pollForTarget(id: number, keys: string[]): Promise<void> {
    for (let ms = 500; ; ms = Math.min(2 * ms, 30_000)) {
      await abortableSleep(ms, signal)
      if (signal.aborted || !deferred.has(id)) return
      await runInOrder(keys, () => retryOf(keys))
    }
  }
  return {
    /** Defers an event. If there are too many, the oldest ones are dropped. */
    add(entry: E, keys: string[]): void {
      const event = entry.payload
      deferred.set(entry.id, { entry, keys, at: (event && 'at' in event && event.at) || '' })
      for (const id of [...deferred.keys()].slice(0, Math.max(0, deferred.size - maxDeferred))) {
        deferred.delete(id)
        finish(id)
      }
      void pollForTarget(entry.id, keys)
    },
    retryOf,
  }
}
