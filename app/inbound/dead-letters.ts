import { type Kysely, sql } from 'kysely'
import type { Database } from '#projections/database.ts'

type Db = Kysely<Database>
const whole = (db: Db, id: number) =>
  db.updateTable('inboundEvent').where('id', '=', id).where('refused', 'is not', null).where('heard', 'is not', null)

/** What was told and could not be taken, oldest first: it lies there whole until an operator decides. */
export const setAside = (db: Db) =>
  db
    .selectFrom('inboundEvent')
    .select(['id', 'companyId', 'connectionId', 'externalId', 'refused', 'receivedAt', sql<string>`heard->>'type'`.as('type')])
    .where('refused', 'is not', null)
    .where('heard', 'is not', null)
    .orderBy('id')

/** It is heard once more, as one of which a part may have been taken. */
export async function retryDeadLetter(db: Db, id: number): Promise<void> {
  const row = await whole(db, id).set({ doneAt: null, refused: null, failures: 1 }).returning('connectionId').executeTakeFirst()
  if (row) await sql`select pg_notify('journal', ${String(row.connectionId)})`.execute(db)
}

/** Its words go, for good; who decided that, and why, stays. */
export async function discardDeadLetter(db: Db, id: number, by: string, reason: string): Promise<void> {
  const refused = sql<string>`refused || ${`, left out by ${by}: ${reason}`}::text`
  await whole(db, id).set({ heard: null, conversation: '', refused }).execute()
}
