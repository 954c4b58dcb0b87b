import { minuteMs } from '#domain/duration/rules.ts'
import type { StoredEvent } from '../event-store/event-store.ts'
import type { VerificationFault } from './verification-result.ts'

type Event = Pick<StoredEvent, 'stream' | 'revision' | 'id' | 'type' | 'meta'>

/** Tolerance for clock differences between processes, and for appends that were delayed by an outage. */
const driftMs = minuteMs

/** The recording time of an event; NaN if it was altered. */
export const recordedAt = ({ meta }: Pick<Event, 'meta'>): number => (typeof meta?.at === 'string' ? Date.parse(meta.at) : Number.NaN)

/** The seed data of the demo company have dates in the past. */
export const datedBack = ({ meta }: Pick<Event, 'meta'>): boolean =>
  typeof meta?.commandId === 'string' && /^(\d+\/)?demo-\d/.test(meta.commandId)

/**
 * Checks that recording times never decrease within a stream, and reports the first violation of each stream. The provider's time
 * (`occurredAt`) is not checked.
 */
export function timesGoOn() {
  const last = new Map<string, number>()
  const bad = new Map<string, VerificationFault>()
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
