import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type AuthenticationCreds,
  BufferJSON,
  initAuthCreds,
  jidDecode,
  proto,
  type SignalDataSet,
  type SignalDataTypeMap,
  type SignalKeyStore,
} from '@whiskeysockets/baileys'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '#projections/database.ts'
import type { LeasedConnection } from '../channels/channel.ts'
import { createAutoResetEvent } from '../concurrency/auto-reset-event.ts'
import { createSerializer } from '../concurrency/keyed-serializer.ts'
import { unwrapSecret, wrapSecret } from '../crypto/seal.ts'
import { Unavailable } from '../event-store/event-store.ts'
import { isTransient } from '../event-store/transient-errors.ts'
import { forgetImport } from '../inbound/importing.ts'
import { bounded, isId, type NewJournalEntry, recordInbound } from '../inbound/inbound-journal.ts'
import type { WakeWorker } from '../inbound/worker-wakeups.ts'
import { type AccountKeys, sealedCode } from './account-keys.ts'

type Deps = { db: Kysely<Database>; wakeWorker: WakeWorker; whatsappAccountKeys: AccountKeys; logger: Logger }
/** A message in WhatsApp's format, needed to send it again to a device that could not read it, to quote it and to react to it. */
export type StoredMessage = { id: string; fromMe: boolean; chat: string; participant: string | null; message: Uint8Array }
/**
 * The rows that are written in one transaction with the keys that a decryption changes. `history`: parts of the phone's history from before
 * it was linked.
 */
type Batch = { entries: NewJournalEntry[]; kept: StoredMessage[]; history: Uint8Array[]; written: boolean }

export type Account = Awaited<ReturnType<typeof openAccount>>

const mostCached = 5000
const mostAtOnce = 500
/** Another program that takes the session twice within this time uses the account. Once may be an overlap of two processes. */
const rivalMs = 3_600_000

/**
 * Opens the account that a connection is linked to: credentials and keys in Postgres, encrypted with the account's own key. Only the process
 * with the lease may use it.
 */
