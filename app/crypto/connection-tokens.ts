import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import { rewrapSecrets } from './event-mac-keys.ts'
import { checkOf, unwrapSecret, wrapSecret } from './seal.ts'

export type ConnectionTokens = ReturnType<typeof connectionTokens>

const purpose = (id: string) => `token of connection ${id}`
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')
export const rewrapTokens = (db: Kysely<Database>, from: Buffer, to: Buffer): Promise<number> =>
  rewrapSecrets(db, 'connectionToken', purpose, from, to)

/** API tokens of connections. They are sealed, because users can see them again; look-ups use a hash (A-CONN-08). */
export const connectionTokens = (masterKey: Buffer) => ({
  async of(on: Kysely<Database>, connectionId: number): Promise<string | null> {
    const id = String(connectionId)
    const row = await on.selectFrom('connectionToken').select('wrapped').where('id', '=', id).executeTakeFirst()
    return row ? unwrapSecret(masterKey, row.wrapped, purpose(id)).toString() : null
  },
  /** A token is unique across all companies. */
  async set(on: Kysely<Database>, { id: connectionId, companyId }: { id: number; companyId: number }, token: string): Promise<void> {
    const id = String(connectionId)
    const row = { hash: hashOf(token), wrapped: wrapSecret(masterKey, Buffer.from(token), purpose(id)), wrappedBy: checkOf(masterKey) }
    const taken = on.selectFrom('connectionToken').select('id').where('hash', '=', row.hash).where('id', '!=', id)
    if (await taken.executeTakeFirst()) refuse('ERR_INVALID_INPUT', { field: 'token', rule: 'unique' })
    await on
      .insertInto('connectionToken')
      .values({ id, companyId, ...row })
      .onConflict((known) => known.column('id').doUpdateSet(row))
      .execute()
  },
  async connectionOf(on: Kysely<Database>, token: string): Promise<{ id: number; companyId: number } | null> {
    const row = await on.selectFrom('connectionToken').select(['id', 'companyId']).where('hash', '=', hashOf(token)).executeTakeFirst()
    return row ? { id: Number(row.id), companyId: row.companyId } : null
  },
})
