import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { dayMs, minuteMs } from '#domain/duration/rules.ts'
import { refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import { lockIds } from '../scheduler/locks.ts'
import type { LoginThrottle, PausedBy } from './pauses.ts'

/** An allowed sign-in attempt, or the pause to wait and the counter that requires it. */
export type Attempt = { keys: string[]; at: string }
export type Pause = { seconds: number; by: PausedBy; first: boolean }
type Deps = { db: Kysely<Database>; loginThrottle: LoginThrottle }

const windowMs = 15 * minuteMs
/**
 * Failures within 15 minutes before a pause starts: the normal limit, and the limit while the installation is
 * under attack.
 */
const limits = { pair: [10, 10], account: [20, 5], address: [100, 30] } as const
const attack = 1000
const longestMs = minuteMs
/** How long to wait for another process that counts the same account or address. */
const timeoutMs = 3000

/** Returns the network of an address: providers give a household a whole /64 of IPv6. */
export function network(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped) return mapped[1]!
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = ip.split('%')[0]!.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const all = tail === undefined ? left : [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

type Count = { key: string; n: number; oldest: string; newest: string }

const keysOf = (email: string, ip: string) => {
  const who = createHash('sha256').update(email).digest('base64url')
  return { pair: `pair ${who} ${ip}`, account: `account ${who}`, address: `address ${network(ip)}`, all: 'all' }
}
const remainingPause = ({ until, by }: { until: number; by: PausedBy }, first = false): Pause => ({
  ...{ seconds: Math.max(1, Math.ceil((until - Date.now()) / 1000)), by, first },
})

/** Returns a pause that this process already knows, without a query. */
export function findPause({ loginThrottle }: Deps, email: string, ip: string): Pause | null {
  const { pair, address } = keysOf(email, ip)
  const known = loginThrottle.known(address) ?? loginThrottle.known(pair)
  return known && remainingPause(known)
}

/**
 * Counts an attempt before its password is checked. Otherwise many concurrent attempts would all be allowed
 * (A-AUTH-12, A-AUTH-13).
 */
export async function countAttempt(deps: Deps, email: string, ip: string): Promise<Attempt | Pause> {
  const { db, loginThrottle } = deps
  const { pair, account } = keysOf(email, ip)
  const already = findPause(deps, email, ip)
  if (already) return already
  const known = loginThrottle.known(account)
  if (known && !(await hasSignedInBefore(db, email, ip))) {
    loginThrottle.keep(pair, known)
    return remainingPause(known)
  }
  for (const end = Date.now() + timeoutMs; ; ) {
    const counted = await count(deps, email, ip)
    if (counted) return counted
    if (Date.now() > end) refuse('ERR_TOO_MANY_REQUESTS', { retryAfter: 2 })
    await sleep(5 + Math.random() * 20) // holds no database connection while it waits
  }
}

/** Returns null while another process holds the lock. */
async function count({ db, loginThrottle }: Deps, email: string, ip: string): Promise<Attempt | Pause | null> {
  const { pair, account, address, all } = keysOf(email, ip)
  return db.transaction().execute(async (tx) => {
    const got = sql<{ got: boolean }>`select pg_try_advisory_xact_lock(${lockIds.signIn}, hashtext(${account}))
      and pg_try_advisory_xact_lock(${lockIds.signIn}, hashtext(${address})) as got`
    if (!(await got.execute(tx)).rows[0]!.got) return null
    const now = Date.now()
    const rows = await tx
      .selectFrom('loginFailure')
      .select(['key', sql<number>`count(*)`.as('n'), sql<string>`min(at)`.as('oldest'), sql<string>`max(at)`.as('newest')])
      .where('key', 'in', [pair, account, address, all])
      .where('at', '>', new Date(now - windowMs).toISOString())
      .groupBy('key')
      .execute()
    const count = (key: string): Count => rows.find((row) => row.key === key) ?? { key, n: 0, oldest: '', newest: '' }
    const storm = count(all).n >= attack ? 1 : 0
    const [byPair, byAccount, byAddress] = [count(pair), count(account), count(address)]
    const paused = (by: PausedBy, until: number): Pause | null => {
      if (until <= now) return null
      const isNew = loginThrottle.keep({ pair, account, address }[by], { until, by })
      if (by === 'account') loginThrottle.keep(pair, { until, by })
      return remainingPause({ until, by }, isNew)
    }
    const over = (by: PausedBy, { n }: Count) => n - limits[by][storm]
    const pause =
      (over('address', byAddress) >= 0 && paused('address', Date.parse(byAddress.newest) + windowMs)) ||
      (over('pair', byPair) >= 0 && paused('pair', Date.parse(byPair.oldest) + windowMs)) ||
      (over('account', byAccount) >= 0 &&
        !(await hasSignedInBefore(tx, email, ip)) &&
        paused('account', Date.parse(byAccount.newest) + Math.min(longestMs, 1000 * 2 ** Math.min(10, over('account', byAccount)))))
    if (pause) return pause
    const at = new Date(now).toISOString()
    const keys = [pair, account, address, all]
    await tx
      .insertInto('loginFailure')
      .values(keys.map((key) => ({ key, at })))
      .execute()
    return { keys, at }
  })
}

/** An address with a recent sign-in belongs to the owner, so attempts from elsewhere cannot lock it out. */
async function hasSignedInBefore(db: Kysely<Database>, email: string, ip: string): Promise<boolean> {
  const found = await db
    .selectFrom('securityEvent')
    .innerJoin('user', 'user.id', 'securityEvent.userId')
    .select('securityEvent.id')
    .where(sql`lower("user".email)`, '=', email)
    .where('securityEvent.kind', '=', 'signedIn')
    .where('securityEvent.address', '=', ip)
    .where('securityEvent.at', '>', new Date(Date.now() - 30 * dayMs).toISOString())
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Removes the count of a successful sign-in and the earlier failures of the same account and address. */
export async function clearFailures(db: Kysely<Database>, { keys, at }: Attempt): Promise<void> {
  const [pair = '', ...others] = keys
  await db
    .deleteFrom('loginFailure')
    .where((eb) => eb.or([eb('key', '=', pair), eb.and([eb('key', 'in', others), eb('at', '=', at)])]))
    .execute()
}

export const sweep = (db: Kysely<Database>) =>
  db
    .deleteFrom('loginFailure')
    .where('at', '<', new Date(Date.now() - 4 * windowMs).toISOString())
    .execute()
