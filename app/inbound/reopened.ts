import { type Kysely, sql } from 'kysely'
import type { Database } from '#projections/database.ts'
import { leftToClose } from './importing.ts'

/** Offers the closing of imported tickets again if some of them still wait, for example after an undo (R-CONN-16). */
export const importReopened = (db: Kysely<Database>, companyId: number) =>
  db
    .updateTable('connection')
    .set({ statusImportMessages: leftToClose })
    .where('companyId', '=', companyId)
    .where('statusImportMessages', 'is', null)
    .where(sql<boolean>`exists (select from import_chat c join ticket t on t.id = c.ticket_id
      where c.connection_id = connection.id and t.status = 'pending')`)
    .execute()
