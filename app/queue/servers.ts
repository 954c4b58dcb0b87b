import type { Kysely } from 'kysely'
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
