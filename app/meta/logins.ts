import { createHash, randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import { rewrapSecrets } from '../crypto/event-mac-keys.ts'
import { checkOf, unwrapSecret, wrapSecret } from '../crypto/seal.ts'

type Whose = { companyId: number; id: number }
export type Login = { token: string; tokenExpiresAt: string | null }
const over = sql<string>`now() + interval '15 minutes'`
const now = sql<string>`now()`

const purpose = (id: string) => `login ${id}`
const idOf = (state: string) => createHash('sha256').update(state).digest('hex')
export const rewrapMetaLogins = (db: Kysely<Database>, from: Buffer, to: Buffer): Promise<number> =>
  rewrapSecrets(db, 'metaLogin', purpose, from, to)

/**
 * Login attempts at Meta. Each belongs to one user of one company, is used once, and its result is kept for
 * some minutes.
 */
export function metaLogins(masterKey: Buffer) {
  const sealed = (id: string, token: string) => ({
    ...{ wrapped: wrapSecret(masterKey, Buffer.from(token), purpose(id)), wrappedBy: checkOf(masterKey) },
  })
  const theirs = (on: Kysely<Database>, state: string, { companyId, id: userId }: Whose) =>
    on
      .selectFrom('metaLogin')
      .select(['id', 'wrapped', 'tokenExpiresAt', 'usedAt'])
      .where('id', '=', idOf(state))
      .where('companyId', '=', companyId)
      .where('userId', '=', userId)
      .where('expiresAt', '>', now)
  return {
    /** Returns the state parameter that comes back with the login. */
    async begin(on: Kysely<Database>, { companyId, id: userId }: Whose): Promise<string> {
      const state = randomBytes(24).toString('base64url')
      const id = idOf(state)
      await on.deleteFrom('metaLogin').where('expiresAt', '<', now).execute()
      const row = { id, companyId, userId, expiresAt: over, usedAt: null, tokenExpiresAt: null }
      await on
        .insertInto('metaLogin')
        .values({ ...row, ...sealed(id, '') })
        .execute()
      return state
    },
    /** A state can be used once. A second use is refused. */
    async enter(on: Kysely<Database>, state: string, whose: Whose): Promise<void> {
      const used = on.updateTable('metaLogin').set({ usedAt: now }).where('usedAt', 'is', null)
      const { numUpdatedRows } = await used.where('id', 'in', theirs(on, state, whose).clearSelect().select('id')).executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) refuse('ERR_META_LOGIN')
    },
    async keep(on: Kysely<Database>, state: string, { token, tokenExpiresAt }: Login): Promise<void> {
      const id = idOf(state)
      await on
        .updateTable('metaLogin')
        .set({ ...sealed(id, token), tokenExpiresAt })
        .where('id', '=', id)
        .execute()
    },
    async of(on: Kysely<Database>, state: string, whose: Whose): Promise<Login> {
      const row = await theirs(on, state, whose).executeTakeFirst()
      const token = row?.usedAt ? unwrapSecret(masterKey, row.wrapped, purpose(row.id)).toString() : ''
      return row && token !== '' ? { token, tokenExpiresAt: row.tokenExpiresAt } : refuse('ERR_META_LOGIN')
    },
  }
}
