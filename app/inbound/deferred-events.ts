import type { InboundEvent } from '../channels/channel.ts'

/** The event targets a message that we have not received. Providers redeliver unacknowledged events out of order. */
export class TargetMissing extends Error {}

/** How long an event waits for its target. Then it is dropped, because the target may be older than this installation. */
const maxWaitMs = 10 * 60_000
export const isLate = ({ receivedAt }: { receivedAt: string }): boolean => Date.now() - Date.parse(receivedAt) > maxWaitMs

/** Deferred events of one connection. The number is limited because each is looked up again and again. */
const maxDeferred = 500

export function* pollDelays(): Generator<number> {
  for (let ms = 500; ; ms = Math.min(2 * ms, 30_000)) yield ms
}

type Entry = { id: number; payload: InboundEvent | null }

/** Holds deferred events outside their person's queue. After a restart they are read again, because their journal rows are not done. */
export function createDeferredEvents<E extends Entry>() {
  const deferred = new Map<number, { entry: E; keys: string[]; at: string }>()
  return {
    has: (id: number) => deferred.has(id),
    remove: (id: number) => void deferred.delete(id),
    /** Returns the oldest events if there are too many; they are given up. */
    add(entry: E, keys: string[]): E[] {
      const event = entry.payload
      deferred.set(entry.id, { entry, keys, at: (event && 'at' in event && event.at) || '' })
      const dropped = [...deferred.values()].slice(0, Math.max(0, deferred.size - maxDeferred)).map((one) => one.entry)
      for (const { id } of dropped) deferred.delete(id)
      return dropped
    },
    /** Returns the deferred events of one person, in the order of their provider times. */
    of: (keys: string[]): E[] =>
      [...deferred.values()]
        .filter((one) => one.keys.some((key) => keys.includes(key)))
        .sort((a, b) => a.at.localeCompare(b.at) || a.entry.id - b.entry.id)
        .map(({ entry }) => entry),
  }
}
