import { createHmac } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { checkOf, newDataKey, unwrapKey, wrapKey } from '#app/crypto/seal.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import { createBatchLoader } from '#projections/batch-loader.ts'
import type { Database } from '#projections/database.ts'
import { createRedactions } from './redactions.ts'

export type ContactKeys = ReturnType<typeof contactKeys>
export type Contact = { companyId: number; contactId: number }

type Row = { n: number; wrapped: Buffer | null; destroyedAt: Date | string | null }
/** `missing`: there is neither a key nor a record of its destruction, or the master key does not unwrap it. */
export type KeyState = { state: 'there'; key: Buffer } | { state: 'destroyed' | 'missing'; key: null }
type KnownKey = { key: Buffer | null; since: number }

const missing: KeyState = { state: 'missing', key: null }

const nameOf = ({ companyId, contactId }: Contact) => `${companyId}/${contactId}`

function createKeyCache(master: Buffer, most: number, freshMs: number) {
  const known = new Map<string, KnownKey>()
  /** Cached keys expire after a minute, because another process may have destroyed the key. */
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
  return { recall, keep }
}

/** The data keys of contacts, wrapped by the master key. */
export function contactKeys(pool: Pick<pg.Pool, 'query'>, master: Buffer, { most = 10_000, freshMs = minuteMs } = {}) {
  const { recall, keep } = createKeyCache(master, most, freshMs)
  const check = checkOf(master)
  const redactions = createRedactions(pool, freshMs)
  /* A process that still runs after a rotation must not wrap anything with the old master key (A-KEY-01). */
  const insert = `insert into contact_key (company_id, contact_id, wrapped, wrapped_by) select $1::int, $2::int, $3::bytea, $4::text
    where not exists (select from master_key where check_value <> $4 or next_check is not null) on conflict do nothing`

  const text = `select w.n::int - 1 as n, k.wrapped, k.destroyed_at as "destroyedAt" from unnest($1::int[], $2::int[]) with ordinality as w(company_id, contact_id, n)
    join contact_key k on k.company_id = w.company_id and k.contact_id = w.contact_id`
  /** The key row of a contact, undefined if it never had one. */
  const rowOf = createBatchLoader(async (list: Contact[]) => {
    const values = [list.map(({ companyId }) => companyId), list.map(({ contactId }) => contactId)]
    const { rows } = await pool.query<Row>(text, values)
    const found = new Map(rows.map((row) => [row.n, row]))
    return list.map((_, i) => found.get(i))
  })

  /** The key for reading; null if it was destroyed or never existed. */
  async function find(contact: Contact): Promise<Buffer | null> {
    const known = recall(nameOf(contact))
    if (known) return known.key
    const row = await rowOf(contact)
    return row ? keep(contact, row.wrapped) : null
  }

  return {
    find,
    /** The sealed fields that are no longer opened although their key is there. */
    redactions: redactions.current,
    /** The same, read from the store now. */
    refreshRedactions: redactions.refresh,

    /** The current state of the key, read from the store. A row that was altered counts as missing. */
    async stateOf(contact: Contact): Promise<KeyState> {
      const row = await rowOf(contact)
      if (row && row.wrapped === null && row.destroyedAt !== null) return { state: 'destroyed', key: null }
      try {
        return row?.wrapped ? { state: 'there', key: unwrapKey(master, row.wrapped, contact.companyId, contact.contactId) } : missing
      } catch {
        return missing
      }
    },

    /** The key for writing, created at the first call; null forever once it is destroyed. */
    async of(contact: Contact): Promise<Buffer | null> {
      const { companyId, contactId } = contact
      const known = await find(contact)
      if (known || recall(nameOf(contact))) return known
      const wrapped = wrapKey(master, newDataKey(), companyId, contactId)
      await pool.query(insert, [companyId, contactId, wrapped, check])
      // Another process may have inserted its key first, so use the key in the row.
      const row = await rowOf(contact)
      if (!row) throw new Error('The master key of this process is no longer the one of the store')
      return keep(contact, row.wrapped)
    },

    /** Loads the keys of many contacts before a page of events is decoded. */
    async load(companyId: number, contactIds: number[]): Promise<void> {
      await Promise.all([...new Set(contactIds)].map((contactId) => find({ companyId, contactId })))
    },

    /** Destroys the key, so that no field sealed with it can be read again. The row stays, so that the contact never gets a new key. */
    async destroy(contact: Contact): Promise<void> {
      const text = `insert into contact_key (company_id, contact_id, wrapped, destroyed_at) values ($1, $2, null, now())
        on conflict (company_id, contact_id) do update set wrapped = null, destroyed_at = coalesce(contact_key.destroyed_at, now())`
      await pool.query(text, [contact.companyId, contact.contactId])
      keep(contact, null)
    },
  }
}

/** A pseudonym of a group participant. It is derived from the group's key, so that it is lost with that key. */
export const authorOf = (key: Buffer | null, participantId: string): string | null =>
  key && createHmac('sha256', key).update(`participant:${participantId}`).digest('base64url').slice(0, 22)

/** Wraps some keys with the new master key and returns their number. A row names its master key, so that none is wrapped twice. */
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
    const rewrapped = rows.map(({ companyId, contactId, wrapped }) =>
      wrapKey(to, unwrapKey(from, wrapped!, companyId, contactId), companyId, contactId),
    )
    await sql`update contact_key k set wrapped = w.wrapped, wrapped_by = ${check}
      from unnest(${rows.map((row) => row.companyId)}::int[], ${rows.map((row) => row.contactId)}::int[], ${rewrapped}::bytea[]) as w(company_id, contact_id, wrapped)
      where k.company_id = w.company_id and k.contact_id = w.contact_id`.execute(tx)
    return rows.length
  })
}
