import { type Kysely, sql } from 'kysely'
import { providerNames, providers } from '#domain/channel/channels.ts'
import { expirySoonMs, isOutage, outages } from '#domain/connection/rules.ts'
import { languages } from '#domain/user/rules.ts'
import type { Database } from '#projections/database.ts'
import type { LeasedConnection } from '../channels/channel.ts'
import { linkRootOf } from '../config.ts'
import type { AppContext } from '../context.ts'
import { hasMail, sendMail } from '../mail/send.ts'
import { mailText } from '../mail/words.ts'
import { away, reasonNow } from '../observability/metrics.ts'
import { job } from '../scheduler/jobs.ts'

type Deps = Pick<AppContext, 'db' | 'enqueue' | 'logger'>

/**
 * Records a round trip to the provider. The worker with the lease calls this about every 30 s. A provider without round trips never counts
 * as silent.
 */
export const recordHeartbeat = ({ connection: { id }, lease }: LeasedConnection, db: Kysely<Database>) =>
  db
    .updateTable('connectionLease')
    .set({ roundTripAt: sql<string>`now()` })
    .where('connectionId', '=', id)
    .where('holder', '=', lease.holder)
    .execute()
/** Starts the count of silence for a lease that has had no round trip yet. */
export const noRoundTrip = ({ connection: { id }, lease }: LeasedConnection, db: Kysely<Database>) =>
  db
    .updateTable('connectionLease')
    .set({ roundTripAt: sql<string>`coalesce((select silent_since from connection where id = ${id}), now())` })
    .where('connectionId', '=', id)
    .where('holder', '=', lease.holder)
    .where('roundTripAt', 'is', null)
    .execute()

/** Longer for providers that are polled every few minutes than for those with a socket. */
const polled = providerNames.filter((name) => !providers[name].socket)
const silentAfter = sql`case when c.provider = any(${polled}::text[]) then interval '12 minutes' else interval '3 minutes' end`
/**
 * Marks connected connections without round trips as silent, and unmarks those that answer again. Notifies the admins once of a connection
 * that is down, unreachable for minutes or silent, of its return, and of an authorisation that expires soon. Operators read it in the log.
 */
export async function monitorConnections(deps: Deps): Promise<void> {
  const { rows: answering } = await sql<{ id: number; companyId: number }>`
    update connection c set silent_since = null, back_at = case when outage_notified_at is null then back_at else app_now() end, outage_notified_at = null
    from connection_lease l
    where l.connection_id = c.id and c.silent_since is not null and l.round_trip_at >= now() - ${silentAfter}
    returning c.id, c.company_id`.execute(deps.db)
  for (const { id, companyId } of answering) deps.logger.info({ connectionId: id, companyId }, 'Connection is back')
  await sql`
    update connection c set silent_since = l.round_trip_at from connection_lease l
    where l.connection_id = c.id and c.status = 'CONNECTED' and c.silent_since is null and l.round_trip_at < now() - ${silentAfter}`.execute(
    deps.db,
  )
  const { rows: back } = await sql<Outage>`
    select id, 'BACK' as reason, ${moment('back_at')} as since from connection
    where back_at is not null and status = 'CONNECTED' and silent_since is null`.execute(deps.db)
  for (const one of back) {
    await notifyAdmins(deps, one)
    await sql`update connection set back_at = null where id = ${one.id} and ${moment('back_at')} = ${one.since}`.execute(deps.db)
  }
  const { rows } = await sql<Outage & { companyId: number }>`
    select id, company_id, ${reasonNow} as reason, ${began} as since from connection where outage_notified_at is null and ${away}`.execute(
    deps.db,
  )
  const canMail = rows.length > 0 && (await hasMail(deps))
  for (const { id, companyId, reason, since } of rows) {
    await notifyAdmins(deps, { id, reason, since })
    const { numAffectedRows } = await sql`
      update connection set outage_notified_at = app_now() where id = ${id} and outage_notified_at is null and ${began} = ${since}`.execute(
      deps.db,
    )
    if (numAffectedRows !== 0n) deps.logger.warn({ connectionId: id, companyId, reason, mailed: canMail }, 'Connection is down')
  }
  const { rows: ending } = await sql<Outage>`
    select id::int as id, 'EXPIRES' as reason, ${moment('token_expires_at')} as since from meta_account
    where expiry_notified_at is null and token_expires_at < app_now() + ${expirySoonMs} * interval '1 millisecond'`.execute(deps.db)
  for (const one of ending) {
    await notifyAdmins(deps, one)
    await sql`
      update meta_account set expiry_notified_at = app_now()
      where id = ${String(one.id)} and expiry_notified_at is null and ${moment('token_expires_at')} = ${one.since}`.execute(deps.db)
  }
}

/** `since`: distinguishes an outage from the next one. */
type Outage = { id: number; reason: string; since: string }
const moment = (column: string) => sql<string>`(extract(epoch from ${sql.raw(column)}) * 1000000)::bigint::text`
const began = moment('coalesce(silent_since, updated_at)')

/** Enqueues the mails before the notification is recorded. The job id makes a second run harmless. */
async function notifyAdmins({ db, enqueue }: Pick<Deps, 'db' | 'enqueue'>, { id: connectionId, reason, since }: Outage): Promise<void> {
  const admins = await db
    .selectFrom('user')
    .innerJoin('connection', 'connection.companyId', 'user.companyId')
    .select('user.id')
    .where('connection.id', '=', connectionId)
    .where(sql<boolean>`("user".profile = 'admin' or "user".flags @> '{"allowConnections": true}')`) // A-CONN-07
    .where('user.retiredAt', 'is', null)
    .execute()
  for (const { id: userId } of admins)
    await enqueue(
      mailOutage,
      { userId, connectionId, reason },
      { id: `${reason === 'BACK' ? 'back' : 'outage'}-${connectionId}-${userId}-${since}` },
    )
}

/** Mail texts for reasons other than an outage. */
const mailsOf = { EXPIRES: ['expirySubject', 'expiry'], BACK: ['backSubject', 'back'] } as const
/** Mails an admin about an outage, a return or an expiring authorisation. */
export const mailOutage = job<Pick<AppContext, 'db' | 'config' | 'companySettingStore'>>()<{
  userId: number
  connectionId: number
  reason: string
}>('mail-outage', {
  attempts: 5,
  queue: 'mail',
  async run({ userId, connectionId, reason }, { db, config, companySettingStore }) {
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
    const link = `${linkRootOf(config)}/connections`
    const values = { name, connection, link, reason: isOutage(reason) ? outages[reason][column]! : reason }
    const [subject, text] = mailsOf[reason as keyof typeof mailsOf] ?? (['outageSubject', 'outage'] as const)
    await sendMail(
      { db, companySettingStore },
      { to, subject: mailText(subject, language, values), text: mailText(text, language, values) },
    )
  },
})
