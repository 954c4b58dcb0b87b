import type { StoredEvent } from './event-store.ts'

const most = 500

export type TailCache = {
  /** What is known behind a position; null where that is not kept so far back, or goes further. */
  behind: (position: bigint) => StoredEvent[] | null
  /** Asks for what came since. Whoever asks meanwhile has the same answer. */
  look: () => Promise<void>
  /** Up to this ring there was nothing else. */
  seen: () => number
  /** Somebody found nothing behind this position. */
  begin: (position: bigint) => void
}

/**
 * The newest events of a log, asked for and taken apart once for all who follow it in this process. `read`: the next ones behind a position,
 * less than `page` of them at the end; `rings`: how often it was told that there are new ones.
 */
export function newestOf(read: (after: bigint) => Promise<StoredEvent[]>, page: number, rings: () => number): TailCache {
  let kept: { from: bigint; events: StoredEvent[] } | null = null
  let seen = -1
  let looking: Promise<void> | null = null
  const end = () => kept && (kept.events.at(-1)?.position ?? kept.from)

  async function look(): Promise<void> {
    const before = rings()
    const of = kept!
    const more = await read(end()!)
    if (kept !== of) return // it was begun anew meanwhile
    const all = [...of.events, ...more]
    const gone = all.splice(0, Math.max(0, all.length - most)).at(-1)
    kept = { from: gone?.position ?? of.from, events: all }
    if (more.length < page) seen = before
  }
  return {
    behind(position) {
      if (kept === null || position < kept.from || position > end()!) return null
      return kept.events.slice(kept.events.findLastIndex((event) => event.position <= position) + 1)
    },
    look() {
      looking ??= look().finally(() => {
        looking = null
      })
      return looking
    },
    seen: () => seen,
    begin(position) {
      if (kept === null || position > end()!) kept = { from: position, events: [] }
    },
  }
}
