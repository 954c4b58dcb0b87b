import { randomUUID } from 'node:crypto'
import type { EventStore, JsonObject, NewEvent } from '#app/event-store/event-store.ts'

export type Faults = {
  /** The next append is written, but its answer never arrives. */
  loseNextAnswer(): void
  /** The server dies between the write and the answer, and is back a moment later with all it had. */
  dieAfterNextWrite(): void
  /** Every follower is cut off; now and then by an end that looks orderly. */
  drop(): void
  kill(): void
  start(): Promise<void>
}
export type Rig = {
  open(limits?: { callMs?: number; giveUpMs?: number }): Promise<EventStore>
  /** The same engine towards a server that takes connections and never answers. */
  openSilent(): Promise<EventStore>
  /** Null where the store is not ours to break. */
  faults: Faults | null
  /** Data this engine refuses after it has begun to write. */
  poison: JsonObject | null
  close(): Promise<void>
}

/** With all that stands beside a fact: its cause, when it happened elsewhere, and who vouches for it. */
export const event = (data: JsonObject = {}): NewEvent => ({
  id: randomUUID(),
  type: 'NoteAdded',
  data,
  meta: {
    ...{ v: 1, at: '2026-01-05T12:00:01.000Z', occurredAt: '2026-01-05T12:00:00.000Z' },
    ...{ $correlationId: randomUUID(), $causationId: randomUUID(), hash: 'a'.repeat(64), mac: 'b'.repeat(64), key: 'k1' },
  },
})

export type It = (
  says: string,
  check: (on: { eventStore: EventStore; rig: Rig }) => Promise<void>,
  needs?: (rig: Rig) => string | null,
) => void

/** A company of its own for each test, so that tests may share a store. */
export const company = () => `ticket-${Math.floor(Math.random() * 2 ** 31)}-`
export const breakable = ({ faults }: Rig) => (faults ? null : 'this store is not ours to break')
