import { randomUUID } from 'node:crypto'
import type { EventStore, JsonObject, NewEvent } from '#app/event-store/event-store.ts'

export type Faults = {
  /** The next append is written, but its answer is lost. */
  loseNextAnswer(): void
  /** The server dies between the write and the answer, and returns a moment later with all data. */
  dieAfterNextWrite(): void
  /** Every subscription is cut off; now and then by an end that looks orderly. */
  drop(): void
  kill(): void
  start(): Promise<void>
}
export type Rig = {
  open(limits?: { callMs?: number; giveUpMs?: number }): Promise<EventStore>
  /** The same engine with a server that accepts connections and never answers. */
  openSilent(): Promise<EventStore>
  /** Null if the tests cannot break this store. */
  faults: Faults | null
  /** Data that this engine refuses after it has begun to write. */
  poison: JsonObject | null
  close(): Promise<void>
}

/** An event with all metadata: cause, time of occurrence, hash and MAC. */
export const event = (data: JsonObject = {}): NewEvent => ({
  id: randomUUID(),
  type: 'NoteAdded',
  data,
  meta: {
    ...{ v: 1, at: '2026-01-05T12:00:01.000Z', occurredAt: '2026-01-05T12:00:00.000Z' },
    ...{ $correlationId: randomUUID(), $causationId: randomUUID(), hash: 'a'.repeat(64), mac: 'b'.repeat(64), key: 'k1' },
  },
})

export type EngineIt = (
  says: string,
  check: (on: { eventStore: EventStore; rig: Rig }) => Promise<void>,
  needs?: (rig: Rig) => string | null,
) => void

/** A separate company for each test, so that tests can share a store. */
export const company = () => `ticket-${Math.floor(Math.random() * 2 ** 31)}-`
export const breakable = ({ faults }: Rig) => (faults ? null : 'the tests cannot break this store')
