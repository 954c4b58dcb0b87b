import { sql } from 'kysely'
import { identityKeyOf } from '#domain/contact/identity.ts'
import { networkOf } from '#domain/contact/rules.ts'
import { cleanName } from '#domain/contract.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import type { Channel, Connection, Identity, InboundEvent } from '../channels/channel.ts'
import { withTimeout } from '../concurrency/retry.ts'
import type { Clock } from '../scheduler/clock.ts'
import { type ContactStore, resolveContact } from './contact-resolver.ts'

type Deps = ContactStore & {
  channel?: (provider: string) => Channel | undefined
  clock: Pick<Clock, 'now'>
  caches: { nameLookups: NameLookups }
}
/** A name lookup delays the message by at most this time. */
const timeoutMs = 4000
/** Pause before the name of the same person is looked up again, because some people never publish one. */
const retryAfterMs = minuteMs
const maxLookups = 20_000
/** When the name of a person was looked up, by connection and identifier. */
export type NameLookups = Map<string, number>
function mayLookUp(connection: Connection, who: Identity, { clock, caches: { nameLookups: known } }: Deps): boolean {
  const key = `${connection.id} ${identityKeyOf(who)}`
  if ((known.get(key) ?? Number.NEGATIVE_INFINITY) > clock.now() - retryAfterMs) return false
  if (known.size >= maxLookups) known.clear()
  known.set(key, clock.now())
  return true
}

/** Adds the sender's name to a message of a nameless contact, for providers that return names only on request. */
export async function withName(connection: Connection, event: InboundEvent, deps: Deps): Promise<InboundEvent> {
  const needsName = event.type === 'message' && event.name === '' && event.group === null && !event.fromMe
  const nameOf = needsName ? deps.channel?.(connection.provider)?.nameOf : undefined
  if (!nameOf || event.type !== 'message') return event
  const contact = await resolveContact(connection, { ids: event.from, name: '', group: false }, false, deps)
  const who = event.from[0]!
  if ((contact && !contact.nameless) || !mayLookUp(connection, who, deps)) return event
  const name = await withTimeout(nameOf(connection, who), timeoutMs, 'Name lookup').catch(() => '')
  return { ...event, name }
}

/** `since`: when the members last set this subject, in seconds. */
export type Subject = { id: string; subject: string; since: number }
/** Stores the subjects that members gave their groups. A name that an agent gave later is kept. */
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
