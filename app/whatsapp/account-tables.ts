import { BufferJSON } from '@whiskeysockets/baileys'
import type { Kysely, Transaction } from 'kysely'
import type { LeasedConnection } from '#app/channels/channel.ts'
import { unwrapSecret, wrapSecret } from '#app/crypto/seal.ts'
import { Unavailable } from '#app/event-store/event-store.ts'
import type { Database } from '#projections/database.ts'

export type AccountTables = ReturnType<typeof accountTables>

/** The encrypted rows of one account, which only the process with the lease may write. */
export function accountTables(
  { connection: { id: connectionId, companyId }, lease }: Pick<LeasedConnection, 'connection' | 'lease'>,
  key: Buffer,
  db: Kysely<Database>,
) {
  /** Throws if the lease is lost. A stalled process must not overwrite the keys of the process that has the account now. */
  async function assertLease(on: Transaction<Database>, alone: boolean): Promise<void> {
    const leases = on.selectFrom('connectionLease').select('connectionId').where('connectionId', '=', connectionId)
    const mine = leases.where('holder', '=', lease.holder).where('number', '=', lease.number)
    const found = await (alone ? mine.forUpdate() : mine.forShare()).executeTakeFirst()
    if (!found) throw new Unavailable('Connection lease has expired')
  }
  return {
    db,
    connectionId,
    companyId,
    encryptBytes: (purpose: string, bytes: Uint8Array): Buffer => wrapSecret(key, Buffer.from(bytes), purpose),
    decryptBytes: (purpose: string, box: Buffer): Buffer => unwrapSecret(key, box, purpose),
    encrypt: (purpose: string, value: unknown): Buffer => wrapSecret(key, Buffer.from(JSON.stringify(value, BufferJSON.replacer)), purpose),
    decrypt: (purpose: string, box: Buffer) => JSON.parse(unwrapSecret(key, box, purpose).toString(), BufferJSON.reviver),
    /** Runs a transaction under the lease. `alone`: waits for running writes and blocks later ones. */
    inTransaction: <T>(work: (on: Transaction<Database>) => Promise<T>, alone = false): Promise<T> =>
      db.transaction().execute(async (on) => {
        await assertLease(on, alone)
        return work(on)
      }),
  }
}
