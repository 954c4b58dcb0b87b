import type { Kysely } from 'kysely'
import type { Database } from '#projections/database.ts'
import { rewrapSecrets } from '../crypto/event-mac-keys.ts'
import { checkOf, newDataKey, unwrapSecret, wrapSecret } from '../crypto/seal.ts'

/** Prefix of an encrypted pairing code. A code links every phone that reads it, so no table contains it in plain text. */
const codeMark = 'sealed '
const codePurpose = 'code'
export const sealedCode = (key: Buffer, code: string): string =>
  `${codeMark}${wrapSecret(key, Buffer.from(code), codePurpose).toString('base64')}`

export type AccountKeys = ReturnType<typeof accountKeys>

const purpose = (id: string) => `WhatsApp account of connection ${id}`
export const rewrapAccounts = (db: Kysely<Database>, from: Buffer, to: Buffer): Promise<number> =>
  rewrapSecrets(db, 'waAccount', purpose, from, to)

/** Returns the key that encrypts everything of a linked account. It is created on first use. */
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
  /** Returns the QR or pairing code in plain text. Codes of other providers are not encrypted. */
  async code(db: Kysely<Database>, { id: connectionId, qrcode }: { id: number; qrcode: string }): Promise<string> {
    if (!qrcode.startsWith(codeMark)) return qrcode
    const id = String(connectionId)
    const { wrapped } = await db.selectFrom('waAccount').select('wrapped').where('id', '=', id).executeTakeFirstOrThrow()
    const key = unwrapSecret(masterKey, wrapped, purpose(id))
    return unwrapSecret(key, Buffer.from(qrcode.slice(codeMark.length), 'base64'), codePurpose).toString()
  },
})
