import { type Kysely, sql } from 'kysely'
import { lidEnding, networkOf, numberKey } from '#domain/contact/rules.ts'
import type { Database } from '#projections/database.ts'
import { gatheredBy } from '#projections/gather.ts'
import type { Connection, Identity } from './channel.ts'
import { placeholder } from './journal.ts'

/** `ids`: all that the provider names them by. */
export type From = { ids: Identity[]; name: string; group: boolean }
type Keyed = Identity & { key: string }
type Who = { companyId: number; network: string; ids: Keyed[] }
/** `others`: contacts of their own that turned out to be this person. `nameless`: called by their number, for nobody told more. */
export type Found = { id: number; active: boolean; others: number[]; nameless: boolean }
type Row = Found & { number: string; kind: string; key: string; written: string }
const believed = new WeakMap<Kysely<Database>, Map<string, { found: Found; until: number }>>()

/** Who is who was changed. */
export const forgetKnown = (db: Kysely<Database>): void => void believed.delete(db)

const bare = (id: string): string => id.split('@')[0]!
/** As an identity is compared: a phone in all the ways its number is written, an id of another kind as it is. */
export const keyOf = ({ kind, id }: Identity): string => (kind === 'phone' ? numberKey(id) : kind === 'lid' ? bare(id) : id)

const finding = gatheredBy(async (db: Kysely<Database>, list: Who[]): Promise<Row[][]> => {
  const asked = list.flatMap(({ companyId, network, ids }, n) => ids.map(({ kind, key }) => ({ n, companyId, network, kind, key })))
  const column = (name: keyof (typeof asked)[number]) => asked.map((one) => one[name])
  const { rows } = await sql<Row & { n: number }>`
    select w.n, c.id, c.active, c.number, c.name = c.number as nameless, i.kind, i.key, i.id as written,
      array(select d.duplicate_id from contact_duplicate d where d.contact_id = c.id order by 1) as others
    from unnest(${column('n')}::int[], ${column('companyId')}::int[], ${column('network')}::text[], ${column('kind')}::text[], ${column('key')}::text[])
      as w(n, company_id, network, kind, key)
    join contact_identity i using (company_id, network, kind, key)
    join contact c on c.id = i.contact_id`.execute(db)
  const found = Map.groupBy(rows, ({ n }) => n)
  return list.map((_, n) => found.get(n) ?? [])
})

type At = { companyId: number; channel: string }
/** Ids as they are looked for: each once. `called`: all of them in one name. */
function lookedFor({ companyId, channel }: At, identities: Identity[]): { who: Who; called: string } {
  const network = networkOf(channel)
  const all = identities.map((one) => ({ ...one, id: one.kind === 'lid' ? bare(one.id) : one.id, key: keyOf(one) }))
  const ids = all.filter(({ kind, key }, i) => all.findIndex((one) => one.kind === kind && one.key === key) === i)
  return { who: { companyId, network, ids }, called: `${companyId}/${network}/${ids.map(({ kind, id }) => `${kind}:${id}`).join()}` }
}
/** Whom rows name, and whether they hold every id as it was told. */
function firstOf(rows: Row[], { ids }: Who): { first: Row | undefined; whole: boolean } {
  const first = rows.toSorted((a, b) => a.id - b.id)[0]
  const kept = (one: Keyed) =>
    rows.some((row) => row.id === first?.id && row.kind === one.kind && row.key === one.key && row.written === one.id)
  return { first, whole: ids.every(kept) }
}
function believe(called: string, found: Found, db: Kysely<Database>): Found {
  const known = believed.get(db) ?? new Map()
  if (known.size > 20_000) known.clear()
  believed.set(db, known.set(called, { found, until: Date.now() + 2000 }))
  return found
}

/** Whom ids name by now; what they say behind it is looked up no more. */
export async function contactsOf(at: At, identities: Identity[], db: Kysely<Database>): Promise<number[]> {
  if (identities.length === 0) return []
  const { who, called } = lookedFor(at, identities)
  const rows = await finding(db, who)
  const { first, whole } = firstOf(rows, who)
  if (first && whole) believe(called, { id: first.id, active: first.active, others: first.others, nameless: first.nameless }, db)
  return rows.map(({ id }) => id)
}

