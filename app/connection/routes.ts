import type { Kysely } from 'kysely'
import type { connections } from '#domain/connection/contract.ts'
import type { Database } from '#projections/database.ts'
import type { Handlers } from '../http/serve.ts'

export const connectionColumns = [
  ...(['id', 'companyId', 'name', 'channel', 'provider', 'number', 'status'] as const),
  ...(['isDefault', 'allowGroup', 'groupAsTicket', 'color', 'updatedAt'] as const),
]

export const connectionRoutes = ({ db }: { db: Kysely<Database> }): Handlers<typeof connections> => ({
  list: ({ viewer }) =>
    db.selectFrom('connection').select(connectionColumns).where('companyId', '=', viewer.companyId).orderBy('id').execute(),
})
