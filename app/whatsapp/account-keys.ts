import type { Kysely } from 'kysely'
import type { Database } from '#projections/database.ts'
import { rewrapSecrets } from '../eventlog/log-keys.ts'
import { checkOf, newDataKey, unwrapSecret, wrapSecret } from '../eventlog/seal.ts'

export type AccountKeys = ReturnType<typeof accountKeys>

const purpose = (id: string) => `WhatsApp account of connection ${id}`
export const rewrapAccounts = (db: Kysely<Database>, from: Buffer, to: Buffer): Promise<number> =>
  rewrapSecrets(db, 'waAccount', purpose, from, to)

/** The key that everything of a linked account is sealed with, one an account; made when it is first asked for. */
export const accountKeys = (masterKey: Buffer) => ({
  async of(db: Kysely<Database>, { id: connectionId, companyId }: { id: number; companyId: number }): Promise<Buffer> {
    const id = String(connectionId)
    await db
      .insertInto('waAccount')
      .values({
        ...{ id, connectionId, companyId, creds: null },
        wrapped: wrapSecret(masterKey, newDataKey(), purpose(id)),
        wrappedBy: checkOf(masterKey),
      })
      .onConflict((row) => row.doNothing())
      .execute()
    const { wrapped } = await db.selectFrom('waAccount').select('wrapped').where('id', '=', id).executeTakeFirstOrThrow()
    return unwrapSecret(masterKey, wrapped, purpose(id))
  },
})
