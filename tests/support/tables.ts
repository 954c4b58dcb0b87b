import type { TicketEvent } from '#domain/ticket/events.ts'
import { migrate } from '#projections/migrate.ts'
import { openStore } from '#projections/postgres.ts'
import type { PersistedEvent } from '#projections/projector.ts'
import { freshDatabase } from './postgres.ts'
import { folded } from './recompute-read-models.ts'

/** The read models of a separate database, emptied before each fold. */
export async function openTables() {
  const database = await freshDatabase({ migrated: true })
  const { db, pool } = openStore(database.url, 4)
  await migrate(db)
  return {
    db,
    pool,
    fold: (told: PersistedEvent<TicketEvent>[], how: { batch?: number; twice?: boolean } = {}) =>
      folded({ db, connectionString: database.url }, told, how) as Promise<Record<string, any[]>>,
    async drop() {
      await db.destroy()
      await database.drop()
    },
  }
}
