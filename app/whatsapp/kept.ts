import { type Kysely, sql } from 'kysely'
import type { Database } from '#projections/database.ts'

/** WhatsApp itself keeps thirty days what a device has not fetched: nobody asks for a message again that is older. */
const keptFor = sql`interval '30 days'`
export const pruneKept = ({ db }: { db: Kysely<Database> }) =>
  db.deleteFrom('waMessage').where('at', '<', sql<string>`now() - ${keptFor}`).execute()
