import { type Kysely, sql } from 'kysely'
import { networkOf } from '#domain/contact/rules.ts'
import { cleanName } from '#domain/contract.ts'
import type { Database } from '#projections/database.ts'
import { within } from '../eventlog/patience.ts'
import { keyOf } from './caller.ts'
import type { Channel, Connection, Heard } from './channel.ts'

type Deps = { db: Kysely<Database>; channel?: (provider: string) => Channel | undefined }
/** Nobody waits longer to be heard because of a name. */
const mostMs = 4000

/** What was heard from somebody new, with their name, where the provider tells it only to who asks. */
export async function withName(now: Connection, heard: Heard, { db, channel }: Deps): Promise<Heard> {
  const ask = heard.type === 'message' && heard.name === '' && heard.group === null ? channel?.(now.provider)?.nameOf : undefined
  if (!ask || heard.type !== 'message') return heard
  const who = heard.from[0]!
  const known = await db
    .selectFrom('contactIdentity')
    .select('contactId')
    .where('companyId', '=', now.companyId)
    .where('network', '=', networkOf(now.channel))
    .where('kind', '=', who.kind)
    .where('key', '=', keyOf(who))
    .executeTakeFirst()
  if (known) return heard
  const name = await within(ask(now, who), mostMs, 'asking for a name').catch(() => '')
  return { ...heard, name }
}

/** `since`: when its people last named it so, in seconds. */
export type Subject = { id: string; subject: string; since: number }
/** A group is called as its people call it, unless somebody here named it after they did. */
export async function groupsAre(
  { companyId, channel }: Pick<Connection, 'companyId' | 'channel'>,
  groups: Subject[],
  { db }: Deps,
): Promise<void> {
  const told = groups.flatMap(({ subject, ...rest }) => (cleanName(subject) ? [{ ...rest, subject: cleanName(subject) }] : []))
  await sql`
    update contact c set name = g.subject, version = c.version + 1, updated_at = house_now()
    from unnest(${told.map(({ id }) => id)}::text[], ${told.map(({ subject }) => subject)}::text[], ${told.map(({ since }) => since)}::float8[])
      as g(id, subject, since)
    join contact_identity i on i.company_id = ${companyId} and i.network = ${networkOf(channel)} and i.kind = 'group' and i.key = g.id
    where c.id = i.contact_id and c.name <> g.subject and (c.name = c.number or c.updated_at < to_timestamp(g.since))`.execute(db)
}
