import { type Kysely, sql } from 'kysely'
import { expirySoonMs, isOutage, outages } from '#domain/connection/rules.ts'
import { languages } from '#domain/user/contract.ts'
import type { Database } from '#projections/database.ts'
import type { Line } from '../channels/channel.ts'
import type { House } from '../house.ts'
import { hasMail, sendMail } from '../mail/send.ts'
import { mailText } from '../mail/words.ts'
import { job } from '../work/jobs.ts'

type Deps = Pick<House, 'db' | 'clock' | 'later'>

/** Something came back from the provider: the connection is there. Told by who holds it, about every half minute; a provider that never tells is never taken for silent. */
export const roundTrip = ({ now: { id }, lease }: Line, db: Kysely<Database>) =>
  db
    .updateTable('connectionLease')
    .set({ roundTripAt: sql<string>`now()` })
    .where('connectionId', '=', id)
    .where('holder', '=', lease.holder)
    .execute()

const silentAfter = sql`interval '3 minutes'`
/**
 * Those that say that they stand and whose round trips stopped are shown as silent, those that answer again are not; and the admins of a
 * connection that is away or silent are told, once until it stands again, or whose authorisation ends soon.
 */
export async function lookAfter(deps: Deps): Promise<void> {
  await sql`
    update connection c set silent_since = null, outage_told_at = null from connection_lease l
    where l.connection_id = c.id and c.silent_since is not null and l.round_trip_at >= now() - ${silentAfter}`.execute(deps.db)
  await sql`
    update connection c set silent_since = l.round_trip_at from connection_lease l
    where l.connection_id = c.id and c.status = 'CONNECTED' and c.silent_since is null and l.round_trip_at < now() - ${silentAfter}`.execute(
    deps.db,
  )
  const { rows } = await sql<{ id: number; reason: string }>`
    update connection set outage_told_at = house_now()
    where outage_told_at is null and (silent_since is not null or (reason is not null and status in ('DISCONNECTED', 'TIMEOUT')))
    returning id, case when silent_since is not null then 'SILENT' else reason end as reason`.execute(deps.db)
  for (const { id, reason } of rows) await tellAdmins(deps, id, reason)
  const { rows: ending } = await sql<{ id: number }>`
    update meta_account set expiry_told_at = house_now()
    where expiry_told_at is null and token_expires_at < house_now() + ${expirySoonMs} * interval '1 millisecond' returning id::int as id`.execute(
    deps.db,
  )
  for (const { id } of ending) await tellAdmins(deps, id, 'EXPIRES')
}

async function tellAdmins({ db, later, clock }: Deps, connectionId: number, reason: string): Promise<void> {
  const admins = await db
    .selectFrom('user')
    .innerJoin('connection', 'connection.companyId', 'user.companyId')
    .select('user.id')
    .where('connection.id', '=', connectionId)
    .where('user.profile', '=', 'admin')
    .where('user.retiredAt', 'is', null)
    .execute()
  const at = clock.now()
  for (const { id: userId } of admins)
    await later(mailOutage, { userId, connectionId, reason }, { id: `outage-${connectionId}-${userId}-${at}` })
}

/** By who reads no screen. */
export const mailOutage = job<Pick<House, 'db' | 'settings' | 'settingStore'>>()<{ userId: number; connectionId: number; reason: string }>(
  'mail-outage',
  {
    attempts: 5,
    concurrency: 1,
    async run({ userId, connectionId, reason }, { db, settings, settingStore }) {
      if (!(await hasMail({ db }))) return
      const row = await db
        .selectFrom('user')
        .innerJoin('connection', 'connection.companyId', 'user.companyId')
        .select(['user.name', 'user.email', 'user.language', 'connection.name as connection'])
        .where('user.id', '=', userId)
        .where('connection.id', '=', connectionId)
        .where('user.retiredAt', 'is', null)
        .executeTakeFirst()
      if (!row) return
      const { name, email: to, language, connection } = row
      const column = Math.max(0, (languages as readonly string[]).indexOf(language))
      const link = `${settings.publicUrl ?? `http://${settings.host}:${settings.port}`}/connections`
      const said = { name, connection, link, reason: isOutage(reason) ? outages[reason][column]! : reason }
      const [subject, text] = reason === 'EXPIRES' ? (['expirySubject', 'expiry'] as const) : (['outageSubject', 'outage'] as const)
      await sendMail({ db, settingStore }, { to, subject: mailText(subject, language, said), text: mailText(text, language, said) })
    },
  },
)