/** What a contact is called, of whom more than an address is known. */
export async function calledHere(connection: Connection, ids: Identity[], db: Kysely<Database>): Promise<string | null> {
  const found = await contactsOf(connection, ids, db)
  if (found.length === 0) return null
  const named = db.selectFrom('contact').select('name').where('id', 'in', found).whereRef('name', '<>', 'number')
  return (await named.orderBy('id').executeTakeFirst())?.name ?? null
}

/** The contact who wrote, by any of the ids they are told under, made where `create` says so; believed for two seconds. */
export async function contactFor(
  connection: { id: number; companyId: number; channel: string },
  { ids: identities, name, group }: From,
  create: boolean,
  db: Kysely<Database>,
): Promise<Found | undefined> {
  const { who, called } = lookedFor(connection, identities)
  const { companyId, network, ids } = who
  const cached = believed.get(db)?.get(called)
  if (cached && cached.until > Date.now() && !(cached.found.nameless && name)) return cached.found
  let rows = await finding(db, who)
  if (rows.length === 0 && create) {
    const number = numberOf(ids)
    const own = ids.find(({ kind }) => kind === 'phone' || kind === 'scoped')
    const called = { companyId, channel: network, numberKey: own ? numberKey(number) : number }
    await db
      .insertInto('contact')
      .values({
        ...{ ...called, number, name: name || number, isGroup: group },
        ...{ whatsappId: connection.id, extraInfo: '[]', lgpdAcceptedAt: null, urlPicture: null, deletedAt: null },
      })
      .onConflict((row) => row.doNothing())
      .execute()
    rows = await finding(db, who)
    if (rows.length === 0) {
      await namedAnew(called, group, db)
      rows = await finding(db, who)
    }
  }
  const { first, whole } = firstOf(rows, who)
  if (!first) return undefined
  let others = first.others
  if (!whole) {
    others = await link(who, first, rows, db)
    forgetKnown(db) // who was somebody else a moment ago
  }
  if (first.nameless && name) await named(first.id, name, db)
  return believe(called, { id: first.id, active: first.active, others, nameless: first.nameless && !name }, db)
}

/**
 * There is a contact of that number who is known by another id alone: one who was taken for somebody that is gone, or a group that was entered
 * as a person. What is written to its row names it by its own.
 */
const namedAnew = (called: { companyId: number; channel: string; numberKey: string }, isGroup: boolean, db: Kysely<Database>) =>
  db
    .updateTable('contact')
    .set({ isGroup })
    .where((eb) => eb.and(called))
    .where('deletedAt', 'is', null)
    .execute()

const named = (id: number, name: string, db: Kysely<Database>) =>
  db
    .updateTable('contact')
    .set({ name, version: sql`version + 1`, updatedAt: sql`house_now()` })
    .where('id', '=', id)
    .whereRef('name', '=', 'number')
    .execute()

/** What a contact is called by who has no phone number. */
function numberOf(ids: Identity[]): string {
  const own = ids.find(({ kind }) => kind === 'phone') ?? ids[0]!
  return own.kind === 'lid' ? `${own.id}${lidEnding}` : own.id
}

/**
 * All of them name one person from now on: the contact that is there longest. Whom a second one was made for keeps it, with its history; a
 * row says that the two are one. Who was known by no number gets the one that is told now, unless another contact has it.
 */
async function link(
  { companyId, network, ids }: Who,
  { id: contactId, number }: Row,
  rows: Row[],
  db: Kysely<Database>,
): Promise<number[]> {
  const others = [...new Set(rows.flatMap((row) => [row.id, ...row.others]))].filter((id) => id !== contactId)
  await db.transaction().execute(async (on) => {
    await on
      .insertInto('contactIdentity')
      .values(ids.map(({ kind, key, id }) => ({ companyId, network, kind, key, id, contactId })))
      .onConflict((row) =>
        row.columns(['companyId', 'network', 'kind', 'key']).doUpdateSet((eb) => ({
          id: eb.ref('excluded.id'),
          contactId: eb.ref('excluded.contactId'),
        })),
      )
      .execute()
    for (const duplicateId of others)
      await on
        .insertInto('contactDuplicate')
        .values({ companyId, contactId, duplicateId })
        .onConflict((row) => row.doNothing())
        .execute()
    const phone = ids.find(({ kind }) => kind === 'phone')
    if (!phone || !number.endsWith(lidEnding)) return
    await sql`
      update contact c set number = ${phone.id}, number_key = ${phone.key}, name = case when c.name = c.number then ${phone.id} else c.name end,
        updated_at = house_now()
      where id = ${contactId} and not exists (
        select from contact o where o.company_id = c.company_id and o.channel = c.channel and o.number_key = ${phone.key} and o.deleted_at is null)`.execute(
      on,
    )
  })
  return others
}

