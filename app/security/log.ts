import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { SecurityDetail, SecurityKind } from '#domain/security/contract.ts'
import type { Database } from '#projections/database.ts'
import { canonical } from '../event-store/chain.ts'
import { idFrom } from '../event-store/event-codec.ts'
import { lockIds } from '../scheduler/locks.ts'

/** The company id of events without a company: of unknown accounts and of the installation itself. */
export const noCompany = 0

export type SecurityEvent = {
  companyId: number
  kind: SecurityKind
  userId: number | null
  address: string | null
  detail?: SecurityDetail
}
type Placed = Required<SecurityEvent> & { n: number; at: string }

const link = (previous: string, { companyId, n, at, kind, userId, address, detail }: Placed): string =>
  createHash('sha256').update(previous).update(canonical({ companyId, n, at, kind, userId, address, detail })).digest('hex')

/** Appends to a company's hash chain, in the caller's transaction if there is one. */
export async function recordSecurity(db: Kysely<Database>, event: SecurityEvent): Promise<void> {
  if (!db.isTransaction) return db.transaction().execute((tx) => recordSecurity(tx, event))
  const { companyId, detail = {}, ...rest } = event
  // one at a time, because two entries must not follow the same one
  await sql`select pg_advisory_xact_lock(${lockIds.security}, ${companyId})`.execute(db)
  const last = await db
    .selectFrom('securityEvent')
    .select(['n', 'hash'])
    .where('companyId', '=', companyId)
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst()
  const placed = { ...rest, companyId, detail, n: (last?.n ?? 0) + 1, at: new Date().toISOString() }
  await db
    .insertInto('securityEvent')
    .values({ ...placed, detail: JSON.stringify(detail), hash: link(last?.hash ?? '', placed) })
    .execute()
}

export type SecurityChain = { events: number; holds: boolean; brokenAt: number | null }

/** An identifier of a session for the log that cannot be used to sign in. */
export const sessionHandle = (sessionId: string): string => idFrom(`session/${sessionId}`)

/**
 * Sessions without a sign-in entry in the log prove that entries were removed, even if the newest or all are
 * gone.
 */
async function hasLostSignIns(db: Kysely<Database>, companyId: number): Promise<boolean> {
  const entries = db.selectFrom('securityEvent').where('companyId', '=', companyId)
  const { first } = await entries.select((eb) => eb.fn.min('at').as('first')).executeTakeFirstOrThrow()
  let sessions = db.selectFrom('session').select('id').where('companyId', '=', companyId)
  if (first) sessions = sessions.where('createdAt', '>=', first)
  const handles = (await sessions.execute()).map(({ id }) => sessionHandle(id))
  const sessionField = sql<string>`detail ->> 'session'`
  const found = await entries
    .select(sessionField.as('session'))
    .where('kind', '=', 'signedIn')
    .where(sql<boolean>`${sessionField} = any(${handles}::text[])`)
    .execute()
  return new Set(found.map(({ session }) => session)).size < handles.length
}

/**
 * Verifies a company's hash chain. `brokenAt`: the first entry that does not follow its predecessor, or the
 * first one missing at the end.
 */
export async function checkSecurityLog(db: Kysely<Database>, companyId: number): Promise<SecurityChain> {
  let last = { n: 0, hash: '' }
  for (;;) {
    const rows = await db
      .selectFrom('securityEvent')
      .selectAll()
      .where('companyId', '=', companyId)
      .where('n', '>', last.n)
      .orderBy('n')
      .limit(1000)
      .execute()
    for (const { id: _, hash, ...placed } of rows) {
      const n = last.n + 1
      if (placed.n !== n || link(last.hash, placed as Placed) !== hash) return { events: last.n, holds: false, brokenAt: n }
      last = { n, hash }
    }
    if (rows.length < 1000) break
  }
  const cut = await hasLostSignIns(db, companyId)
  return { events: last.n, holds: !cut, brokenAt: cut ? last.n + 1 : null }
}

/** Shortens an email address of an unknown person for the log. */
export const shortened = (email: string): string =>
  email
    .trim()
    .toLowerCase()
    .slice(0, 250)
    .replace(/^(.).*?(@.)?[^@]*?(\.[a-z]{2,6})?$/u, (_, first: string, at = '', end = '') => `${first}…${at && `${at}…`}${end}`)
