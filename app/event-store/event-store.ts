/** The event log as the rest of the system sees it. Two engines hold it: Postgres and EventStoreDB; one contract suite holds both. */

/** Where a stream ends; an unknown stream ends at 'none'. The first event has revision 0n. */
export type Revision = bigint | 'none'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/** An event as it is stored: personal fields already sealed, its hash already in `meta`. */
export type NewEvent = { id: string; type: string; data: JsonObject; meta: JsonObject }
/** `position` is certain in what is followed; an old EventStoreDB does not tell it when a stream is read, and then it is 0n. */
export type StoredEvent = NewEvent & { stream: string; revision: bigint; position: bigint }

/** What became visible next, in log order. `position` is safe to store once these events are dealt with; `caughtUp` when nothing older waits. */
export type Page = { events: StoredEvent[]; position: bigint; caughtUp: boolean }

export type Appended = { position: bigint; revision: bigint }

export interface EventStore {
  /** Every event of a stream from a revision on, oldest first, or so many of them. An unknown stream is empty. */
  read(stream: string, from?: bigint, most?: number): Promise<{ events: StoredEvent[] }>
  /** All or nothing, at an explicit revision. Throws Conflict, TooLarge or Unavailable. The same ids at the same place again: a no-op. */
  append(stream: string, expected: Revision, events: NewEvent[]): Promise<Appended>
  /**
   * Every stream whose name begins with `prefix`, after a position (exclusive; null: from the first). Resumes by itself; ends only by `signal`.
   * `together`: what this process read a moment ago will do. Whoever proves what is stored has it read anew.
   */
  subscribe(after: bigint | null, prefix: string, signal: AbortSignal, how?: { together: boolean }): AsyncIterable<Page>
  /** The position of the newest event, or of the newest in a stream whose name begins so; null where there is none. */
  readHeadPosition(prefix?: string): Promise<bigint | null>
  close(): Promise<void>
}

/** The largest event that is taken, in bytes of its data as JSON: media live outside the log (events.md 2). */
export const maxEventBytes = 64 * 1024

/** Somebody else wrote first: read again and decide again. */
export class Conflict extends Error {
  readonly actual: Revision
  constructor(stream: string, actual: Revision) {
    super(`conflict in ${stream}: it is at ${actual}`)
    this.actual = actual
  }
}
/** The event, or all of one append, exceeds what the log takes. */
export class TooLarge extends Error {}
/** The store did not answer in time, or not at all. Whether an append was written is unknown; the same ids may be tried again. */
export class Unavailable extends Error {}
