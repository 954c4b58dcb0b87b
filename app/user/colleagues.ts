import { type Kysely, sql } from 'kysely'
import type { UserDetail, UserRow } from '#domain/user/contract.ts'
import { published } from '#domain/user/rules.ts'
import type { Database } from '#projections/database.ts'
import type { AppContext } from '../context.ts'
import { noPassword } from '../session/founding.ts'
import type { StoredFile } from '../storage/media.ts'
import { fileOf } from '../storage/row-file.ts'
import { availability } from './availability.ts'

/** Users with their queues and presence, without retired users. */
export function usersIn(db: Kysely<Database>, companyId: number) {
  return db
    .selectFrom('user')
    .leftJoin('userPresence', 'userPresence.id', 'user.id')
    .select(['user.id', 'user.companyId', 'user.name', 'user.email', 'user.profile', 'user.super', 'user.color', fileOf('user')])
    .select([sql<boolean>`coalesce(user_presence.online, false)`.as('online'), availability.as('availability')])
    .select(
      sql<
        UserRow['queues']
      >`coalesce((select jsonb_agg(jsonb_build_object('id', q.id, 'name', q.name, 'color', q.color) order by q.order_queue, q.id)
        from user_queue uq join queue q on q.id = uq.queue_id where uq.user_id = "user".id), '[]')`.as('queues'),
    )
    .where('user.companyId', '=', companyId)
    .where('user.retiredAt', 'is', null)
}

/** All published fields of a user; the picture has no URL yet. */
export async function userIn(db: Kysely<Database>, companyId: number, id: number) {
  const found = await usersIn(db, companyId)
    .select(['user.whatsappId', 'user.startWork', 'user.endWork', 'user.farewellMessage', 'user.flags', 'user.version'])
    .select(['user.defaultTheme', 'user.defaultMenu', 'user.language', 'user.defaultTicketsManagerWidth'])
    .select(
      sql<UserDetail['reportQueues']>`case when report_queue_ids is not null then
        coalesce((select jsonb_agg(jsonb_build_object('id', q.id, 'name', q.name, 'color', q.color) order by q.order_queue, q.id)
          from queue q where q.id = any(report_queue_ids) and q.retired_at is null), '[]') end`.as('reportQueues'),
    )
    .select(sql<boolean>`password_hash <> ${noPassword}`.as('hasPassword'))
    .where('user.id', '=', id)
    .executeTakeFirst()
  if (!found) return null
  const { flags, ...row } = found
  return {
    ...row,
    ...published(flags),
    language: row.language as UserDetail['language'],
    queueIds: idsOf(row.queues),
    reportQueueIds: row.reportQueues && idsOf(row.reportQueues),
  }
}
const idsOf = (queues: { id: number }[]) => queues.map(({ id }) => id).toSorted((a, b) => a - b)
export type StoredUser = NonNullable<Awaited<ReturnType<typeof userIn>>>

/** The user for the audit log, without fields that change by themselves. */
export const auditedUser = ({
  media: _,
  online: __,
  availability: ___,
  hasPassword: ____,
  super: _____,
  defaultTicketsManagerWidth: ______,
  reportQueueIds: _______,
  ...row
}: StoredUser) => row

/** The user with the URL of the picture. */
export const withPicture =
  ({ url }: Pick<AppContext['media'], 'url'>) =>
  <Row extends { companyId: number; media: StoredFile['media'] | null }>({ media, ...row }: Row) => {
    const profileImage = media && url(row.companyId, media)
    return { ...row, profileImage, avatar: profileImage }
  }
