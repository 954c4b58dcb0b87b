import { sql } from 'kysely'
import { daySeconds, hourSeconds, minuteMs } from '#domain/duration/rules.ts'
import { pictureText } from '#projections/contact/picture.ts'
import type { Channel, LeasedConnection, Recipient } from '../channels/channel.ts'
import { abortableSleep } from '../concurrency/abortable-sleep.ts'
import type { AppContext } from '../context.ts'
import { target } from '../outbound/recipient.ts'
import type { StoredFile } from '../storage/media.ts'
import { changeFile } from '../storage/row-file.ts'
import { orNone } from './media-download.ts'

type Deps = Pick<AppContext, 'db' | 'logger' | 'media'> & { channel: (provider: string) => Channel | undefined }
/** Pause between two requests of one connection, because providers block accounts that request many pictures. */
const paceMs = 3000
const idleMs = minuteMs
const fresh = { kept: 7 * daySeconds, again: hourSeconds }

/** Downloads the pictures of contacts with an active ticket, again after a week. */
export async function syncAvatars(leased: LeasedConnection, deps: Deps, signal: AbortSignal): Promise<void> {
  signal.addEventListener('abort', leased.people.set, { once: true })
  while (!signal.aborted) {
    const more = await syncNext(leased, deps).catch((err: unknown) => deps.logger.debug({ err }, 'Contact picture sync failed'))
    if (!more) await leased.people.wait(idleMs)
    await abortableSleep(paceMs, signal)
  }
}

/** Syncs one picture. Returns false if none is due. */
async function syncNext({ connection, isLeaseValid }: LeasedConnection, deps: Deps): Promise<boolean> {
  const { db } = deps
  const channel = deps.channel(connection.provider)
  if (!channel?.picture || connection.status !== 'CONNECTED' || !isLeaseValid()) return false
  const { rows } = await sql<{ contactId: number }>`
    select c.id as contact_id from active_ticket a join contact c on c.id = a.contact_id left join contact_picture p on p.contact_id = c.id
    where a.company_id = ${connection.companyId} and a.connection_id = ${connection.id} and not c.is_group and c.active and c.deleted_at is null
      and (p.asked_at is null or p.asked_at < now() - make_interval(secs => ${fresh.kept}))
    order by p.asked_at nulls first, c.id limit 1`.execute(db)
  const found = rows[0] && (await target({ companyId: connection.companyId, connectionId: connection.id, ...rows[0] }, db))
  if (!found) return false
  await scheduleNextSync(found.to, db, fresh.again) // a failed download is retried after an hour
  const picture = await orNone(channel.picture(connection, found.to))
  await storePicture(found.to, picture?.kind === 'image' ? picture : null, deps)
  if (picture && picture.kind !== 'image') {
    const { companyId } = connection
    await deps.media.release({ id: picture.hold, companyId, key: picture.media.key })
  }
  await scheduleNextSync(found.to, db, fresh.kept)
  return true
}

/** The picture is due again after this many seconds. */
const scheduleNextSync = ({ companyId, contactId }: Recipient, db: Deps['db'], seconds: number) =>
  sql`
    insert into contact_picture (contact_id, company_id, asked_at)
    values (${contactId}, ${companyId}, now() + make_interval(secs => ${seconds - fresh.kept}))
    on conflict (contact_id) do update set asked_at = excluded.asked_at`.execute(db)

/** Stores the picture, or removes it if the person shows none. A contact that was deleted meanwhile gets none. */
export async function storePicture(
  { companyId, contactId }: Pick<Recipient, 'companyId' | 'contactId'>,
  picture: StoredFile | null,
  { db, media }: Pick<Deps, 'db' | 'media'>,
): Promise<void> {
  const text = picture && pictureText(picture.media)
  const isStored = await db.transaction().execute(async (on) => {
    const contact = on.selectFrom('contact').select('id').where('id', '=', contactId).where('companyId', '=', companyId)
    if (!(await contact.where('deletedAt', 'is', null).forUpdate().executeTakeFirst())) return false
    await changeFile(on, 'contact', companyId, contactId, picture)
    await sql`
      update contact set url_picture = ${text}, version = version + 1, updated_at = app_now()
      where id = ${contactId} and company_id = ${companyId} and url_picture is distinct from ${text}`.execute(on)
    return true
  })
  if (picture && !isStored) await media.release({ id: picture.hold, companyId, key: picture.media.key })
}
