import { type Kysely, sql } from 'kysely'
import { canBeSame, exactKey, type Identity, identityKeyOf, keysOf, withoutServer } from '#domain/contact/identity.ts'
import { lidEnding, networkOf, neutralEnd } from '#domain/contact/rules.ts'
import { textIn } from '#domain/flow/texts.ts'
import { customerLanguageOf } from '#domain/setting/contract.ts'
import { createStoreBatchLoader } from '#projections/batch-loader.ts'
import type { Database } from '#projections/database.ts'
import type { Connection } from '../channels/channel.ts'
import { settingsOf } from '../setting/read.ts'

/** `ids`: every identifier by which the provider names the sender. */
export type InboundSender = { ids: Identity[]; name: string; group: boolean }
type Keyed = Identity & { key: string }
type Who = { companyId: number; network: string; ids: Keyed[] }
/**
 * A contact. `others`: ids of contacts that turned out to be the same person or were merged with it (A-MERGE-01). `nameless`: the network
 * has given no name so far.
 */
export type ResolvedContact = { id: number; active: boolean; others: number[]; nameless: boolean }
/** A stored identity that matches the lookup. `known`: every identity of its contact except phone numbers. */
type Row = ResolvedContact & {
  number: string
  valid: boolean
  kind: string
  key: string
  written: string
  known: { kind: string; key: string }[]
}
/** Contacts by the identifiers of a lookup, for two seconds. */
export type ContactCache = Map<string, { found: ResolvedContact; until: number }>
export type ContactStore = { db: Kysely<Database>; caches: { contacts: ContactCache } }

/** Clears the cache, because a contact's identifiers changed. */
export const forgetKnown = ({ caches }: Pick<ContactStore, 'caches'>): void => caches.contacts.clear()

const findIdentities = createStoreBatchLoader(async (db: Kysely<Database>, list: Who[]): Promise<Row[][]> => {
  const asked = list.flatMap(({ companyId, network, ids }, n) =>
    ids.flatMap((one) => keysOf(one).map((key) => ({ n, companyId, network, kind: one.kind, key }))),
  )
  const column = (name: keyof (typeof asked)[number]) => asked.map((one) => one[name])
  const { rows } = await sql<Row & { n: number }>`
    select w.n, c.id, p.active, c.number, c.nameless, c.valid_number as valid, i.kind, i.key, i.id as written,
      coalesce((select jsonb_agg(jsonb_build_object('kind', k.kind, 'key', k.key)) from contact_identity k
        where k.contact_id = c.id and k.kind <> 'phone'), '[]') as known,
      array(select d.duplicate_id from contact_duplicate d where d.contact_id = c.id
        union select m.id from contact m where m.person_id = c.person_id and m.id <> c.id order by 1) as others
    from unnest(${column('n')}::int[], ${column('companyId')}::int[], ${column('network')}::text[], ${column('kind')}::text[], ${column('key')}::text[])
      as w(n, company_id, network, kind, key)
    join contact_identity i using (company_id, network, kind, key)
    join contact c on c.id = i.contact_id join contact p on p.id = c.person_id`.execute(db)
  const found = Map.groupBy(rows, ({ n }) => n)
  return list.map((_, n) => found.get(n) ?? [])
})
/** Drops the rows of a number's short key where a contact is stored under its exact digits. */
function preferExactNumbers(rows: Row[], ids: Keyed[]): Row[] {
  const exact = ids.filter((one) => one.kind === 'phone' && rows.some(({ kind, key }) => kind === 'phone' && key === exactKey(one.id)))
  return rows.filter(({ kind, key }) => kind !== 'phone' || !exact.some((one) => one.key === key))
}

type At = { companyId: number; channel: string }
/** Returns the identifiers of a lookup without duplicates. `cacheKey`: all of them in one string. */
function toLookup({ companyId, channel }: At, identities: Identity[]): { who: Who; cacheKey: string } {
  const network = networkOf(channel)
  const all = identities.map((one) => ({ ...one, id: one.kind === 'lid' ? withoutServer(one.id) : one.id, key: identityKeyOf(one) }))
  const ids = all.filter(({ kind, key }, i) => all.findIndex((one) => one.kind === kind && one.key === key) === i)
  return { who: { companyId, network, ids }, cacheKey: `${companyId}/${network}/${ids.map(({ kind, id }) => `${kind}:${id}`).join()}` }
}
type Match = { first: Row | undefined; rows: Row[]; whole: boolean }
/**
 * Decides which contact the stored identities point to (A-PHONE-02). A network id such as a lid decides; a phone number only counts for a
 * contact that has no other network id, because numbers change owners. `first`: that contact. `rows`: all identities of the same person.
 * `whole`: every id of the lookup is stored in the form in which it came.
 */
