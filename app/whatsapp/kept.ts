import { type Kysely, sql } from 'kysely'
import type { Database } from '#projections/database.ts'

/** WhatsApp stores undelivered messages for thirty days, so no device requests an older message again. */
const keptFor = sql`interval '30 days'`
export const pruneKept = ({ db }: { db: Kysely<Database> }) =>
  db.deleteFrom('waMessage').where('at', '<', sql<string>`now() - ${keptFor}`).execute()
