/**
 * Limits of entries in flight. `each`: of one person. `again`: a full person is read again below this number. `all`: without the people whose
 * entry is slow. `ever`: in total.
 */
const most = { each: 100, again: 50, all: 1500, ever: 10_000 }
/** An entry that runs longer waits for a file, or for a store that is unavailable. */
const slowMs = 2000

type Entry = { id: number; key: string }
export type InFlightTracker = ReturnType<typeof createInFlightTracker>

/**
 * Tracks the journal entries that are read and not finished. The entries of a person at the limit are not read for now, so that a flood or a
 * slow file of one person does not delay others. `keys`: the identifiers of the entry's person.
 */
export function createInFlightTracker() {
  const inFlight = new Map<number, string[]>()
  const counts = new Map<string, number>()
  const startedAt = new Map<number, number>()
  /** The identifiers of the person of each full conversation. */
  const full = new Map<string, string[]>()
  const hasAtLeast = (keys: string[], n: number) => keys.some((one) => (counts.get(one) ?? 0) >= n)
  const resumable = () => [...full].filter(([, keys]) => !hasAtLeast(keys, most.again))
  function slow(): Set<string> {
    const since = performance.now() - slowMs
    return new Set([...startedAt].flatMap(([id, at]) => (at < since ? (inFlight.get(id) ?? []) : [])))
  }
  function release(id: number): void {
    for (const one of inFlight.get(id) ?? []) {
      const left = (counts.get(one) ?? 1) - 1
      if (left > 0) counts.set(one, left)
      else counts.delete(one)
    }
    inFlight.delete(id)
    startedAt.delete(id)
  }
  return {
    ids: () => [...inFlight.keys()],
    /** Without deferred entries, which only wait for another message. */
    active: () => [...inFlight].flatMap(([id, keys]) => (keys.length > 0 ? [id] : [])),
    /** The conversations that must not be read for now. */
    full(): string[] {
      for (const [key] of resumable()) full.delete(key)
      return [...full.keys()]
    },
    isFull: () => full.size > 0,
    /** Reserves a slot. Returns false at the person's limit: the entry is read again later, and no later one of the person starts before. */
    tryAdd({ id, key }: Entry, keys: string[]): boolean {
      if (hasAtLeast(keys, most.each) || [...full.values()].some((others) => others.some((one) => keys.includes(one)))) {
        full.set(key, keys)
        return false
      }
      inFlight.set(id, keys)
      for (const one of keys) counts.set(one, (counts.get(one) ?? 0) + 1)
      return true
    },
    start: (id: number) => void startedAt.set(id, performance.now()),
    /** Frees the slot of a deferred entry, which is not read again. */
    defer(id: number): void {
      release(id)
      inFlight.set(id, [])
    },
    /** Returns whether a person that was full can be read again. */
    finish(ids: number[]): boolean {
      for (const id of ids) release(id)
      return resumable().length > 0
    },
    hasRoom(): boolean {
      if (inFlight.size <= most.all) return true
      if (inFlight.size > most.ever) return false
      const slowKeys = slow()
      let n = 0
      for (const keys of inFlight.values()) if (keys.length > 0 && !keys.some((one) => slowKeys.has(one))) n++
      return n <= most.all
    },
  }
}