export async function openAccount(
  { connection: { id: connectionId, companyId }, lease }: Pick<LeasedConnection, 'connection' | 'lease'>,
  { db, wakeWorker, whatsappAccountKeys, logger }: Deps,
) {
  const key = await whatsappAccountKeys.of(db, { id: connectionId, companyId })
  const sealed = (what: string, value: unknown) => wrapSecret(key, Buffer.from(JSON.stringify(value, BufferJSON.replacer)), what)
  const opened = (what: string, box: Buffer) => JSON.parse(unwrapSecret(key, box, what).toString(), BufferJSON.reviver)
  const mine = { connectionId, companyId }
  const currentBatch = new AsyncLocalStorage<Batch>()
  /** Rows as they are in the tables. The cache is not cleared during a read. */
  const cache = new Map<string, unknown>()
  let reading = 0
  const historyStored = createAutoResetEvent()
  /** How often the account was removed. */
  let generation = 0

  const row = await db.selectFrom('waAccount').select('creds').where('connectionId', '=', connectionId).executeTakeFirstOrThrow()
  const stored: AuthenticationCreds | null = row.creds && opened('creds', row.creds)
  /** A pairing code was requested and never used. WhatsApp would refuse these credentials, so they are discarded. */
  const halfway = stored?.me && !stored.registered && !stored.account
  let creds = stored && !halfway ? stored : initAuthCreds()

  /** Throws if the lease is lost. A stalled process must not overwrite the keys of the process that has the account now. */
  async function assertLease(on: Transaction<Database>, alone: boolean): Promise<void> {
    const leases = on.selectFrom('connectionLease').select('connectionId').where('connectionId', '=', connectionId)
    const mine = leases.where('holder', '=', lease.holder).where('number', '=', lease.number)
    const found = await (alone ? mine.forUpdate() : mine.forShare()).executeTakeFirst()
    if (!found) throw new Unavailable('Connection lease has expired')
  }
  /** `alone`: waits for running writes and blocks later ones. */
  const inTransaction = <T>(work: (on: Transaction<Database>) => Promise<T>, alone = false): Promise<T> =>
    db.transaction().execute(async (on) => {
      await assertLease(on, alone)
      return work(on)
    })
  async function keep(on: Kysely<Database>, all: StoredMessage[], replace = false): Promise<void> {
    const messages = all.filter(({ id }) => isId(id))
    if (messages.length === 0) return
    await on
      .insertInto('waMessage')
      .values(messages.map(({ id, ...rest }) => ({ ...mine, id, who: whoseIs(rest), data: sealed(`message ${id}`, rest) })))
      .onConflict((known) =>
        replace ? known.columns(['connectionId', 'id']).doUpdateSet((eb) => ({ data: eb.ref('excluded.data') })) : known.doNothing(),
      )
      .execute()
  }
  async function write(on: Kysely<Database>, { entries, kept, history }: Batch): Promise<void> {
    await keep(on, kept)
    await recordInbound(on, bounded(entries, logger))
    for (const part of history)
      await sql`
        insert into wa_history (connection_id, company_id, data)
        select id, company_id, ${wrapSecret(key, Buffer.from(part), 'history')} from connection where id = ${connectionId} and enable_import_message`.execute(
        on,
      )
  }

  /** The key store of one socket. A socket that still writes after the account was removed is refused. */
  const keysOf = (mine: number): SignalKeyStore => ({
    async get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]) {
      const found: Record<string, SignalDataTypeMap[T]> = {}
      const missing = ids.filter((id) => !cache.has(`${type}/${id}`))
      if (missing.length > 0) {
        reading++
        const rows = await db
          .selectFrom('waKey')
          .select(['id', 'data'])
          .where('connectionId', '=', connectionId)
          .where('type', '=', type)
          .where(sql<boolean>`id = any(${missing}::text[])`)
          .execute()
          .finally(() => reading--)
        const read = new Map(rows.map(({ id, data }) => [id, revived(type, opened(`${type}/${id}`, data))]))
        for (const id of missing) if (!cache.has(`${type}/${id}`)) cache.set(`${type}/${id}`, read.get(id) ?? null) // unless it was written meanwhile
      }
      for (const id of ids) {
        const value = cache.get(`${type}/${id}`)
        if (value !== null && value !== undefined) found[id] = value as SignalDataTypeMap[T]
      }
      return found
    },
    /** Writes the keys and the current batch in one transaction, then updates the cache. */
    async set(data: SignalDataSet) {
      const changes = Object.entries(data).flatMap(([type, values]) =>
        Object.entries(values ?? {}).map(([id, value]) => ({ type, id, value: value as unknown })),
      )
      const batch = currentBatch.getStore()
      const upserts = changes.filter(({ value }) => value !== null)
      const deletes = changes.filter(({ value }) => value === null)
      const columns = (of: typeof changes) => [of.map(({ type }) => type), of.map(({ id }) => id)] as const
      await inTransaction(async (on) => {
        if (mine !== generation) throw new Unavailable('WhatsApp account was removed')
        if (upserts.length > 0) {
          const [types, ids] = columns(upserts)
          await sql`
            insert into wa_key (connection_id, company_id, type, id, data)
            select ${connectionId}, ${companyId}, t.* from unnest(${types}::text[], ${ids}::text[],
              ${upserts.map(({ type, id, value }) => sealed(`${type}/${id}`, value))}::bytea[]) as t
            on conflict (connection_id, type, id) do update set data = excluded.data`.execute(on)
        }
        if (deletes.length > 0) {
          const [types, ids] = columns(deletes)
          await sql`
            delete from wa_key k using unnest(${types}::text[], ${ids}::text[]) as t(type, id)
            where k.connection_id = ${connectionId} and k.type = t.type and k.id = t.id`.execute(on)
        }
        if (batch) await write(on, batch)
      })
      if (batch) batch.written = true
      for (const { type, id, value } of changes) cache.set(`${type}/${id}`, value)
      if (cache.size > mostCached && reading === 0) cache.clear()
    },
  })

  const saves = createSerializer()
  let changed = false
  async function saveNow(): Promise<void> {
    if (!changed) return // the previous save included this change
    changed = false
    const mine = generation
    try {
      const now = { creds: sealed('creds', creds) }
      await inTransaction(async (on) => {
        if (mine === generation) await on.updateTable('waAccount').set(now).where('connectionId', '=', connectionId).execute()
      })
    } catch (error) {
      changed = true
      throw error
    }
  }

  return {
    /** `failed`: called if keys cannot be read or written, because the client would go on with messages that nobody can decrypt. */
    keys(failed: (error: unknown) => void): SignalKeyStore {
      const { get, set } = keysOf(generation)
      const report = (error: unknown): never => {
        if (isTransient(error)) failed(error)
        throw error
      }
      return {
        get: async (type, ids) => Promise.resolve(get(type, ids)).catch(report),
        set: (data) => Promise.resolve(set(data)).catch(report),
      }
    },
    sealedCode: (code: string) => sealedCode(key, code),
    creds: () => creds,
    /** The number of the linked phone. */
    number: () => creds.me?.id.split(/[:@]/)[0] ?? '',
    linked: () => creds.me !== undefined && (creds.registered || creds.account !== undefined),
    /** Records that another program took the session. Returns whether that also happened within the last hour. */
    replaced: (now: number): Promise<boolean> =>
      inTransaction(async (on) => {
        const mine = on.updateTable('waAccount').where('connectionId', '=', connectionId)
        const since = new Date(now - rivalMs).toISOString()
        const { numUpdatedRows: before } = await mine.set({ replacedAt: null }).where('replacedAt', '>', since).executeTakeFirst()
        if (before === 0n) await mine.set({ replacedAt: new Date(now).toISOString() }).execute()
        return before > 0n
      }),
    /** Saves the credentials, one write at a time. Changes during a write are saved by the next one. */
    save(): Promise<void> {
      changed = true
      return saves.run(saveNow)
    },
    /** Writes the events that `run` collects in one transaction with the keys that it used up. */
    async journalled<T>(run: (batch: Pick<Batch, 'entries' | 'kept' | 'history'>) => Promise<T>): Promise<T> {
      const batch: Batch = { entries: [], kept: [], history: [], written: false }
      const answer = await currentBatch.run(batch, () => run(batch))
      if (!batch.written && batch.entries.length + batch.kept.length + batch.history.length > 0)
        await db.transaction().execute((on) => write(on, batch)) // no key changed, so nothing is written yet
      if (batch.entries.length > 0) wakeWorker(connectionId)
      if (batch.history.length > 0) historyStored.set()
      return answer
    },
    async hasTaken(externalId: string): Promise<boolean> {
      const row = db.selectFrom('inboundEvent').select('id').where('connectionId', '=', connectionId).where('externalId', '=', externalId)
      return (await row.executeTakeFirst()) !== undefined
    },
    /** Stores a message of ours. It replaces an earlier one with the same id, which WhatsApp may have refused. */
    keep: (one: StoredMessage) => keep(db, [one], true),
    async keepAll(on: Kysely<Database>, all: StoredMessage[]): Promise<void> {
      for (let n = 0; n < all.length; n += mostAtOnce) await keep(on, all.slice(n, n + mostAtOnce))
    },
    /** Set when there are new parts of the history. */
    historyStored,
    async nextHistory(): Promise<{ id: number; data: Uint8Array; failures: number } | null> {
      const oldest = db
        .selectFrom('waHistory')
        .select(['id', 'data', 'failures'])
        .where('connectionId', '=', connectionId)
        .orderBy('id')
        .limit(1)
      const found = await oldest.executeTakeFirst()
      return found ? { ...found, data: unwrapSecret(key, found.data, 'history') } : null
    },
    async kept(id: string): Promise<StoredMessage | null> {
      const found = await db
        .selectFrom('waMessage')
        .select('data')
        .where('connectionId', '=', connectionId)
        .where('id', '=', id)
        .executeTakeFirst()
      return found ? { id, ...opened(`message ${id}`, found.data) } : null
    },
    /** Deletes the account, because the phone removed the device or a user ended the connection. */
    async forget(): Promise<void> {
      generation++
      await inTransaction(async (on) => {
        await on.deleteFrom('waKey').where('connectionId', '=', connectionId).execute()
        await on.updateTable('waAccount').set({ creds: null }).where('connectionId', '=', connectionId).execute()
        await forgetImport(on, connectionId)
      }, true)
      cache.clear()
      changed = false
      creds = initAuthCreds()
    },
  }
}

/** The author of a message, or the recipient of one of ours. */
const whoseIs = ({ chat, participant }: Pick<StoredMessage, 'chat' | 'participant'>) => jidDecode(participant ?? chat)?.user ?? ''

const revived = (type: keyof SignalDataTypeMap, value: unknown) =>
  type === 'app-state-sync-key' ? proto.Message.AppStateSyncKeyData.fromObject(value as object) : value
