import { type Kysely, sql } from 'kysely'
import { flags } from '#domain/access.ts'
import type { Database } from '#projections/database.ts'
import { lockIds } from '../scheduler/locks.ts'
import { recordSecurity } from '../security/log.ts'
import { hashPassword } from './password.ts'

/** Matches no password, so that this user can no longer sign in. */
export const noPassword = '!'
/** Returns whether a user who may create companies can sign in. */
export const hasSuperUser = async (db: Kysely<Database>): Promise<boolean> =>
  (await db
    .selectFrom('user')
    .select('id')
    .where('super', '=', true)
    .where('passwordHash', '<>', noPassword)
    .limit(1)
    .executeTakeFirst()) !== undefined

/**
 * Creates a company with its first admin. The first company has id 1 (A-OPS-01). While no super user exists,
 * that admin becomes one.
 */
export async function createCompany(db: Kysely<Database>, { name, email, password }: Record<'name' | 'email' | 'password', string>) {
  const passwordHash = await hashPassword(password)
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${lockIds.founding})`.execute(tx) // seeding the demo takes the same lock
    const isFirst = (await tx.selectFrom('company').select('id').limit(1).executeTakeFirst()) === undefined
    const isSuper = !(await hasSuperUser(tx))
    if (isFirst) await sql`alter table company alter column id restart with 1`.execute(tx)
    const company = await tx
      .insertInto('company')
      .values({ name, planId: null, dueDate: null, lastLogin: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    const rights = JSON.stringify(Object.fromEntries(flags.map((flag) => [flag, true])))
    const user = await tx
      .insertInto('user')
      .values({
        ...{ companyId: company.id, name: email.split('@')[0]!, email, passwordHash, profile: 'admin', super: isSuper },
        ...{ flags: rights, whatsappId: null, farewellMessage: null },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordSecurity(tx, {
      companyId: company.id,
      userId: user.id,
      kind: 'companyMade',
      address: null,
      detail: { name, super: isSuper },
    })
    return { companyId: company.id, userId: user.id, isSuper }
  })
}
