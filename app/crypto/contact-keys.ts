import { createHmac } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { checkOf, newDataKey, unwrapKey, wrapKey } from '#app/crypto/seal.ts'
import { createBatchLoader } from '#projections/batch-loader.ts'
import type { Database } from '#projections/database.ts'

export type ContactKeys = ReturnType<typeof contactKeys>
export type Contact = { companyId: number; contactId: number }

type Row = { n: number; wrapped: Buffer | null; destroyedAt: Date | string | null }
/** `missing`: there is no key, and no row says that it was destroyed; or the master key does not open it. */
export type KeyState = { state: 'there'; key: Buffer } | { state: 'destroyed' | 'missing'; key: null }
type KnownKey = { key: Buffer | null; since: number }

const missing: KeyState = { state: 'missing', key: null }

/** The data keys of contacts. `master` wraps them; without it the table tells nothing. */
export function contactKeys(pool: Pick<pg.Pool, 'query'>, master: Buffer, { most = 10_000, freshMs = 60_000 } = {}) {
  const known = new Map<string, KnownKey>()
  const check = checkOf(master)
  /* A process that outlived a rotation must not wrap anything with the key of before (A-KEY-01). */
  const insert = `insert into contact_key (company_id, contact_id, wrapped, wrapped_by) select $1::int, $2::int, $3::bytea, $4::text
    where not exists (select from master_key where check_value <> $4 or next_check is not null) on conflict do nothing`
  const nameOf = ({ companyId, contactId }: Contact) => `${companyId}/${contactId}`

  /** Another process may have destroyed the key since, so none is believed for longer than a minute. */
  function recall(name: string): KnownKey | null {
    const found = known.get(name)
    if (found && Date.now() - found.since < freshMs) return found
    known.delete(name)
    return null
  }

  function keep(contact: Contact, wrapped: Buffer | null): Buffer | null {
    const key = wrapped && unwrapKey(master, wrapped, contact.companyId, contact.contactId)
    known.delete(nameOf(contact))
    known.set(nameOf(contact), { key, since: Date.now() })
    if (known.size > most) known.delete(known.keys().next().value!)
    return key
  }

  const text = `select w.n::int - 1 as n, k.wrapped, k.destroyed_at as "destroyedAt" from unnest($1::int[], $2::int[]) with ordinality as w(company_id, contact_id, n)
    join contact_key k on k.company_id = w.company_id and k.contact_id = w.contact_id`
  /** The row of a contact: undefined when it never had one. */
  const rowOf = createBatchLoader(async (list: Contact[]) => {
    const values = [list.map(({ companyId }) => companyId), list.map(({ contactId }) => contactId)]
    const { rows } = await pool.query<Row>(text, values)
    const found = new Map(rows.map((row) => [row.n, row]))
    return list.map((_, i) => found.get(i))
  })

  /** To read with: null when the key is destroyed, or never was. */
  async function find(contact: Contact): Promise<Buffer | null> {
    const known = recall(nameOf(contact))
    if (known) return known.key
    const row = await rowOf(contact)
    return row ? keep(contact, row.wrapped) : null
  }

  return {
    find,

    /** What became of the key, as the store says now; whoever may have altered it is not trusted. */
    async stateOf(contact: Contact): Promise<KeyState> {
      const row = await rowOf(contact)
      if (row && row.wrapped === null && row.destroyedAt !== null) return { state: 'destroyed', key: null }
      try {
        return row?.wrapped ? { state: 'there', key: unwrapKey(master, row.wrapped, contact.companyId, contact.contactId) } : missing
      } catch {
        return missing
      }
    },

    /** To write with: made at the first call; null when it is destroyed, for ever. */
    async of(contact: Contact): Promise<Buffer | null> {
      const { companyId, contactId } = contact
      const known = await find(contact)
      if (known || recall(nameOf(contact))) return known
      const wrapped = wrapKey(master, newDataKey(), companyId, contactId)
      await pool.query(insert, [companyId, contactId, wrapped, check])
      // Whoever was first has the key; the row decides, not what we offered.
      const row = await rowOf(contact)
      if (!row) throw new Error('the master key of this process is no longer the one of the store')
      return keep(contact, row.wrapped)
    },

    /** The keys of many, before a page of events is read. */
    async load(companyId: number, contactIds: number[]): Promise<void> {
      await Promise.all([...new Set(contactIds)].map((contactId) => find({ companyId, contactId })))
    },

    /** Nothing sealed with it can be read again. The row stays, so that the contact is never given another. */
    async destroy(contact: Contact): Promise<void> {
      const text = `insert into contact_key (company_id, contact_id, wrapped, destroyed_at) values ($1, $2, null, now())
        on conflict (company_id, contact_id) do update set wrapped = null, destroyed_at = coalesce(contact_key.destroyed_at, now())`
      await pool.query(text, [contact.companyId, contact.contactId])
      keep(contact, null)
    },
  }
}

/** A participant of a group by a name that only says "the same again": made with the group's key, so that it is lost with that. */
export const authorOf = (key: Buffer | null, participantId: string): string | null =>
  key && createHmac('sha256', key).update(`participant:${participantId}`).digest('base64url').slice(0, 22)

/** Some keys wrapped anew, and how many; a row says by which master it is wrapped, so that none is done twice. */
export async function rewrapContactKeys(db: Kysely<Database>, from: Buffer, to: Buffer, most = 500): Promise<number> {
  const check = checkOf(to)
  return db.transaction().execute(async (tx) => {
    const rows = await tx
      .selectFrom('contactKey')
      .select(['companyId', 'contactId', 'wrapped'])
      .where('wrapped', 'is not', null)
      .where(sql<boolean>`wrapped_by is distinct from ${check}`)
      .orderBy('companyId')
      .orderBy('contactId')
      .limit(most)
      .forUpdate()
      .execute()
    if (rows.length === 0) return 0
    const anew = rows.map(({ companyId, contactId, wrapped }) =>
      wrapKey(to, unwrapKey(from, wrapped!, companyId, contactId), companyId, contactId),
    )
    await sql`update contact_key k set wrapped = w.wrapped, wrapped_by = ${check}
      from unnest(${rows.map((row) => row.companyId)}::int[], ${rows.map((row) => row.contactId)}::int[], ${anew}::bytea[]) as w(company_id, contact_id, wrapped)
      where k.company_id = w.company_id and k.contact_id = w.contact_id`.execute(tx)
    return rows.length
  })
}
