import { type AuthenticationCreds, initAuthCreds, type SignalKeyStore } from '@whiskeysockets/baileys'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { LeasedConnection } from '#app/channels/channel.ts'
import { createSerializer } from '#app/concurrency/keyed-serializer.ts'
import { isTransient } from '#app/event-store/transient-errors.ts'
import { forgetImport } from '#app/inbound/importing.ts'
import type { WakeWorker } from '#app/inbound/worker-wakeups.ts'
import { hourMs } from '#domain/duration/rules.ts'
import type { Database } from '#projections/database.ts'
import { createAccountJournal } from './account-journal.ts'
import { type AccountKeys, sealedCode } from './account-keys.ts'
import { type AccountTables, accountTables } from './account-tables.ts'
import { createSignalKeyStore } from './signal-key-store.ts'

type Deps = { db: Kysely<Database>; wakeWorker: WakeWorker; whatsappAccountKeys: AccountKeys; logger: Logger }

export type Account = Awaited<ReturnType<typeof openAccount>>

/** Another program that takes the session twice within this time uses the account. Once may be an overlap of two processes. */
const rivalMs = hourMs

/**
 * Opens the account that a connection is linked to: credentials and keys in Postgres, encrypted with the account's own key. Only the process
 * with the lease may use it.
 */
export async function openAccount(
  leased: Pick<LeasedConnection, 'connection' | 'lease'>,
  { db, wakeWorker, whatsappAccountKeys, logger }: Deps,
) {
  const key = await whatsappAccountKeys.of(db, leased.connection)
  const tables = accountTables(leased, key, db)
  const { write, currentBatch, ...journal } = createAccountJournal(tables, { wakeWorker, logger })
  const keyStore = createSignalKeyStore(tables, { write, currentBatch })
  /** How often the account was removed. */
  let generation = 0
  let creds = await loadCreds(tables)
  /** Binds work to the account as it is now. */
  function removalCheck(): () => boolean {
    const mine = generation
    return () => mine !== generation
  }

  const saves = createSerializer()
  let changed = false
  async function saveNow(): Promise<void> {
    if (!changed) return // the previous save included this change
    changed = false
    const isRemoved = removalCheck()
    try {
      const now = { creds: tables.encrypt('creds', creds) }
      await tables.inTransaction(async (on) => {
        if (!isRemoved()) await on.updateTable('waAccount').set(now).where('connectionId', '=', tables.connectionId).execute()
      })
    } catch (error) {
      changed = true
      throw error
    }
  }

  return {
    ...journal,
    /** `failed`: called if keys cannot be read or written, because the client would go on with messages that nobody can decrypt. */
    keys: (failed: (error: unknown) => void): SignalKeyStore => reportingTransient(keyStore.of(removalCheck()), failed),
    sealedCode: (code: string) => sealedCode(key, code),
    creds: () => creds,
    /** The number of the linked phone. */
    number: () => creds.me?.id.split(/[:@]/)[0] ?? '',
    linked: () => creds.me !== undefined && (creds.registered || creds.account !== undefined),
    /** Records that another program took the session. Returns whether that also happened within the last hour. */
    replaced: (now: number): Promise<boolean> => recordReplacement(tables, now),
    /** Saves the credentials, one write at a time. Changes during a write are saved by the next one. */
    save(): Promise<void> {
      changed = true
      return saves.run(saveNow)
    },
    /** Deletes the account, because the phone removed the device or a user ended the connection. */
    async forget(): Promise<void> {
      generation++
      await deleteAccount(tables)
      keyStore.clearCache()
      changed = false
      creds = initAuthCreds()
    },
  }
}

async function loadCreds({ db, connectionId, decrypt }: AccountTables): Promise<AuthenticationCreds> {
  const row = await db.selectFrom('waAccount').select('creds').where('connectionId', '=', connectionId).executeTakeFirstOrThrow()
  const stored: AuthenticationCreds | null = row.creds && decrypt('creds', row.creds)
  /** A pairing code was requested and never used. WhatsApp would refuse these credentials, so they are discarded. */
  const halfway = stored?.me && !stored.registered && !stored.account
  return stored && !halfway ? stored : initAuthCreds()
}

const recordReplacement = ({ connectionId, inTransaction }: AccountTables, now: number): Promise<boolean> =>
  inTransaction(async (on) => {
    const account = on.updateTable('waAccount').where('connectionId', '=', connectionId)
    const since = new Date(now - rivalMs).toISOString()
    const { numUpdatedRows: before } = await account.set({ replacedAt: null }).where('replacedAt', '>', since).executeTakeFirst()
    if (before === 0n) await account.set({ replacedAt: new Date(now).toISOString() }).execute()
    return before > 0n
  })

const deleteAccount = ({ connectionId, inTransaction }: AccountTables): Promise<void> =>
  inTransaction(async (on) => {
    await on.deleteFrom('waKey').where('connectionId', '=', connectionId).execute()
    await on.updateTable('waAccount').set({ creds: null }).where('connectionId', '=', connectionId).execute()
    await forgetImport(on, connectionId)
    await on.deleteFrom('phoneBook').where('connectionId', '=', connectionId).execute()
  }, true)

/** Calls `failed` for a transient error of a key store, and rethrows every error. */
function reportingTransient({ get, set }: SignalKeyStore, failed: (error: unknown) => void): SignalKeyStore {
  const report = (error: unknown): never => {
    if (isTransient(error)) failed(error)
    throw error
  }
  return {
    get: async (type, ids) => Promise.resolve(get(type, ids)).catch(report),
    set: (data) => Promise.resolve(set(data)).catch(report),
  }
}
