import type { Kysely } from 'kysely'
import type { connections } from '#domain/connection/contract.ts'
import type { Database } from '#projections/database.ts'
import type { Handlers } from '../http/serve.ts'

const columns = [
  ...(['id', 'companyId', 'name', 'channel', 'provider', 'number', 'status'] as const),
  ...(['isDefault', 'allowGroup', 'groupAsTicket', 'color', 'updatedAt'] as const),
]
export const connectionsIn = (db: Kysely<Database>, companyId: number) =>
  db.selectFrom('connection').select(columns).where('companyId', '=', companyId)

export const connectionRoutes = ({ db }: { db: Kysely<Database> }): Handlers<typeof connections> => ({
  list: ({ viewer }) => connectionsIn(db, viewer.companyId).orderBy('id').execute(),
})