function matchRows(all: Row[], { ids }: Who): Match {
  const rows = preferExactNumbers(
    all.filter((row) => canBeSame(row.known, ids)),
    ids,
  )
  const byOwnId = rows.filter(({ kind }) => kind !== 'phone')
  const first = (byOwnId.length > 0 ? byOwnId : rows).toSorted((a, b) => a.id - b.id)[0]
  const kept = (one: Keyed) =>
    rows.some((row) => row.id === first?.id && row.kind === one.kind && keysOf(one).includes(row.key) && row.written === one.id)
  return { first, rows, whole: ids.every(kept) }
}
const resolvedFrom = ({ id, active, others, nameless }: Row): ResolvedContact => ({ id, active, others, nameless })
function cache(cacheKey: string, found: ResolvedContact, { contacts }: ContactStore['caches']): ResolvedContact {
  if (contacts.size > 20_000) contacts.clear()
  contacts.set(cacheKey, { found, until: Date.now() + 2000 })
  return found
}

/** Returns the contacts that these identifiers name now, and caches the first for the messages that follow. */
export async function knownContacts(at: At, identities: Identity[], { db, caches }: ContactStore): Promise<number[]> {
  if (identities.length === 0) return []
  const { who, cacheKey } = toLookup(at, identities)
  const { first, rows, whole } = matchRows(await findIdentities(db, who), who)
  if (first?.valid && whole) cache(cacheKey, resolvedFrom(first), caches)
  return rows.map(({ id }) => id)
}

/** Returns the name of the contact, or null if only an address is known. */
export async function calledHere(connection: Connection, ids: Identity[], store: ContactStore): Promise<string | null> {
  const found = await knownContacts(connection, ids, store)
  if (found.length === 0) return null
  const contacts = store.db.selectFrom('contact').select('name').where('id', 'in', found).where('nameless', '=', false)
  return (await contacts.orderBy('id').executeTakeFirst())?.name ?? null
}

/** Finds the contact by any of the sender's identifiers, or inserts it if `create` is set. The result is cached for two seconds. */
export async function resolveContact(
  connection: { id: number; companyId: number; channel: string },
  { ids: identities, name, group }: InboundSender,
  create: boolean,
  { db, caches }: ContactStore,
): Promise<ResolvedContact | undefined> {
  const { who, cacheKey } = toLookup(connection, identities)
  const cached = caches.contacts.get(cacheKey)
  if (cached && cached.until > Date.now() && !(cached.found.nameless && name)) return cached.found
  let all = await findIdentities(db, who)
  if (!matchRows(all, who).first && create) all = await createContact(connection.id, who, { name, group, all }, db)
  const { first, rows, whole } = matchRows(all, who)
  if (!first) return undefined
  let others = first.others
  if (!whole) {
    others = await link(who, first, { rows, all }, db)
    forgetKnown({ caches }) // the cache may still name another contact for these identifiers
  }
  if (first.nameless && name) await setName(first.id, name, db)
  if (create && !first.valid) await db.updateTable('contact').set({ validNumber: true }).where('id', '=', first.id).execute() // they wrote (A-PHONE-03)
  return cache(cacheKey, { ...resolvedFrom(first), others, nameless: first.nameless && !name }, caches)
}

/** Inserts a new contact and looks it up again. Two workers that insert the same person at once create one contact. */
async function createContact(
  whatsappId: number,
  who: Who,
  { name, group, all }: { name: string; group: boolean; all: Row[] },
  db: Kysely<Database>,
): Promise<Row[]> {
  const { companyId, network, ids } = who
  const { id: number, kind } = ids.find((one) => one.kind === 'phone') ?? ids[0]!
  const stored = kind === 'lid' ? `${number}${lidEnding}` : number
  const called = {
    companyId,
    channel: network,
    numberKey: kind === 'phone' ? await freeKey(who, number, { all, contactId: 0 }, db) : stored,
  }
  await db
    .insertInto('contact')
    .values({
      ...{
        ...called,
        number: stored,
        name: name || (await neutralName(companyId, { kind, id: number }, db)),
        nameless: name === '',
        isGroup: group,
      },
      ...{ whatsappId, extraInfo: '[]', lgpdAcceptedAt: null, urlPicture: null, deletedAt: null },
    })
    .onConflict((row) => row.doNothing())
    .execute()
  const rows = await findIdentities(db, who)
  if (matchRows(rows, who).first) return rows
  await updateIsGroup(called, group, db)
  return findIdentities(db, who)
}

/**
 * The key under which a contact stores this phone number: normally its short key, but the exact digits where the short key belongs to another
 * person. A contact that held the exact digits before loses them, since the number has a new owner.
 */
