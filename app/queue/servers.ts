import { type Kysely, sql } from 'kysely'
import type { Database } from '#projections/database.ts'

/** Admins serve every queue (A-TRANSFER-05). */
export async function servers(db: Kysely<Database>, companyId: number, queueId: number): Promise<Set<number>> {
  const rows = await db
    .selectFrom('user')
    .select('id')
    .where('companyId', '=', companyId)
    .where('retiredAt', 'is', null)
    .where((eb) =>
      eb.or([
        eb('profile', '=', 'admin'),
        eb('id', 'in', eb.selectFrom('userQueue').select('userId').where('userQueue.queueId', '=', queueId)),
      ]),
    )
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Marks queues as edited, so that an open form does not overwrite the change and lists show it. */
export async function incrementVersions(on: Kysely<Database>, queueIds: number[]): Promise<void> {
  if (queueIds.length > 0) await on.updateTable('queue').set({ version: sql`version + 1` }).where('id', 'in', queueIds).execute()
}
