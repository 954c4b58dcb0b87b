import { type Kysely, sql } from 'kysely'
import type { Database } from '#projections/database.ts'

type Db = Kysely<Database>
const deadLetter = (db: Db, id: number) =>
  db.updateTable('inboundEvent').where('id', '=', id).where('refused', 'is not', null).where('payload', 'is not', null)

/** Lists the dead letters, oldest first. Each keeps its content until an operator decides. */
export const selectDeadLetters = (db: Db) =>
  db
    .selectFrom('inboundEvent')
    .select(['id', 'companyId', 'connectionId', 'externalId', 'refused', 'receivedAt', sql<string>`payload->>'type'`.as('type')])
    .where('refused', 'is not', null)
    .where('payload', 'is not', null)
    .orderBy('id')

/** Processes a dead letter again. One failure stays recorded, because a part of the event may already be applied. */
export async function retryDeadLetter(db: Db, id: number): Promise<void> {
  const row = await deadLetter(db, id).set({ doneAt: null, refused: null, failures: 1 }).returning('connectionId').executeTakeFirst()
  if (row) await sql`select pg_notify('journal', ${String(row.connectionId)})`.execute(db)
}

/** Deletes the content of a dead letter. Who decided that, and the reason, are kept. */
export async function discardDeadLetter(db: Db, id: number, by: string, reason: string): Promise<void> {
  const refused = sql<string>`refused || ${`, left out by ${by}: ${reason}`}::text`
  await deadLetter(db, id).set({ payload: null, conversation: '', refused }).execute()
}
