import { createHash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { dayMs, hourMs } from '#domain/duration/rules.ts'
import { refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import { recordSecurity } from '../security/log.ts'
import { hashPassword } from './password.ts'

/** Validity of the link for a first password (A-USER-04) and for a forgotten one (A-AUTH-09). */
const validMs = { first: 3 * dayMs, forgotten: hourMs }
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Returns the URL that sets a password. The token is in the fragment, which browsers never send to a server. */
export const linkTo = (root: string, token: string): string => `${root}/password#${token}`

/** Returns the URL for a forgotten password. */
export const resetLinkTo = (root: string, token: string): string => `${root}/reset-password#${token}`

type Of = { id: number; companyId: number }
type By = { by: 'admin' | 'command' | 'forgotten'; userId: number | null; address: string | null }

/** Creates a new token for a user. Earlier tokens become invalid. */
export const makePasswordLink = (db: Kysely<Database>, user: Of, admin: { userId: number; address: string } | null = null) =>
  // a command line has no known user
  makeToken(db, user, admin ? { by: 'admin', ...admin } : { by: 'command', userId: null, address: null })

/** Requested by an unauthenticated caller, so it does not invalidate an admin's link. */
export const makeResetLink = (db: Kysely<Database>, user: Of, address: string) =>
  makeToken(db, user, { by: 'forgotten', userId: null, address })

async function makeToken(db: Kysely<Database>, { id, companyId }: Of, { by, ...who }: By): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const forgotten = by === 'forgotten'
  const expiresAt = new Date(Date.now() + validMs[forgotten ? 'forgotten' : 'first']).toISOString()
  await db.transaction().execute(async (tx) => {
    const before = tx.deleteFrom('passwordLink').where('userId', '=', id)
    await (forgotten ? before.where('forgotten', '=', true) : before).execute()
    await tx
      .insertInto('passwordLink')
      .values({ tokenHash: hashOf(token), companyId, userId: id, usedAt: null, forgotten, expiresAt })
      .execute()
    await recordSecurity(tx, { companyId, ...who, kind: 'passwordLinkMade', detail: { user: id, by } })
  })
  return token
}

/** Finds the user of a token. Unknown, used and expired tokens give the same result. */
export async function findPasswordLink(db: Kysely<Database>, token: string) {
  const found = await db
    .selectFrom('passwordLink')
    .innerJoin('user', 'user.id', 'passwordLink.userId')
    .innerJoin('company', 'company.id', 'passwordLink.companyId')
    .select(['user.id', 'user.companyId', 'user.email', 'user.profile', 'company.name as company'])
    .where('tokenHash', '=', hashOf(token))
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', new Date().toISOString())
    .where('user.retiredAt', 'is', null)
    .executeTakeFirst()
  return found ?? null
}

/**
 * Sets the password once; of two concurrent calls only one succeeds. It ends all sessions and invalidates all
 * other links.
 */
export async function setPasswordByLink(db: Kysely<Database>, token: string, password: string, address: string): Promise<void> {
  const passwordHash = await hashPassword(password)
  await db.transaction().execute(async (tx) => {
    const usedAt = new Date().toISOString()
    const link = await tx
      .updateTable('passwordLink')
      .set({ usedAt })
      .where('tokenHash', '=', hashOf(token))
      .where('usedAt', 'is', null)
      .where('expiresAt', '>', usedAt)
      .returning(['userId', 'companyId'])
      .executeTakeFirst()
    const { userId, companyId } = link ?? refuse('ERR_PASSWORD_LINK')
    await tx.updateTable('passwordLink').set({ usedAt }).where('userId', '=', userId).where('usedAt', 'is', null).execute()
    await tx.updateTable('user').set({ passwordHash }).where('id', '=', userId).execute()
    await tx.updateTable('session').set({ endedAt: usedAt }).where('userId', '=', userId).where('endedAt', 'is', null).execute()
    await recordSecurity(tx, { companyId, userId, kind: 'passwordSet', address, detail: { by: 'link' } })
  })
}
