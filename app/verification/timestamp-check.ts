import type { StoredEvent } from '../event-store/event-store.ts'
import type { Bad } from './verification-result.ts'

type Event = Pick<StoredEvent, 'stream' | 'revision' | 'id' | 'type' | 'meta'>

/** So much may lie between the clocks of two processes, or between a command and its fact while a store was away. */
const driftMs = 60_000

/** When it was recorded; not a number where that was altered. */
export const recordedAt = ({ meta }: Pick<Event, 'meta'>): number => (typeof meta?.at === 'string' ? Date.parse(meta.at) : Number.NaN)

/** What the demo company is given to begin with is dated back to days before, whoever is said to have asked for it. */
export const datedBack = ({ meta }: Pick<Event, 'meta'>): boolean =>
  typeof meta?.commandId === 'string' && /^(\d+\/)?demo-\d/.test(meta.commandId)

/**
 * Looks whether time goes on along each stream; the first event of a stream that was recorded before the one it stands behind is told. When
 * it happened by a provider's word (`occurredAt`) is another matter.
 */
export function timesGoOn() {
  const last = new Map<string, number>()
  const bad = new Map<string, Bad>()
  return {
    bad: () => [...bad.values()],
    async take(events: readonly Event[]): Promise<void> {
      for (const event of events) {
        const { stream, revision, id, type } = event
        const at = recordedAt(event)
        if (Number.isNaN(at)) continue
        const before = last.get(stream)
        last.set(stream, at)
        if (before === undefined || at >= before - driftMs || bad.has(stream)) continue
        const detail = `recorded at ${new Date(at).toISOString()}, behind one of ${new Date(before).toISOString()}`
        bad.set(stream, { stream, revision, event: `${type} ${id}`, reason: 'time', detail })
      }
    },
  }
}
