import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { TypedMessage } from '#domain/decider.ts'
import type { Database } from '#projections/database.ts'
import { appendParked, type Parked, resumeStream } from '#projections/parked.ts'
import type { PersistedEvent } from '#projections/projector.ts'

type Db = Kysely<Database>
type Fact = PersistedEvent<TypedMessage>

const mostReason = 500
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).replaceAll('\0', '').slice(0, mostReason)

/** Which streams a follower waits with. */
export async function parkedBy(db: Db, follower: string): Promise<Set<string>> {
  const rows = await db.selectFrom('parkedStream').select('stream').where('follower', '=', follower).execute()
  return new Set(rows.map(({ stream }) => stream))
}

/** From this event on the follower waits with the stream. Not where its tables were built anew meanwhile, up to behind it. */
export async function park(db: Db, follower: string, event: Fact, error: unknown): Promise<void> {
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

/** What was released is parked again, at the event that it came to. */
export const parkAgain = (db: Db, { id }: Parked, { eventId, type: eventType, revision }: Fact, error: unknown) =>
  db
    .updateTable('parkedStream')
    .set({ eventId, eventType, revision, reason: reasonOf(error), since: sql`now()`, releasedAt: null })
    .where('id', '=', id)
    .execute()

/** It was no fault of the event: nothing behind it was applied either. */
export const unpark = (db: Db, follower: string, { stream, eventId }: Fact) =>
  db.deleteFrom('parkedStream').where('follower', '=', follower).where('stream', '=', stream).where('eventId', '=', eventId).execute()

/** How far a reactor passed over what waits; a projector says it with its rows. */
export async function passOver(db: Db, follower: string, events: Fact[], waits: Set<string>): Promise<void> {
  for (const { text, values } of appendParked(follower, events, waits)) await raw(db, text, values)
}
/** A reactor went on with a stream; a projector says it with its rows. */
export async function wentOn(db: Db, parked: Parked, next: number | null): Promise<void> {
  const { text, values } = resumeStream(parked, next)
  await raw(db, text, values)
}
const raw = (db: Db, text: string, values: unknown[] = []) => db.executeQuery(CompiledQuery.raw(text, values))

/** Events that an operator said are left out, for good: a rebuild leaves them out too. */
export async function givenUp(db: Db, follower: string): Promise<Set<string>> {
  const rows = await db.selectFrom('projectorSkip').select('eventId').where('name', '=', follower).execute()
  return new Set(rows.map(({ eventId }) => eventId))
}

/** Says that a follower is to try a parked stream again. Answers whether there is one. */
export async function release(db: Db, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('parkedStream').set({ releasedAt: sql`now()` }).where('id', '=', id).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Says, on record, that a parked stream goes on without the event that it waits at. Answers whether it waits at that event. */
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
