import { proto, type SignalDataSet, type SignalDataTypeMap, type SignalKeyStore } from '@whiskeysockets/baileys'
import { type Kysely, sql } from 'kysely'
import { Unavailable } from '#app/event-store/event-store.ts'
import type { Database } from '#projections/database.ts'
import type { AccountJournal } from './account-journal.ts'
import type { AccountTables } from './account-tables.ts'

type KeyChange = { type: string; id: string; value: unknown }

const mostCached = 5000

/** The Signal keys of an account, encrypted in Postgres and cached in this process. */
export function createSignalKeyStore(tables: AccountTables, journal: Pick<AccountJournal, 'currentBatch' | 'write'>) {
  /** Rows as they are in the tables. */
  const cache = new Map<string, unknown>()
  /** How many reads run. The cache is not cleared during one, because it would find no key. */
  let reading = 0
  async function loadMissing(type: keyof SignalDataTypeMap, ids: string[]): Promise<void> {
    const missing = ids.filter((id) => !cache.has(`${type}/${id}`))
    if (missing.length === 0) return
    const rows = await selectKeys(tables, type, missing)
    const read = new Map(rows.map(({ id, data }) => [id, revived(type, tables.decrypt(`${type}/${id}`, data))]))
    for (const id of missing) if (!cache.has(`${type}/${id}`)) cache.set(`${type}/${id}`, read.get(id) ?? null) // unless it was written meanwhile
  }

  return {
    /** The key store of one socket. A socket that still writes after the account was removed is refused. */
    of: (isRemoved: () => boolean): SignalKeyStore => ({
      async get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]) {
        const found: Record<string, SignalDataTypeMap[T]> = {}
        reading++
        try {
          await loadMissing(type, ids)
          for (const id of ids) {
            const value = cache.get(`${type}/${id}`)
            if (value !== null && value !== undefined) found[id] = value as SignalDataTypeMap[T]
          }
        } finally {
          reading--
        }
        return found
      },
      /** Writes the keys and the current batch in one transaction, then updates the cache. */
      async set(data: SignalDataSet) {
        const changes = Object.entries(data).flatMap(([type, values]) =>
          Object.entries(values ?? {}).map(([id, value]): KeyChange => ({ type, id, value })),
        )
        const batch = journal.currentBatch()
        await tables.inTransaction(async (on) => {
          if (isRemoved()) throw new Unavailable('WhatsApp account was removed')
          await upsertKeys(
            tables,
            on,
            changes.filter(({ value }) => value !== null),
          )
          await deleteKeys(
            tables,
            on,
            changes.filter(({ value }) => value === null),
          )
          if (batch) await journal.write(on, batch)
        })
        if (batch) batch.written = true
        for (const { type, id, value } of changes) cache.set(`${type}/${id}`, value)
        if (cache.size > mostCached && reading === 0) cache.clear()
      },
    }),
    clearCache: () => cache.clear(),
  }
}

const selectKeys = ({ db, connectionId }: AccountTables, type: string, ids: string[]): Promise<{ id: string; data: Buffer }[]> =>
  db
    .selectFrom('waKey')
    .select(['id', 'data'])
    .where('connectionId', '=', connectionId)
    .where('type', '=', type)
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .execute()

const columnsOf = (changes: KeyChange[]) => [changes.map(({ type }) => type), changes.map(({ id }) => id)] as const

async function upsertKeys({ connectionId, companyId, encrypt }: AccountTables, on: Kysely<Database>, changes: KeyChange[]): Promise<void> {
  if (changes.length === 0) return
  const [types, ids] = columnsOf(changes)
  await sql`
    insert into wa_key (connection_id, company_id, type, id, data)
    select ${connectionId}, ${companyId}, t.* from unnest(${types}::text[], ${ids}::text[],
      ${changes.map(({ type, id, value }) => encrypt(`${type}/${id}`, value))}::bytea[]) as t
    on conflict (connection_id, type, id) do update set data = excluded.data`.execute(on)
}

async function deleteKeys({ connectionId }: AccountTables, on: Kysely<Database>, changes: KeyChange[]): Promise<void> {
  if (changes.length === 0) return
  const [types, ids] = columnsOf(changes)
  await sql`
    delete from wa_key k using unnest(${types}::text[], ${ids}::text[]) as t(type, id)
    where k.connection_id = ${connectionId} and k.type = t.type and k.id = t.id`.execute(on)
}

const revived = (type: keyof SignalDataTypeMap, value: unknown) =>
  type === 'app-state-sync-key' ? proto.Message.AppStateSyncKeyData.fromObject(value as object) : value
