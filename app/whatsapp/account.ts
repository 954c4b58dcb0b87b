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
import { bell } from '../concurrency/auto-reset-event.ts'
import { unwrapSecret, wrapSecret } from '../crypto/seal.ts'
import { Unavailable } from '../event-store/event-store.ts'
import { isTransient } from '../event-store/transient-errors.ts'
import { forgetImport } from '../inbound/importing.ts'
import { bounded, type Entry, isId, recordInbound, wakeWorker } from '../inbound/inbound-journal.ts'
import { type AccountKeys, sealedCode } from './account-keys.ts'

type Deps = { db: Kysely<Database>; whatsappAccountKeys: AccountKeys; logger: Logger }
/** A message as WhatsApp has it: to be sent again to a device that could not read it, quoted, reacted to. */
export type Kept = { id: string; fromMe: boolean; chat: string; participant: string | null; message: Uint8Array }
/** What is written down in one transaction with the keys that a decryption changes. */
/** `history`: what the phone tells of the time before it was linked. */
type Taking = { entries: Entry[]; kept: Kept[]; history: Uint8Array[]; written: boolean }

export type Account = Awaited<ReturnType<typeof openAccount>>

const mostCached = 5000
const mostAtOnce = 500
/** Who takes a session twice in so long wants to have it; once, it was an overlap. */
const rivalMs = 3_600_000

