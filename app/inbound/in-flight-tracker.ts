/**
 * How much is in hand at once: of one person, and so few when more of theirs is looked for; of all, but for whom something slow is waited
 * for; of all.
 */
const most = { each: 100, again: 50, all: 1500, ever: 10_000 }
/** Longer than this nothing takes but a file, or a store that is away. */
const slowMs = 2000

type Entry = { id: number; key: string }

/**
 * What is read of a journal and not over. Of whom so much is in hand that it stands in a queue of their own no more is read for now, so that
 * one who floods, or whose file does not come, takes no room from others.
 */
export function createInFlightTracker() {
  const taken = new Map<number, string[]>()
  const counts = new Map<string, number>()
  const begun = new Map<number, number>()
  /** By conversation: by what its person is known. */
  const full = new Map<string, string[]>()
  const holds = (theirs: string[], n: number) => theirs.some((one) => (counts.get(one) ?? 0) >= n)
  const readable = () => [...full].filter(([, theirs]) => !holds(theirs, most.again))
  function slow(): Set<string> {
    const since = performance.now() - slowMs
    return new Set([...begun].flatMap(([id, at]) => (at < since ? (taken.get(id) ?? []) : [])))
  }
  function leaves(id: number): void {
    for (const one of taken.get(id) ?? []) {
      const left = (counts.get(one) ?? 1) - 1
      if (left > 0) counts.set(one, left)
      else counts.delete(one)
    }
    taken.delete(id)
    begun.delete(id)
  }
  return {
    ids: () => [...taken.keys()],
    /** Without those that were put aside: they only wait for another message. */
    active: () => [...taken].flatMap(([id, theirs]) => (theirs.length > 0 ? [id] : [])),
    /** The conversations of which nothing is to be read. */
    full(): string[] {
      for (const [key] of readable()) full.delete(key)
      return [...full.keys()]
    },
    isFull: () => full.size > 0,
    /** Whether there is room for it; what is not taken is read again, and nothing behind it is taken before. */
    take({ id, key }: Entry, theirs: string[]): boolean {
      if (holds(theirs, most.each) || [...full.values()].some((keys) => keys.some((one) => theirs.includes(one)))) {
        full.set(key, theirs)
        return false
      }
      taken.set(id, theirs)
      for (const one of theirs) counts.set(one, (counts.get(one) ?? 0) + 1)
      return true
    },
    /** Its turn came. */
    begins: (id: number) => void begun.set(id, performance.now()),
    /** Its turn is over for now: it is not read again, and counts for nobody. */
    aside(id: number): void {
      leaves(id)
      taken.set(id, [])
    },
    /** Answers whether more can be read of somebody now. */
    over(ids: number[]): boolean {
      for (const id of ids) leaves(id)
      return readable().length > 0
    },
    hasRoom(): boolean {
      if (taken.size <= most.all) return true
      if (taken.size > most.ever) return false
      const waited = slow()
      let n = 0
      for (const theirs of taken.values()) if (theirs.length > 0 && !theirs.some((one) => waited.has(one))) n++
      return n <= most.all
    },
  }
}
