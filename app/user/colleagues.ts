import { type Kysely, sql } from 'kysely'
import type { UserDetail, UserRow } from '#domain/user/contract.ts'
import { published } from '#domain/user/rules.ts'
import type { Database } from '#projections/database.ts'
import type { AppContext } from '../context.ts'
import { noPassword } from '../session/founding.ts'
import type { StoredFile } from '../storage/media.ts'
import { fileOf } from '../storage/row-file.ts'
import { availability } from './availability.ts'

/** Colleagues with their queues and whether they are here; who is retired is none. */
export function usersIn(db: Kysely<Database>, companyId: number) {
  return db
    .selectFrom('user')
    .leftJoin('userPresence', 'userPresence.id', 'user.id')
    .select(['user.id', 'user.companyId', 'user.name', 'user.email', 'user.profile', 'user.super', 'user.color', fileOf('user')])
    .select([sql<boolean>`coalesce(user_presence.online, false)`.as('online'), availability.as('availability')])
    .select(
      sql<UserRow['queues']>`coalesce((select jsonb_agg(jsonb_build_object('id', q.id, 'name', q.name, 'color', q.color) order by q.id)
        from user_queue uq join queue q on q.id = uq.queue_id where uq.user_id = "user".id), '[]')`.as('queues'),
    )
    .where('user.companyId', '=', companyId)
    .where('user.retiredAt', 'is', null)
}

/** All of one, in the published words; `picture` is not yet an address. */
export async function userIn(db: Kysely<Database>, companyId: number, id: number) {
  const found = await usersIn(db, companyId)
    .select(['user.whatsappId', 'user.startWork', 'user.endWork', 'user.farewellMessage', 'user.flags', 'user.version'])
    .select(['user.defaultTheme', 'user.defaultMenu', 'user.language'])
    .select(sql<boolean>`password_hash <> ${noPassword}`.as('hasPassword'))
    .where('user.id', '=', id)
    .executeTakeFirst()
  if (!found) return null
  const { flags, ...row } = found
  return { ...row, ...published(flags), language: row.language as UserDetail['language'], queueIds: row.queues.map((queue) => queue.id) }
}
export type StoredUser = NonNullable<Awaited<ReturnType<typeof userIn>>>

/** What an audit tells of one: nothing that comes and goes by itself. */
export const auditedUser = ({ media: _, online: __, availability: ___, hasPassword: ____, super: _____, ...row }: StoredUser) => row

/** As they are shown: the picture has an address. */
export const withPicture =
  ({ url }: Pick<AppContext['media'], 'url'>) =>
  <Row extends { companyId: number; media: StoredFile['media'] | null }>({ media, ...row }: Row) => ({
    ...row,
    profileImage: media && url(row.companyId, media),
  })
