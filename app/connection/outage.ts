import { type Kysely, sql } from 'kysely'
import { isOutage, outages } from '#domain/connection/rules.ts'
import { languages } from '#domain/user/contract.ts'
import type { Database } from '#projections/database.ts'
import type { Line, Standing } from '../channels/channel.ts'
import type { House } from '../house.ts'
import { hasMail, sendMail } from '../mail/send.ts'
import { mailText } from '../mail/words.ts'
import { job } from '../work/jobs.ts'

type Deps = Pick<House, 'db' | 'clock' | 'later'>
type Which = { id: number }

/**
 * How a connection stands by its provider's word, told by who holds it. Where that says why it is away, its company's admins are told, once
 * until it stands again.
 */
export async function stands(deps: Deps, { id }: Which, { status, qrcode = '', number, reason = null }: Standing): Promise<void> {
  const why = status === 'CONNECTED' ? null : reason
  const news = await deps.db.transaction().execute(async (on) => {
    const row = on
      .selectFrom('connection')
      .select(['status', 'qrcode', 'number', 'reason', 'silentSince', 'outageToldAt'])
      .where('id', '=', id)
    const before = await row.forUpdate().executeTakeFirst()
    if (!before) return false
    const next = { status, qrcode, number: number ?? before.number, reason: why, silentSince: null }
    const told = status === 'CONNECTED' ? null : before.outageToldAt
    const tells = why !== null && told === null
    const same = (Object.keys(next) as (keyof typeof next)[]).every((key) => next[key] === before[key])
    if (same && told === before.outageToldAt && !tells) return false
    const at = deps.clock.iso()
    await on
      .updateTable('connection')
      .set({ ...next, outageToldAt: tells ? at : told, updatedAt: at })
      .where('id', '=', id)
      .execute()
    return tells
  })
  if (news) await tellAdmins(deps, id, why!)
}

/** Something came back from the provider: the connection is there. Told by who holds it, about every half minute; a provider that never tells is never taken for silent. */
export const roundTrip = ({ now: { id }, lease }: Line, db: Kysely<Database>) =>
  db
    .updateTable('connectionLease')
    .set({ roundTripAt: sql<string>`now()` })
    .where('connectionId', '=', id)
    .where('holder', '=', lease.holder)
    .execute()

const silentAfter = sql`interval '3 minutes'`
/** Those that say that they stand and whose round trips stopped are shown as silent, and their admins told; those that answer again are not. */
export async function lookForSilence(deps: Deps): Promise<void> {
  await sql`
    update connection c set silent_since = null, outage_told_at = null from connection_lease l
    where l.connection_id = c.id and c.silent_since is not null and l.round_trip_at >= now() - ${silentAfter}`.execute(deps.db)
  const { rows } = await sql<{ id: number; told: boolean }>`
    with silent as (
      select c.id, c.outage_told_at is not null as told from connection c join connection_lease l on l.connection_id = c.id
      where c.status = 'CONNECTED' and c.silent_since is null and l.round_trip_at < now() - ${silentAfter} for update of c)
    update connection c set silent_since = l.round_trip_at, outage_told_at = coalesce(c.outage_told_at, house_now())
    from silent s join connection_lease l on l.connection_id = s.id where c.id = s.id
    returning c.id, s.told`.execute(deps.db)
  for (const { id, told } of rows) if (!told) await tellAdmins(deps, id, 'SILENT')
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
      await sendMail(
        { db, settingStore },
        { to, subject: mailText('outageSubject', language, said), text: mailText('outage', language, said) },
      )
    },
  },
)