/** Which ids, by `nameOf`, are those of contacts who were erased: their key is destroyed, and the row of it stays for ever. */
export async function erasedAmong(
  { companyId, channel }: Pick<Connection, 'companyId' | 'channel'>,
  ids: Identity[],
  db: Kysely<Database>,
): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select distinct w.name from unnest(${ids.map(nameOf)}::text[], ${ids.map(({ kind }) => kind)}::text[], ${ids.map(keyOf)}::text[]) as w(name, kind, key)
    join contact_identity i on i.company_id = ${companyId} and i.network = ${networkOf(channel)} and i.kind = w.kind and i.key = w.key
    join contact_key k on k.company_id = i.company_id and k.contact_id = i.contact_id and k.destroyed_at is not null`.execute(db)
  return new Set(rows.map(({ name }) => name))
}
export const nameOf = ({ kind, id }: Identity): string => `${kind} ${id}`

type Person = { contactIds: number[]; connectionId: number }
/** Where a person's earlier message may stand: the active ticket first, then the latest ones. */
export async function ticketsOf(db: Kysely<Database>, { contactIds, connectionId }: Person): Promise<number[]> {
  const active = await db
    .selectFrom('activeTicket')
    .select('ticketId')
    .where('contactId', 'in', contactIds)
    .where('connectionId', '=', connectionId)
    .execute()
  const latest = await db
    .selectFrom('ticket')
    .select('id')
    .where('contactId', 'in', contactIds)
    .where('whatsappId', '=', connectionId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(5)
    .execute()
  return [...new Set([...active.map(({ ticketId }) => ticketId), ...latest.map(({ id }) => id)])]
}
/** Where it stands, or may stand, by what is known of its id: the ticket it was sent from, or those of the time when it came. */
async function ticketsOfThatTime(db: Kysely<Database>, { contactIds, connectionId }: Person, externalId: string): Promise<number[]> {
  const theirs = sql`whatsapp_id = ${connectionId} and contact_id = any(${contactIds}::int[])`
  const sent = sql`select ticket_id as id from outbox where connection_id = ${connectionId} and kind = 'send' and contact_id = any(${contactIds}::int[])`
  const { rows } = await sql<{ id: number }>`
    with came as (
      select min(received_at) as at from journal
      where connection_id = ${connectionId} and external_id = any(${[externalId, externalId + placeholder]}::text[])
    )
    (${sent} and external_id = ${externalId}) union all (${sent} and provider_id = ${externalId})
    union all (select id from ticket where ${theirs} and created_at <= (select at from came) order by created_at desc, id desc limit 3)
    union all (select id from ticket where ${theirs} and created_at > (select at from came) order by created_at, id limit 2)`.execute(db)
  return rows.map(({ id }) => id)
}
/** Where this one may stand, however long ago it was said; what was imported is known by its id. */
export async function placesOf(db: Kysely<Database>, person: Person, externalId: string): Promise<number[]> {
  const imported = await db
    .selectFrom('importMessage')
    .innerJoin('importChat', 'importChat.id', 'importMessage.chatId')
    .innerJoin('ticket', 'ticket.id', 'importChat.ticketId')
    .select('ticket.id')
    .where('importMessage.connectionId', '=', person.connectionId)
    .where('importMessage.externalId', '=', externalId)
    .where('ticket.contactId', 'in', person.contactIds)
    .executeTakeFirst()
  if (imported) return [imported.id]
  return [...new Set([...(await ticketsOf(db, person)), ...(await ticketsOfThatTime(db, person, externalId))])]
}
