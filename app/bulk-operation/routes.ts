import { sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { WorkRow, works } from '#domain/bulk-operation/contract.ts'
import { refuse } from '#domain/errors.ts'
import type { AppContext } from '../context.ts'
import type { Handlers } from '../http/serve.ts'
import { worksIn } from './bulk-operations.ts'

export const workRoutes = ({ db }: Pick<AppContext, 'db'>): Handlers<typeof works> => {
  const mine = ({ companyId, id }: Viewer) => worksIn(db, companyId).where('userId', '=', id).where('dismissed', '=', false)
  const one = async (viewer: Viewer, id: number) =>
    ((await mine(viewer).where('id', '=', id).executeTakeFirst()) as WorkRow | undefined) ?? refuse('ERR_NOT_FOUND')
  return {
    list: async ({ viewer }) => (await mine(viewer).orderBy('id', 'desc').limit(50).execute()) as WorkRow[],
    async cancel({ viewer, params: { id } }) {
      await one(viewer, id)
      const running = db.updateTable('bulkOperation').where('id', '=', id).where('state', '=', 'running')
      await running.set({ state: 'cancelled', endedAt: sql`now()` }).execute()
      return one(viewer, id)
    },
    async errors({ viewer, params: { id } }) {
      await one(viewer, id)
      return db.selectFrom('bulkOperationError').select(['item', 'code']).where('workId', '=', id).orderBy('item').execute()
    },
    async dismiss({ viewer, params: { id } }) {
      const { state } = await one(viewer, id)
      if (state === 'running') refuse('ERR_NOT_FOUND')
      await db.updateTable('bulkOperation').set({ dismissed: true }).where('id', '=', id).execute()
    },
  }
}
