import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { type Kysely, sql } from 'kysely'
import type { Database } from '#projections/database.ts'

/** A sign-in that is let try, or how long it has to wait and by whose count. */
export type Attempt = { keys: string[]; at: string }
export type Pause = { seconds: number; by: 'pair' | 'account' | 'address'; first: boolean }

const windowMs = 15 * 60_000
/** Failures in a quarter of an hour before a count speaks; while the whole house is under attack it does so earlier. */
const limits = { pair: [10, 10], account: [20, 5], address: [100, 30] } as const
const attack = 1000
const longestMs = 60_000

/** Whose line it is: a provider gives a household a whole /64 of IPv6. */
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

/** Counts a try before its password is looked at, or many at once would all be let try (A-AUTH-12, A-AUTH-13). */
export async function attempt(db: Kysely<Database>, email: string, ip: string): Promise<Attempt | Pause> {
  const who = createHash('sha256').update(email).digest('base64url')
  const [pair, account, address, all] = [`pair ${who} ${ip}`, `account ${who}`, `address ${network(ip)}`, 'all']
  return db.transaction().execute(async (tx) => {
    for (const key of [account, address]) await sql`select pg_advisory_xact_lock(7327, hashtext(${key}))`.execute(tx)
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
    const paused = (by: Pause['by'], { n }: Count, until: number): Pause | null =>
      until > now ? { seconds: Math.ceil((until - now) / 1000), by, first: n === limits[by][storm] } : null
    const over = (by: Pause['by'], { n }: Count) => n - limits[by][storm]
    const pause =
      (over('address', byAddress) >= 0 && paused('address', byAddress, Date.parse(byAddress.newest) + windowMs)) ||
      (over('pair', byPair) >= 0 && paused('pair', byPair, Date.parse(byPair.oldest) + windowMs)) ||
      (over('account', byAccount) >= 0 &&
        !(await cameBefore(tx, email, ip)) &&
        paused(
          'account',
          byAccount,
          Date.parse(byAccount.newest) + Math.min(longestMs, 1000 * 2 ** Math.min(10, over('account', byAccount))),
        ))
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

/** Who came in from here lately is the owner, and nobody elsewhere can keep them out. */
async function cameBefore(db: Kysely<Database>, email: string, ip: string): Promise<boolean> {
  const found = await db
    .selectFrom('securityEvent')
    .innerJoin('user', 'user.id', 'securityEvent.userId')
    .select('securityEvent.id')
    .where(sql`lower("user".email)`, '=', email)
    .where('securityEvent.kind', '=', 'signedIn')
    .where('securityEvent.address', '=', ip)
    .where('securityEvent.at', '>', new Date(Date.now() - 30 * 86_400_000).toISOString())
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** It was no failure; what went wrong before it, from the same place, is forgotten with it. */
export async function succeeded(db: Kysely<Database>, { keys, at }: Attempt): Promise<void> {
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
