/** The port of the event store. Two engines implement it, Postgres and EventStoreDB; one contract suite tests both. */

/** The revision of a stream's last event, 'none' for an unknown stream. The first event has revision 0n. */
export type Revision = bigint | 'none'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }
export const isJsonObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** An event ready for storage: its personal fields are sealed and its hash is in `meta`. */
export type NewEvent = { id: string; type: string; data: JsonObject; meta: JsonObject }
/** `position` is always set in subscriptions. It is 0n when a stream is read from an old EventStoreDB, which does not return it. */
export type StoredEvent = NewEvent & { stream: string; revision: bigint; position: bigint }

/** The next events in store order. `position` is the checkpoint to store after these events; `caughtUp` at the end of the store. */
export type Page = { events: StoredEvent[]; position: bigint; caughtUp: boolean }

export type Appended = { position: bigint; revision: bigint }

export interface EventStore {
  /** Events of a stream from a revision on, oldest first, at most `most` of them. An unknown stream is empty. */
  read(stream: string, from?: bigint, most?: number): Promise<{ events: StoredEvent[] }>
  /** Appends atomically at an explicit revision. Idempotent for the same ids. Throws Conflict, TooLarge or Unavailable. */
  append(stream: string, expected: Revision, events: NewEvent[]): Promise<Appended>
  /**
   * Subscribes to all streams with this name prefix, after a position (exclusive; null means from the first event). It reconnects by
   * itself and ends only by `signal`. `together` allows events from this process's cache; verification must read the store itself.
   */
  subscribe(after: bigint | null, prefix: string, signal: AbortSignal, how?: { together: boolean }): AsyncIterable<Page>
  /** The position of the newest event, with `prefix` of the newest in such streams; null if there is none. */
  readHeadPosition(prefix?: string): Promise<bigint | null>
  close(): Promise<void>
}

/** Maximum size of an event's data as JSON, in bytes. Media are stored outside the event store (events.md 2). */
export const maxEventBytes = 64 * 1024

/** Another writer appended first: read the new events and decide again. */
export class ConcurrencyConflict extends Error {
  readonly actual: Revision
  constructor(stream: string, actual: Revision) {
    super(`Conflict in ${stream}: actual revision is ${actual}`)
    this.actual = actual
  }
}
/** The event or the whole append exceeds the size limit. */
export class EventTooLarge extends Error {}
/** The store did not answer, or not in time. Whether an append was written is unknown; a retry with the same ids is safe. */
export class Unavailable extends Error {}
