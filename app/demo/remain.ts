import type { Kysely } from 'kysely'
import type { Database } from '#projections/database.ts'
import { isLoopback, localUrlOf } from '../config.ts'
import type { AppContext } from '../context.ts'
import { hasMail } from '../mail/send.ts'
import { noCompany, recordSecurity } from '../security/log.ts'
import { noPassword } from '../session/founding.ts'
import { demoAccounts, otherAdmin } from './accounts.ts'

const emails = [...demoAccounts, otherAdmin].map(({ email }) => email)
/** The demo users who can still sign in. */
export const whoRemain = (db: Kysely<Database>) =>
  db.selectFrom('user').select(['id', 'companyId', 'email']).where('email', 'in', emails).where('passwordHash', '!=', noPassword).execute()

/** Warnings for the operator at startup: no user can sign in yet, or any reader of the README can. */
export async function firstWords({
  db,
  config: { demo, sandbox, host, port, publicUrl },
}: Pick<AppContext, 'db' | 'config'>): Promise<string[]> {
  const outside = !isLoopback(host)
  const lines = [
    ...(demo && outside ? [`WARNING: DEMO=1 on ${host}: whoever reaches this address can sign in with the passwords of the README.`] : []),
    ...(sandbox && outside ? [`WARNING: SANDBOX=1 on ${host}: admins can write as any customer.`] : []),
  ]
  if (publicUrl === null && (await hasMail({ db })))
    lines.push(`WARNING: mail is set up and PUBLIC_URL is not: links in mails lead to ${localUrlOf({ host, port })}.`)
  if (demo) return lines
  const remaining = await whoRemain(db)
  if (remaining.length > 0)
    lines.push(`WARNING: ${remaining.length} demo users can still sign in with the password of the README: npm run demo -- remove`)
  if (!(await db.selectFrom('company').select('id').limit(1).executeTakeFirst()))
    lines.push('There is no company yet, and nobody can sign in: npm run company -- "Name" you@example.org')
  return lines
}

/** Disables the sign-in of demo users and ends their sessions. Their names stay in the history. */
export async function removeDemo(db: Kysely<Database>): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    const remaining = await whoRemain(tx)
    const ids = remaining.map(({ id }) => id)
    if (ids.length === 0) return []
    await tx.updateTable('user').set({ passwordHash: noPassword }).where('id', 'in', ids).execute()
    await tx
      .updateTable('session')
      .set({ endedAt: new Date().toISOString() })
      .where('userId', 'in', ids)
      .where('endedAt', 'is', null)
      .execute()
    for (const { id, companyId } of remaining) await recordSecurity(tx, { companyId, userId: id, kind: 'demoRemoved', address: null })
    await recordSecurity(tx, { companyId: noCompany, userId: null, kind: 'demoRemoved', address: null, detail: { users: ids.length } })
    return remaining.map(({ email }) => email)
  })
}
