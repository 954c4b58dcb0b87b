import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { pageSize } from '#domain/contract.ts'
import { refuse } from '#domain/errors.ts'
import type { UserRow, users } from '#domain/user/contract.ts'
import type { Database } from '#projections/database.ts'
import { containing } from '#projections/postgres.ts'
import type { Handlers } from '../http/serve.ts'

/** Colleagues with their queues and whether they are here. */
export function usersIn(db: Kysely<Database>, companyId: number) {
  return db
    .selectFrom('user')
    .leftJoin('userPresence', 'userPresence.id', 'user.id')
    .select(['user.id', 'user.companyId', 'user.name', 'user.email', 'user.profile', 'user.color'])
    .select(sql<boolean>`coalesce(user_presence.online, false)`.as('online'))
    .select(
      sql<UserRow['queues']>`coalesce((select jsonb_agg(jsonb_build_object('id', q.id, 'name', q.name, 'color', q.color) order by q.id)
        from user_queue uq join queue q on q.id = uq.queue_id where uq.user_id = "user".id), '[]')`.as('queues'),
    )
    .where('user.companyId', '=', companyId)
}

export const userRoutes = ({ db }: { db: Kysely<Database> }): Handlers<typeof users> => {
  /** Nobody else's; another company's does not exist. */
  const own = async (viewer: Viewer, id: number) => {
    const row = await db.selectFrom('user').select('id').where('id', '=', id).where('companyId', '=', viewer.companyId).executeTakeFirst()
    if (!row) refuse('ERR_NO_USER_FOUND')
    if (row.id !== viewer.id) refuse('ERR_NO_PERMISSION')
  }
  return {
    async list({ viewer, query: { searchParam = '', pageNumber = 1 } }) {
      const like = containing(searchParam.trim())
      const rows = await usersIn(db, viewer.companyId)
        .where(sql<boolean>`(plain("user".name) like plain(${like}) or "user".email ilike ${like})`)
        .orderBy('user.name')
        .orderBy('user.id')
        .limit(pageSize + 1)
        .offset((pageNumber - 1) * pageSize)
        .execute()
      return { users: rows.slice(0, pageSize), hasMore: rows.length > pageSize }
    },
    choices: ({ viewer }) => usersIn(db, viewer.companyId).orderBy('user.name').limit(1000).execute(),
    async language({ viewer, params, body }) {
      await own(viewer, params.id)
      await db.updateTable('user').set({ language: body.language }).where('id', '=', params.id).execute()
    },
    async width({ viewer, params, body }) {
      await own(viewer, params.userId)
      await db.updateTable('user').set(body).where('id', '=', params.userId).execute()
    },
  }
}
