import { type Kysely, sql } from 'kysely'
import type { Database } from '#projections/database.ts'
import { forgottenAt } from './inbound-journal.ts'

/** Entries that finish within this time are marked in one statement. */
const collectMs = 5
const retryAfterMs = 500

/**
 * Marks finished journal entries as done, many in one statement. A failed statement is retried with the later entries, so none is lost.
 * An entry whose mark is lost with the process is processed again, which changes nothing. `onMarked`: called with the ids after the write.
 */
export function createAcknowledgementBatch(db: Kysely<Database>, onMarked: (ids: number[]) => void) {
  const finished: number[] = []
  async function flush(): Promise<void> {
    const ids = finished.splice(0)
    if (ids.length === 0) return
    try {
      await markDone(db, ids)
      onMarked(ids)
    } catch {
      finished.push(...ids)
      setTimeout(() => void flush(), retryAfterMs)
    }
  }
  return {
    add(id: number): void {
      if (finished.push(id) === 1) setTimeout(() => void flush(), collectMs)
    },
    /** Writes at once what is waiting. */
    flush,
  }
}

/** The content of the entries is erased, because from now on it is sealed in the event store. */
async function markDone(db: Kysely<Database>, ids: number[]): Promise<void> {
  await db
    .updateTable('inboundEvent')
    .set({
      doneAt: new Date().toISOString(),
      forgetAt: forgottenAt,
      payload: sql<null>`case when refused is not null then payload end`, // a dead letter can be retried
      conversation: sql<string>`case when refused is not null then conversation else '' end`, // the person is not needed any more
    })
    .where(sql<boolean>`id = any(${ids}::bigint[])`) // one statement, however many they are
    .execute()
}
