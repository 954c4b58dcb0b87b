import { type Noted, understood } from './inbound-journal.ts'

/** It is done to a message that is not here yet. Providers tell again what was not taken, and keep no order in that. */
export class TargetMissing extends Error {}

/** So long the message is waited for: what is done to one that was never heard of here, such as one from before all this, is left. */
const mostMs = 10 * 60_000
export const isLate = ({ receivedAt }: { receivedAt: string }): boolean => Date.now() - Date.parse(receivedAt) > mostMs

/** How many of one connection; each is looked up again and again. */
const most = 500

export function* lookPauses(): Generator<number> {
  for (let ms = 500; ; ms = Math.min(2 * ms, 30_000)) yield ms
}

type Entry = { id: number; heard: Noted | null }

/** What waits for its message beside the queue of whoever did it. After a restart it is read again, for it is not over in the journal. */
export function createDeferredEvents<E extends Entry>() {
  const waiting = new Map<number, { entry: E; theirs: string[]; at: string }>()
  return {
    has: (id: number) => waiting.has(id),
    over: (id: number) => void waiting.delete(id),
    /** Answers those that are waited with no longer, where too many wait: the oldest. */
    put(entry: E, theirs: string[]): E[] {
      const heard = entry.heard && understood(entry.heard)
      waiting.set(entry.id, { entry, theirs, at: (heard && 'at' in heard && heard.at) || '' })
      const left = [...waiting.values()].slice(0, Math.max(0, waiting.size - most)).map((one) => one.entry)
      for (const { id } of left) waiting.delete(id)
      return left
    },
    /** Those of one person, in the order in which they were done. */
    of: (theirs: string[]): E[] =>
      [...waiting.values()]
        .filter((one) => one.theirs.some((id) => theirs.includes(id)))
        .sort((a, b) => a.at.localeCompare(b.at) || a.entry.id - b.entry.id)
        .map(({ entry }) => entry),
  }
}
