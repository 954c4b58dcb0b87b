import { createHmac } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { numberKey } from '#domain/contact/rules.ts'
import type { Database } from '#projections/database.ts'
import { digestsBegin, messageKeyOf } from '../inbound/same-id.ts'
import type { HeardEntry } from './cloud-heard.ts'

type Owner = { companyId: number; connectionId: number }
export type MessageIds = ReturnType<typeof messageIds>

const idsBegin = 'wamid.'
/** An id, and what this house adds to it behind a colon: a part, a mark. */
function inParts(text: string): [id: string, rest: string] {
  const colon = text.indexOf(':')
  return colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon)]
}

/**
 * The Cloud API packs the number of the other side into the ids of messages. The log keeps what it was told for ever, so that an id stands
 * there as a digest; the id itself is kept in a table, from which it is erased with its person. An id that a release before has written
 * down as it came keeps that form. A known id keeps its digest, also when `secret` is another by now.
 */
export function messageIds(secret: Buffer) {
  const mac = (purpose: string, text: string) => createHmac('sha256', secret).update(`${purpose}:${text}`).digest('base64url').slice(0, 22)
  const digestOf = (id: string) => `${digestsBegin}${mac('id', id)}.${mac('key', messageKeyOf(id) ?? id)}`

  /** What stands in the log for each of these ids, by the id; their persons by the id too. */
  async function digestsOf(db: Kysely<Database>, { companyId, connectionId }: Owner, people: ReadonlyMap<string, string>) {
    if (people.size === 0) return new Map<string, string>()
    const rows = [...people]
      .map(([id, person]) => ({ id, digest: digestOf(id), person: personKey(person) }))
      .toSorted((a, b) => (a.digest < b.digest ? -1 : 1)) // two calls that insert in one order never wait for each other in a circle
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

  /** By connection: envelopes that come at once go on in the order in which they came. */
  const turns = new Map<number, Promise<unknown>>()
  async function hidden(db: Kysely<Database>, owner: Owner, entries: HeardEntry[]): Promise<HeardEntry[]> {
    const people = new Map<string, string>()
    for (const entry of entries)
      changed(entry, (id) => {
        people.set(id, entry.conversation)
        return id
      })
    const digests = await digestsOf(db, owner, people)
    return entries.map((entry) => changed(entry, (id) => digests.get(id) ?? id))
  }

  return {
    /** What the Cloud API told, with digests for ids. */
    hideIn(db: Kysely<Database>, owner: Owner, entries: HeardEntry[]): Promise<HeardEntry[]> {
      const turn = (turns.get(owner.connectionId) ?? Promise.resolve()).then(() => hidden(db, owner, entries))
      turns.set(
        owner.connectionId,
        turn.catch(() => undefined),
      )
      return turn
    },

    /** Of a message that has left. It is told again by its marks, so that a store that is away now loses nothing. */
    async hide(db: Kysely<Database>, owner: Owner, id: string, person: string): Promise<string> {
      if (!id.startsWith(idsBegin)) return id
      const digests = await digestsOf(db, owner, new Map([[id, person]])).catch(() => new Map<string, string>())
      return digests.get(id) ?? digestOf(id)
    },
  }
}

/** The provider's id of a message, or of what it is a part of; '': it was erased. */
export async function providerIdOf(db: Kysely<Database>, connectionId: number, externalId: string): Promise<string> {
  const id = externalId.replace(/:\d+$/, '')
  if (!id.startsWith(digestsBegin)) return id
  const known = db.selectFrom('messageProviderId').select('providerId').where('connectionId', '=', connectionId).where('digest', '=', id)
  return (await known.executeTakeFirst())?.providerId ?? ''
}

const personKey = (person: string): string => (/^\d+$/.test(person) ? numberKey(person) : person)

const named = new Set(['externalId', 'quotedExternalId', 'providerId'])
/** An entry with every id of a message in it changed. */
function changed(entry: HeardEntry, change: (id: string) => string): HeardEntry {
  const other = (text: string) => {
    const [id, rest] = inParts(text)
    return id.startsWith(idsBegin) ? change(id) + rest : text
  }
  const heard = Object.entries(entry.heard).map(([field, value]) => {
    if (field === 'externalIds') return [field, (value as string[]).map(other)]
    return [field, named.has(field) && typeof value === 'string' ? other(value) : value]
  })
  return { ...entry, externalId: other(entry.externalId), heard: Object.fromEntries(heard) as HeardEntry['heard'] }
}
