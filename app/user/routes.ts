import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { pageSize } from '#domain/contract.ts'
import { refuse } from '#domain/errors.ts'
import { pictureLimit, type UserRow, type users } from '#domain/user/contract.ts'
import type { Database } from '#projections/database.ts'
import { containing } from '#projections/postgres.ts'
import type { House } from '../house.ts'
import type { StoredFile } from '../http/media.ts'
import { changeFile, fileOf, givenUpMs, withFile } from '../http/row-file.ts'
import type { First, Handlers } from '../http/serve.ts'
import { megabyte } from '../http/uploads.ts'
import { sweepHeldFiles } from '../message/held-files.ts'

type Deps = Pick<House, 'db' | 'media' | 'log' | 'keys'>

/** Colleagues with their queues and whether they are here. */
export function usersIn(db: Kysely<Database>, companyId: number) {
  return db
    .selectFrom('user')
    .leftJoin('userPresence', 'userPresence.id', 'user.id')
    .select(['user.id', 'user.companyId', 'user.name', 'user.email', 'user.profile', 'user.color', fileOf('user')])
    .select(sql<boolean>`coalesce(user_presence.online, false)`.as('online'))
    .select(
      sql<UserRow['queues']>`coalesce((select jsonb_agg(jsonb_build_object('id', q.id, 'name', q.name, 'color', q.color) order by q.id)
        from user_queue uq join queue q on q.id = uq.queue_id where uq.user_id = "user".id), '[]')`.as('queues'),
    )
    .where('user.companyId', '=', companyId)
}

/** As they are shown: the picture has an address. */
export const withPicture =
  ({ url }: Pick<House['media'], 'url'>) =>
  <Row extends { companyId: number; media: StoredFile['media'] | null }>({ media, ...row }: Row) => ({
    ...row,
    profileImage: media && url(row.companyId, media),
  })

/** Nobody else's; another company's does not exist. */
async function own(db: Kysely<Database>, viewer: Viewer, id: number): Promise<void> {
  const row = await db.selectFrom('user').select('id').where('id', '=', id).where('companyId', '=', viewer.companyId).executeTakeFirst()
  if (!row) refuse('ERR_NO_USER_FOUND')
  if (row.id !== viewer.id) refuse('ERR_NO_PERMISSION')
}

export const userRoutes = (deps: Deps): Handlers<typeof users> => {
  const { db, media } = deps
  const shown = withPicture(media)
  async function depict({ companyId, id }: Viewer, picture: StoredFile | null): Promise<void> {
    await db.transaction().execute(async (on) => {
      await on
        .updateTable('user')
        .set((eb) => ({ language: eb.ref('language') })) // one at a time, and whoever shows the row hears of it
        .where('id', '=', id)
        .execute()
      await changeFile(on, 'user', companyId, id, picture)
    })
    await sweepHeldFiles(deps, givenUpMs)
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
      return { users: rows.slice(0, pageSize).map(shown), hasMore: rows.length > pageSize }
    },
    choices: async ({ viewer }) => (await usersIn(db, viewer.companyId).orderBy('user.name').limit(1000).execute()).map(shown),
    async language({ viewer, params, body }) {
      await own(db, viewer, params.id)
      await db.updateTable('user').set({ language: body.language }).where('id', '=', params.id).execute()
    },
    async width({ viewer, params, body }) {
      await own(db, viewer, params.userId)
      await db.updateTable('user').set(body).where('id', '=', params.userId).execute()
    },
    async attach({ viewer, params, files }) {
      await own(db, viewer, params.id)
      const [file] = files
      if (!file) refuse('ERR_INVALID_INPUT', { field: 'profileImage', rule: 'required' })
      if (file.size > pictureLimit * megabyte) refuse('ERR_TOO_LARGE', { limit: pictureLimit })
      await withFile(media, viewer, files, ({ media: picture }) =>
        picture?.kind === 'image' ? depict(viewer, picture) : refuse('ERR_UNSUPPORTED_MEDIA'),
      )
      return shown(await usersIn(db, viewer.companyId).where('user.id', '=', params.id).executeTakeFirstOrThrow())
    },
    async detach({ viewer, params }) {
      await own(db, viewer, params.id)
      await depict(viewer, null)
    },
  }
}

/** A picture is brought to oneself, in a company that has room for it. */
export const beforePicture = ({ db, media }: Deps): First<typeof users> => ({
  async attach({ viewer, params }) {
    await own(db, viewer, params.id!)
    return { room: await media.room(viewer.companyId) }
  },
})