async function freeKey(
  { companyId, network, ids }: Who,
  number: string,
  { all, contactId }: { all: Row[]; contactId: number },
  db: Kysely<Database>,
): Promise<string> {
  const [exact, short] = keysOf({ kind: 'phone', id: number }) as [string, string]
  const ofAnother = all.some((row) => row.kind === 'phone' && [exact, short].includes(row.key) && !canBeSame(row.known, ids))
  if (!ofAnother) return short
  await sql`
    update contact set number_key = number_key || ' ' || id
    where company_id = ${companyId} and channel = ${network} and number_key = ${exact} and deleted_at is null and id <> ${contactId}`.execute(
    db,
  )
  await sql`
    delete from contact_identity
    where company_id = ${companyId} and network = ${network} and kind = 'phone'
      and (key = ${exact} and contact_id <> ${contactId} or starts_with(key, ${`${exact} `}))`.execute(db)
  return exact
}

/** The name of a contact without one: the phone number, or a neutral word instead of an id that means nothing to people. */
async function neutralName(companyId: number, { kind, id }: Identity, db: Kysely<Database>): Promise<string> {
  if (kind === 'phone' || kind === 'group') return id
  return `${textIn(customerLanguageOf(await settingsOf(db, companyId)), 'customer')}${neutralEnd(id)}`
}

/**
 * The insert met a contact of that number that has only another identifier: one that was linked to a person who left, or a group that was
 * entered as a person. Updating its row makes the database add the identity of the number.
 */
const updateIsGroup = (called: { companyId: number; channel: string; numberKey: string }, isGroup: boolean, db: Kysely<Database>) =>
  db
    .updateTable('contact')
    .set({ isGroup })
    .where((eb) => eb.and(called))
    .where('deletedAt', 'is', null)
    .execute()

const setName = (id: number, name: string, db: Kysely<Database>) =>
  db
    .updateTable('contact')
    .set({ name, nameless: false, version: sql`version + 1`, updatedAt: sql`app_now()` })
    .where('id', '=', id)
    .where('nameless', '=', true)
    .execute()

/**
 * Assigns all identifiers to one contact, the oldest. A second contact of the same person keeps its history and is recorded as a duplicate.
 * A contact without a number gets the number of this lookup, unless another contact has it.
 */
async function link(
  who: Who,
  { id: contactId, number }: Row,
  { rows, all }: { rows: Row[]; all: Row[] },
  db: Kysely<Database>,
): Promise<number[]> {
  const { companyId, network, ids } = who
  const others = [...new Set(rows.flatMap((row) => [row.id, ...row.others]))].filter((id) => id !== contactId)
  const found = new Set(rows.map((row) => row.id)) // merged contacts are no duplicates that the network reported
  await db.transaction().execute(async (on) => {
    const keyed: Keyed[] = []
    for (const one of ids) keyed.push({ ...one, key: one.kind === 'phone' ? await freeKey(who, one.id, { all, contactId }, on) : one.key })
    const phone = keyed.find(({ kind }) => kind === 'phone')
    await on
      .insertInto('contactIdentity')
      .values(keyed.map(({ kind, key, id }) => ({ companyId, network, kind, key, id, contactId })))
      .onConflict((row) =>
        row.columns(['companyId', 'network', 'kind', 'key']).doUpdateSet((eb) => ({
          id: eb.ref('excluded.id'),
          contactId: eb.ref('excluded.contactId'),
        })),
      )
      .execute()
    for (const duplicateId of others.filter((id) => found.has(id)))
      await on
        .insertInto('contactDuplicate')
        .values({ companyId, contactId, duplicateId })
        .onConflict((row) => row.doNothing())
        .execute()
    if (!phone || !number.endsWith(lidEnding)) return
    await sql`
      update contact c set number = ${phone.id}, number_key = ${phone.key}, name = case when c.nameless then ${phone.id} else c.name end,
        updated_at = app_now()
      where id = ${contactId} and not exists (
        select from contact o where o.company_id = c.company_id and o.channel = c.channel and o.number_key = ${phone.key} and o.deleted_at is null)`.execute(
      on,
    )
  })
  return others
}

/** Returns the ids, as `nameOf` writes them, of erased contacts. Their key is destroyed, and its row is kept for ever. */
export async function erasedAmong(
  { companyId, channel }: Pick<Connection, 'companyId' | 'channel'>,
  ids: Identity[],
  db: Kysely<Database>,
): Promise<Set<string>> {
  const keys = ids.flatMap((one) => keysOf(one).map((key) => ({ name: nameOf(one), kind: one.kind, key })))
  const column = (name: keyof (typeof keys)[number]) => keys.map((one) => one[name])
  const { rows } = await sql<{ name: string }>`
    select distinct w.name from unnest(${column('name')}::text[], ${column('kind')}::text[], ${column('key')}::text[]) as w(name, kind, key)
    join contact_identity i on i.company_id = ${companyId} and i.network = ${networkOf(channel)} and i.kind = w.kind and i.key = w.key
    join contact_key k on k.company_id = i.company_id and k.contact_id = i.contact_id and k.destroyed_at is not null`.execute(db)
  return new Set(rows.map(({ name }) => name))
}
export const nameOf = ({ kind, id }: Identity): string => `${kind} ${id}`
