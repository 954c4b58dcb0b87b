import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { TypedMessage } from '#domain/decider.ts'
import type { Database } from '#projections/database.ts'
import { appendParked, type Parked, resumeStream } from '#projections/parked.ts'
import type { PersistedEvent } from '#projections/projector.ts'

type Db = Kysely<Database>
type AnyEvent = PersistedEvent<TypedMessage>

const maxReasonLength = 500
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).replaceAll('\0', '').slice(0, maxReasonLength)

/** Names of the streams that are parked for a processor. */
export async function findParkedStreams(db: Db, follower: string): Promise<Set<string>> {
  const rows = await db.selectFrom('parkedStream').select('stream').where('follower', '=', follower).execute()
  return new Set(rows.map(({ stream }) => stream))
}

/** Parks the stream from this event on, unless a rebuild has moved the checkpoint past the event meanwhile. */
export async function park(db: Db, follower: string, event: AnyEvent, error: unknown): Promise<void> {
  const { companyId, stream, aggregateId, eventId, type: eventType, revision, position } = event
  await db.transaction().execute(async (tx) => {
    const checkpoint = await tx.selectFrom('checkpoint').select('position').where('name', '=', follower).forUpdate().executeTakeFirst()
    if (checkpoint && BigInt(checkpoint.position) >= position) return
    const row = {
      follower,
      companyId,
      ticketId: aggregateId,
      stream,
      eventId,
      eventType,
      revision,
      behind: revision,
      reason: reasonOf(error),
    }
    await tx
      .insertInto('parkedStream')
      .values({ ...row, releasedAt: null })
      .onConflict((known) => known.doNothing())
      .execute()
  })
}

/** Parks a released stream again, at the event that failed now. */
export const parkAgain = (db: Db, { id }: Parked, { eventId, type: eventType, revision }: AnyEvent, error: unknown) =>
  db
    .updateTable('parkedStream')
    .set({ eventId, eventType, revision, reason: reasonOf(error), since: sql`now()`, releasedAt: null })
    .where('id', '=', id)
    .execute()

/** Removes a stream that was parked although the event was not at fault; no later event of the stream was applied yet. */
export const unpark = (db: Db, follower: string, { stream, eventId }: AnyEvent) =>
  db.deleteFrom('parkedStream').where('follower', '=', follower).where('stream', '=', stream).where('eventId', '=', eventId).execute()

/** Records how far a reactor has skipped parked streams. A projector records it in the transaction of its rows. */
export async function appendToParked(db: Db, follower: string, events: AnyEvent[], parked: Set<string>): Promise<void> {
  for (const { text, values } of appendParked(follower, events, parked)) await raw(db, text, values)
}
/** Records that a reactor has resumed a stream. A projector records it in the transaction of its rows. */
export async function resumeParked(db: Db, parked: Parked, next: number | null): Promise<void> {
  const { text, values } = resumeStream(parked, next)
  await raw(db, text, values)
}
const raw = (db: Db, text: string, values: unknown[] = []) => db.executeQuery(CompiledQuery.raw(text, values))

/** Ids of the events that an operator skipped permanently; a rebuild skips them too. */
export async function findSkippedEvents(db: Db, follower: string): Promise<Set<string>> {
  const rows = await db.selectFrom('projectorSkip').select('eventId').where('name', '=', follower).execute()
  return new Set(rows.map(({ eventId }) => eventId))
}

/** Requests that the processor retries a parked stream. Returns false if there is no such stream. */
export async function release(db: Db, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('parkedStream').set({ releasedAt: sql`now()` }).where('id', '=', id).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Releases a parked stream without its parked event, and records who decided it. Returns false if it is not parked at that event. */
export async function giveUp(db: Db, id: number, eventId: string, by: string, reason: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { follower: name } =
      (await tx
        .updateTable('parkedStream')
        .set({ releasedAt: sql`now()` })
        .where('id', '=', id)
        .where('eventId', '=', eventId)
        .returning('follower')
        .executeTakeFirst()) ?? {}
    if (name === undefined) return false
    await tx
      .insertInto('projectorSkip')
      .values({ name, eventId, saidBy: by, reason })
      .onConflict((known) => known.doNothing())
      .execute()
    return true
  })
}
