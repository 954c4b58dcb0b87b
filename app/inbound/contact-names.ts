import { type Kysely, sql } from 'kysely'
import { identityKeyOf } from '#domain/contact/identity.ts'
import { networkOf } from '#domain/contact/rules.ts'
import { cleanName } from '#domain/contract.ts'
import type { Database } from '#projections/database.ts'
import type { Channel, Connection, Identity, InboundEvent } from '../channels/channel.ts'
import { withTimeout } from '../concurrency/retry.ts'
import type { Clock } from '../scheduler/clock.ts'
import { resolveContact } from './contact-resolver.ts'

type Deps = { db: Kysely<Database>; channel?: (provider: string) => Channel | undefined; clock: Pick<Clock, 'now'> }
/** Nobody waits longer to be heard because of a name. */
const mostMs = 4000
/** Who was asked for in vain is asked for again so much later; some never say it. */
const againMs = 60_000
const mostAsked = 20_000
const asked = new WeakMap<Kysely<Database>, Map<string, number>>()
function mayAsk(now: Connection, who: Identity, { db, clock }: Deps): boolean {
  const known = asked.get(db) ?? new Map<string, number>()
  const key = `${now.id} ${identityKeyOf(who)}`
  if ((known.get(key) ?? Number.NEGATIVE_INFINITY) > clock.now() - againMs) return false
  if (known.size >= mostAsked) known.clear()
  asked.set(db, known.set(key, clock.now()))
  return true
}

/** What was heard from somebody who has no name yet, with it, where the provider tells it only to who asks. */
export async function withName(now: Connection, heard: InboundEvent, deps: Deps): Promise<InboundEvent> {
  const mayBeAsked = heard.type === 'message' && heard.name === '' && heard.group === null && !heard.fromMe
  const ask = mayBeAsked ? deps.channel?.(now.provider)?.nameOf : undefined
  if (!ask || heard.type !== 'message') return heard
  const contact = await resolveContact(now, { ids: heard.from, name: '', group: false }, false, deps.db)
  const who = heard.from[0]!
  if ((contact && !contact.nameless) || !mayAsk(now, who, deps)) return heard
  const name = await withTimeout(ask(now, who), mostMs, 'asking for a name').catch(() => '')
  return { ...heard, name }
}

/** `since`: when its people last named it so, in seconds. */
export type Subject = { id: string; subject: string; since: number }
/** A group is called as its people call it, unless somebody here named it after they did. */
export async function groupsAre(
  { companyId, channel }: Pick<Connection, 'companyId' | 'channel'>,
  groups: Subject[],
  { db }: Pick<Deps, 'db'>,
): Promise<void> {
  const named = groups.flatMap(({ subject, ...rest }) => (cleanName(subject) ? [{ ...rest, subject: cleanName(subject) }] : []))
  await sql`
    update contact c set name = g.subject, nameless = false, version = c.version + 1, updated_at = app_now()
    from unnest(${named.map(({ id }) => id)}::text[], ${named.map(({ subject }) => subject)}::text[], ${named.map(({ since }) => since)}::float8[])
      as g(id, subject, since)
    join contact_identity i on i.company_id = ${companyId} and i.network = ${networkOf(channel)} and i.kind = 'group' and i.key = g.id
    where c.id = i.contact_id and c.name <> g.subject and (c.nameless or c.updated_at < to_timestamp(g.since))`.execute(db)
}
