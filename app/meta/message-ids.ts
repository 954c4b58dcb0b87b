import { createHmac } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { numberKey } from '#domain/contact/rules.ts'
import type { Database } from '#projections/database.ts'
import { createKeyedSerializer } from '../concurrency/keyed-serializer.ts'
import { digestsBegin, messageKeyOf } from '../inbound/same-id.ts'
import type { InboundEntry } from './parse-cloud-change.ts'

type Owner = { companyId: number; connectionId: number }
export type MessageIds = ReturnType<typeof messageIds>

const idsBegin = 'wamid.'
/** Splits a provider id from the suffix that we add after a colon (a part or a receipt). */
function splitId(text: string): [id: string, rest: string] {
  const colon = text.indexOf(':')
  return colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon)]
}

/**
 * A Cloud API message id contains the other side's phone number. The event store keeps its data for ever, so
 * it holds a digest. The id itself is in a table, from which it is erased with its person. Ids that an
 * earlier release stored unchanged keep that form. A known id keeps its digest, even if `secret` changes.
 */
export function messageIds(secret: Buffer) {
  const mac = (purpose: string, text: string) => createHmac('sha256', secret).update(`${purpose}:${text}`).digest('base64url').slice(0, 22)
  const digestOf = (id: string) => `${digestsBegin}${mac('id', id)}.${mac('key', messageKeyOf(id) ?? id)}`

  /** Stores the ids with their persons and returns the digest of each id. */
  async function digestsOf(db: Kysely<Database>, { companyId, connectionId }: Owner, people: ReadonlyMap<string, string>) {
    if (people.size === 0) return new Map<string, string>()
    const rows = [...people]
      .map(([id, person]) => ({ id, digest: digestOf(id), person: personKey(person) }))
      .toSorted((a, b) => (a.digest < b.digest ? -1 : 1)) // concurrent inserts in the same order cannot deadlock
    const list = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as w(id text, digest text, person text)`
    const { rows: known } = await sql<{ id: string; digest: string }>`
      select w.id, w.id as digest from ${list} where exists (select from inbound_event j where j.connection_id = ${connectionId} and j.external_id = w.id)
        or exists (select from outbox o where o.connection_id = ${connectionId} and o.provider_id = w.id)
      union all
      select w.id, p.digest from ${list} join message_provider_id p on p.connection_id = ${connectionId} and p.provider_id = w.id`.execute(
      db,
    )
    const digests = new Map(known.map(({ id, digest }) => [id, digest]))
    const fresh = rows.filter(({ id }) => !digests.has(id))
    for (const { id, digest } of fresh) digests.set(id, digest)
    if (fresh.length > 0)
      await db
        .insertInto('messageProviderId')
        .values(fresh.map(({ id, digest, person }) => ({ companyId, connectionId, digest, personKey: person, providerId: id })))
        .onConflict((row) => row.doNothing())
        .execute()
    return digests
  }

  /** Per connection, so that concurrent envelopes continue in order of arrival. */
  const envelopes = createKeyedSerializer<number>()
  async function hideIds(db: Kysely<Database>, owner: Owner, entries: InboundEntry[]): Promise<InboundEntry[]> {
    const people = new Map<string, string>()
    for (const entry of entries)
      withChangedIds(entry, (id) => {
        people.set(id, entry.conversation)
        return id
      })
    const digests = await digestsOf(db, owner, people)
    return entries.map((entry) => withChangedIds(entry, (id) => digests.get(id) ?? id))
  }

  return {
    /** Replaces the message ids in Cloud API events by digests. */
    hideIn(db: Kysely<Database>, owner: Owner, entries: InboundEntry[]): Promise<InboundEntry[]> {
      return envelopes.run([owner.connectionId], () => hideIds(db, owner, entries))
    },

    /** Hides the id of a sent message. Its receipts repeat the id, so a failed insert loses nothing. */
    async hide(db: Kysely<Database>, owner: Owner, id: string, person: string): Promise<string> {
      if (!id.startsWith(idsBegin)) return id
      const digests = await digestsOf(db, owner, new Map([[id, person]])).catch(() => new Map<string, string>())
      return digests.get(id) ?? digestOf(id)
    },
  }
}

/** Returns the provider's id of a message or its part; '': erased. */
export async function providerIdOf(db: Kysely<Database>, connectionId: number, externalId: string): Promise<string> {
  const id = externalId.replace(/:\d+$/, '')
  if (!id.startsWith(digestsBegin)) return id
  const known = db.selectFrom('messageProviderId').select('providerId').where('connectionId', '=', connectionId).where('digest', '=', id)
  return (await known.executeTakeFirst())?.providerId ?? ''
}

const personKey = (person: string): string => (/^\d+$/.test(person) ? numberKey(person) : person)

const named = new Set(['externalId', 'quotedExternalId', 'providerId'])
/** Returns a copy of the event with every message id replaced. */
function withChangedIds(entry: InboundEntry, change: (id: string) => string): InboundEntry {
  const other = (text: string) => {
    const [id, rest] = splitId(text)
    return id.startsWith(idsBegin) ? change(id) + rest : text
  }
  const payload = Object.entries(entry.payload).map(([field, value]) => {
    if (field === 'externalIds') return [field, (value as string[]).map(other)]
    return [field, named.has(field) && typeof value === 'string' ? other(value) : value]
  })
  return { ...entry, externalId: other(entry.externalId), payload: Object.fromEntries(payload) as InboundEntry['payload'] }
}