/** The account that a connection is linked to: its credentials and its keys, in Postgres, sealed with a key of its own. One process at a time has it. */
export async function openAccount(
  { connection: { id: connectionId, companyId }, lease }: Pick<LeasedConnection, 'connection' | 'lease'>,
  { db, whatsappAccountKeys, logger }: Deps,
) {
  const key = await whatsappAccountKeys.of(db, { id: connectionId, companyId })
  const sealed = (what: string, value: unknown) => wrapSecret(key, Buffer.from(JSON.stringify(value, BufferJSON.replacer)), what)
  const opened = (what: string, box: Buffer) => JSON.parse(unwrapSecret(key, box, what).toString(), BufferJSON.reviver)
  const mine = { connectionId, companyId }
  const taking = new AsyncLocalStorage<Taking>()
  /** What is known to be in the tables; nothing of it goes while something is read. */
  const cache = new Map<string, unknown>()
  let reading = 0
  const historyBell = bell()
  /** How often the account was given up. */
  let era = 0

  const row = await db.selectFrom('waAccount').select('creds').where('connectionId', '=', connectionId).executeTakeFirstOrThrow()
  const stored: AuthenticationCreds | null = row.creds && opened('creds', row.creds)
  /** A code was asked for and never typed in: what is left of that would be taken for an account, and refused. */
  const halfway = stored?.me && !stored.registered && !stored.account
  let creds = stored && !halfway ? stored : initAuthCreds()

  /** A process that stood still may have lost the account to another: what it still writes would spoil the keys of that one. */
  async function stillMine(on: Transaction<Database>, alone: boolean): Promise<void> {
    const leases = on.selectFrom('connectionLease').select('connectionId').where('connectionId', '=', connectionId)
    const mine = leases.where('holder', '=', lease.holder).where('number', '=', lease.number)
    const found = await (alone ? mine.forUpdate() : mine.forShare()).executeTakeFirst()
    if (!found) throw new Unavailable('another process has the account')
  }
  /** `alone`: after all that is being written, and before all else. */
  const writing = <T>(work: (on: Transaction<Database>) => Promise<T>, alone = false): Promise<T> =>
    db.transaction().execute(async (on) => {
      await stillMine(on, alone)
      return work(on)
    })
  async function keep(on: Kysely<Database>, all: Kept[], anew = false): Promise<void> {
    const messages = all.filter(({ id }) => isId(id))
    if (messages.length === 0) return
    await on
      .insertInto('waMessage')
      .values(messages.map(({ id, ...rest }) => ({ ...mine, id, who: whoseIs(rest), data: sealed(`message ${id}`, rest) })))
      .onConflict((known) =>
        anew ? known.columns(['connectionId', 'id']).doUpdateSet((eb) => ({ data: eb.ref('excluded.data') })) : known.doNothing(),
      )
      .execute()
  }
  async function write(on: Kysely<Database>, { entries, kept, history }: Taking): Promise<void> {
    await keep(on, kept)
    await recordInbound(on, bounded(entries, logger))
    for (const part of history)
      await sql`
        insert into wa_history (connection_id, company_id, data)
        select id, company_id, ${wrapSecret(key, Buffer.from(part), 'history')} from connection where id = ${connectionId} and enable_import_message`.execute(
        on,
      )
  }

  /** For one socket: what that still writes once the account was given up is nobody’s. */
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
        for (const id of missing) if (!cache.has(`${type}/${id}`)) cache.set(`${type}/${id}`, read.get(id) ?? null) // or it was written meanwhile
      }
      for (const id of ids) {
        const value = cache.get(`${type}/${id}`)
        if (value !== null && value !== undefined) found[id] = value as SignalDataTypeMap[T]
      }
      return found
    },
    /** All of it, and what was read with it, or nothing; the cache knows it only then. */
    async set(data: SignalDataSet) {
      const changes = Object.entries(data).flatMap(([type, values]) =>
        Object.entries(values ?? {}).map(([id, value]) => ({ type, id, value: value as unknown })),
      )
      const taken = taking.getStore()
      const some = changes.filter(({ value }) => value !== null)
      const gone = changes.filter(({ value }) => value === null)
      const columns = (of: typeof changes) => [of.map(({ type }) => type), of.map(({ id }) => id)] as const
      await writing(async (on) => {
        if (mine !== era) throw new Unavailable('the account was given up')
        if (some.length > 0) {
          const [types, ids] = columns(some)
          await sql`
            insert into wa_key (connection_id, company_id, type, id, data)
            select ${connectionId}, ${companyId}, t.* from unnest(${types}::text[], ${ids}::text[],
              ${some.map(({ type, id, value }) => sealed(`${type}/${id}`, value))}::bytea[]) as t
            on conflict (connection_id, type, id) do update set data = excluded.data`.execute(on)
        }
        if (gone.length > 0) {
          const [types, ids] = columns(gone)
          await sql`
            delete from wa_key k using unnest(${types}::text[], ${ids}::text[]) as t(type, id)
            where k.connection_id = ${connectionId} and k.type = t.type and k.id = t.id`.execute(on)
        }
        if (taken) await write(on, taken)
      })
      if (taken) taken.written = true
      for (const { type, id, value } of changes) cache.set(`${type}/${id}`, value)
      if (cache.size > mostCached && reading === 0) cache.clear()
    },
  })

  let saving: Promise<void> = Promise.resolve()
  let changed = false
  async function saveNow(): Promise<void> {
    if (!changed) return // went along with the one before
    changed = false
    const mine = era
    try {
      const now = { creds: sealed('creds', creds) }
      await writing(async (on) => {
        if (mine === era) await on.updateTable('waAccount').set(now).where('connectionId', '=', connectionId).execute()
      })
    } catch (error) {
      changed = true
      throw error
    }
  }

  return {
    /** `failed`: they could not be read or written, of which the client would make messages that nobody can open. */
    keys(failed: (error: unknown) => void): SignalKeyStore {
      const { get, set } = keysOf(era)
      const heeded = (error: unknown): never => {
        if (isTransient(error)) failed(error)
        throw error
      }
      return {
        get: async (type, ids) => Promise.resolve(get(type, ids)).catch(heeded),
        set: (data) => Promise.resolve(set(data)).catch(heeded),
      }
    },
    sealedCode: (code: string) => sealedCode(key, code),
    creds: () => creds,
    /** Of the phone that it is linked to. */
    number: () => creds.me?.id.split(/[:@]/)[0] ?? '',
    linked: () => creds.me !== undefined && (creds.registered || creds.account !== undefined),
    /** Another program took the session; answers whether that happened before, within the hour. */
    replaced: (now: number): Promise<boolean> =>
      writing(async (on) => {
        const mine = on.updateTable('waAccount').where('connectionId', '=', connectionId)
        const since = new Date(now - rivalMs).toISOString()
        const { numUpdatedRows: before } = await mine.set({ replacedAt: null }).where('replacedAt', '>', since).executeTakeFirst()
        if (before === 0n) await mine.set({ replacedAt: new Date(now).toISOString() }).execute()
        return before > 0n
      }),
    /** One at a time; what changes meanwhile goes along with the next. */
    save(): Promise<void> {
      changed = true
      saving = saving.catch(() => undefined).then(saveNow)
      return saving
    },
    /** What `run` reads is in the journal before the keys that it used up are gone; both or neither. */
    async journalled<T>(run: (batch: Pick<Taking, 'entries' | 'kept' | 'history'>) => Promise<T>): Promise<T> {
      const batch: Taking = { entries: [], kept: [], history: [], written: false }
      const answer = await taking.run(batch, () => run(batch))
      if (!batch.written && batch.entries.length + batch.kept.length + batch.history.length > 0)
        await db.transaction().execute((on) => write(on, batch)) // no key was changed
      if (batch.entries.length > 0) wakeWorker(db, connectionId)
      if (batch.history.length > 0) historyBell.ring()
      return answer
    },
    async hasTaken(externalId: string): Promise<boolean> {
      const row = db.selectFrom('inboundEvent').select('id').where('connectionId', '=', connectionId).where('externalId', '=', externalId)
      return (await row.executeTakeFirst()) !== undefined
    },
    /** What we say ourselves, in the place of what was said under its id before: WhatsApp may have refused that. */
    keep: (one: Kept) => keep(db, [one], true),
    async keepAll(on: Kysely<Database>, all: Kept[]): Promise<void> {
      for (let n = 0; n < all.length; n += mostAtOnce) await keep(on, all.slice(n, n + mostAtOnce))
    },
    /** Rings when there is more of it. */
    historyBell,
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
    async kept(id: string): Promise<Kept | null> {
      const found = await db
        .selectFrom('waMessage')
        .select('data')
        .where('connectionId', '=', connectionId)
        .where('id', '=', id)
        .executeTakeFirst()
      return found ? { id, ...opened(`message ${id}`, found.data) } : null
    },
    /** The phone took the device away, or somebody here gave it up. */
    async forget(): Promise<void> {
      era++
      await writing(async (on) => {
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

/** Who said it, or to whom it was said. */
const whoseIs = ({ chat, participant }: Pick<Kept, 'chat' | 'participant'>) => jidDecode(participant ?? chat)?.user ?? ''

const revived = (type: keyof SignalDataTypeMap, value: unknown) =>
  type === 'app-state-sync-key' ? proto.Message.AppStateSyncKeyData.fromObject(value as object) : value
