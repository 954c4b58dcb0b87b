import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pictureText } from '#projections/contact/picture.ts'
import type { Channel, LeasedConnection, Recipient } from '../channels/channel.ts'
import type { AppContext } from '../context.ts'
import { target } from '../outbound/recipient.ts'
import type { StoredFile } from '../storage/media.ts'
import { changeFile } from '../storage/row-file.ts'
import { orNone } from './media-download.ts'

type Deps = Pick<AppContext, 'db' | 'logger' | 'media'> & { channel: (provider: string) => Channel | undefined }
/** Between two questions of one connection: who asks for many is taken for a machine. */
const paceMs = 3000
const idleMs = 60_000
const fresh = { kept: 7 * 86_400, again: 3600 }

/** Asks for the pictures of those who are served or wait: each once, and again after a week. Nobody waits for one. */
export async function syncAvatars(line: LeasedConnection, deps: Deps, signal: AbortSignal): Promise<void> {
  signal.addEventListener('abort', line.people.ring, { once: true })
  while (!signal.aborted) {
    const more = await next(line, deps).catch((err: unknown) => deps.logger.debug({ err }, 'a picture was not looked for'))
    if (!more) await line.people.rung(idleMs)
    await sleep(paceMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Whether somebody's was asked for. */
async function next({ connection: now, isLeaseValid: sure }: LeasedConnection, deps: Deps): Promise<boolean> {
  const { db } = deps
  const channel = deps.channel(now.provider)
  if (!channel?.picture || now.status !== 'CONNECTED' || !sure()) return false
  const { rows } = await sql<{ contactId: number }>`
    select c.id as contact_id from active_ticket a join contact c on c.id = a.contact_id left join contact_picture p on p.contact_id = c.id
    where a.company_id = ${now.companyId} and a.connection_id = ${now.id} and not c.is_group and c.active and c.deleted_at is null
      and (p.asked_at is null or p.asked_at < now() - make_interval(secs => ${fresh.kept}))
    order by p.asked_at nulls first, c.id limit 1`.execute(db)
  const found = rows[0] && (await target({ companyId: now.companyId, connectionId: now.id, ...rows[0] }, db))
  if (!found) return false
  await asked(found.to, db, fresh.again) // whatever comes of it
  const picture = await orNone(channel.picture(now, found.to))
  await keep(found.to, picture?.kind === 'image' ? picture : null, deps)
  if (picture && picture.kind !== 'image') {
    const { companyId } = now
    await deps.media.release({ id: picture.hold, companyId, key: picture.media.key })
  }
  await asked(found.to, db, fresh.kept)
  return true
}

/** It is asked for again so many seconds from now. */
const asked = ({ companyId, contactId }: Recipient, db: Deps['db'], seconds: number) =>
  sql`
    insert into contact_picture (contact_id, company_id, asked_at)
    values (${contactId}, ${companyId}, now() + make_interval(secs => ${seconds - fresh.kept}))
    on conflict (contact_id) do update set asked_at = excluded.asked_at`.execute(db)

/** None where somebody shows none any more. */
async function keep({ companyId, contactId }: Recipient, picture: StoredFile | null, { db }: Deps): Promise<void> {
  const text = picture && pictureText(picture.media)
  await db.transaction().execute(async (on) => {
    await changeFile(on, 'contact', companyId, contactId, picture)
    await sql`
      update contact set url_picture = ${text}, version = version + 1, updated_at = app_now()
      where id = ${contactId} and company_id = ${companyId} and url_picture is distinct from ${text}`.execute(on)
  })
}
