import { createHash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import { recordSecurity } from '../security/log.ts'
import { hashPassword } from './password.ts'

/** A-USER-04. */
const validMs = 3 * 86_400_000
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** The way to the page that sets a password; the token stands behind the #, which no browser sends, to us or to anybody else. */
export const linkTo = (root: string, token: string): string => `${root}/password#${token}`

/** A new token for a user of ours; those given before lead nowhere any more. */
export async function makePasswordLink(
  db: Kysely<Database>,
  user: { id: number; companyId: number },
  by: { userId: number; address: string } | null = null,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('passwordLink').where('userId', '=', user.id).execute()
    await tx
      .insertInto('passwordLink')
      .values({
        ...{ tokenHash: hashOf(token), companyId: user.companyId, userId: user.id, usedAt: null },
        expiresAt: new Date(Date.now() + validMs).toISOString(),
      })
      .execute()
    const detail = { user: user.id, by: by ? 'admin' : 'command' } // who sits at this machine is not known
    const who = by ?? { userId: null, address: null }
    await recordSecurity(tx, { companyId: user.companyId, ...who, kind: 'passwordLinkMade', detail })
  })
  return token
}

/** Whose password it may set; unknown, used and late look the same to who has no good one. */
export async function ofPasswordLink(db: Kysely<Database>, token: string) {
  const found = await db
    .selectFrom('passwordLink')
    .innerJoin('user', 'user.id', 'passwordLink.userId')
    .innerJoin('company', 'company.id', 'passwordLink.companyId')
    .select(['user.id', 'user.companyId', 'user.email', 'company.name as company'])
    .where('tokenHash', '=', hashOf(token))
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', new Date().toISOString())
    .where('user.retiredAt', 'is', null)
    .executeTakeFirst()
  return found ?? null
}

/** Once: of two at the same time one does. Every session of before ends. */
export async function setByLink(db: Kysely<Database>, token: string, password: string, address: string): Promise<void> {
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
    await tx.updateTable('user').set({ passwordHash }).where('id', '=', userId).execute()
    await tx.updateTable('session').set({ endedAt: usedAt }).where('userId', '=', userId).where('endedAt', 'is', null).execute()
    await recordSecurity(tx, { companyId, userId, kind: 'passwordSet', address, detail: { by: 'link' } })
  })
}
