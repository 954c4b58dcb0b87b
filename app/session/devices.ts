import type { Kysely } from 'kysely'
import { daySeconds } from '#domain/duration/rules.ts'
import type { Database } from '#projections/database.ts'
import type { Broadcast } from '../postgres/notification-bus.ts'
import { recordSecurity, sessionHandle } from '../security/log.ts'

type Deps = { tx: Kysely<Database>; broadcast: Broadcast }
type Owner = { companyId: number; userId: number }

/** Maximum age of a session, even if it is renewed. */
export const oldestSeconds = 30 * daySeconds
const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

/** The sessions that can still be used. */
export const openSessions = (db: Kysely<Database>) =>
  db
    .selectFrom('session')
    .select(['id', 'userId', 'createdAt'])
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', at(0))
    .where('createdAt', '>', at(-oldestSeconds))

/** Notifies the sockets of a user which session stays. Call it before the others end, because their end closes the sockets. */
export const announceSession = ({ tx, broadcast }: Deps, { companyId, userId }: Owner, sessionId: string): Promise<void> =>
  broadcast(`company-${companyId}-auth`, { to: userId, action: 'update', user: { id: userId }, sessionId: sessionHandle(sessionId) }, tx)

/** Whether users may be signed in on several devices. Holds the setting until the transaction ends. */
export async function allowsSeveralDevices(tx: Kysely<Database>, companyId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('companySetting')
    .select('value')
    .where('companyId', '=', companyId)
    .where('key', '=', 'severalDevices')
    .forShare()
    .executeTakeFirst()
  return row?.value === 'enabled'
}

/** Ends the user's sessions except one. Returns the number of those that could still be used. `address`: of the caller. */
export async function endOtherSessions(
  deps: Deps,
  owner: Owner,
  sessionId: string,
  { reason, address }: { reason: 'others' | 'password'; address: string },
): Promise<number> {
  const open = await openSessions(deps.tx).where('userId', '=', owner.userId).orderBy('id').forUpdate().execute()
  const others = open.filter(({ id }) => id !== sessionId)
  if (others.length === 0) return 0
  await announceSession(deps, owner, sessionId)
  await endSessions(deps.tx, owner.companyId, others, { reason, address })
  return others.length
}

/** Leaves each user of the company the newest session (A-AUTH-14). */
export async function leaveNewestSessions(deps: Deps, companyId: number): Promise<void> {
  const open = await openSessions(deps.tx).where('companyId', '=', companyId).orderBy('id').forUpdate().execute()
  const oldestFirst = open.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt))
  const newest = new Map(oldestFirst.map(({ userId, id }) => [userId, id]))
  const ended = open.filter(({ userId, id }) => newest.get(userId) !== id)
  for (const userId of new Set(ended.map((one) => one.userId))) await announceSession(deps, { companyId, userId }, newest.get(userId)!)
  await endSessions(deps.tx, companyId, ended, { reason: 'oneDevice', address: null })
}

/** All sessions end before the first entry of the security log, because every writer locks the session first. Another order could deadlock. */
async function endSessions(
  tx: Kysely<Database>,
  companyId: number,
  ended: { id: string; userId: number }[],
  { reason, address }: { reason: string; address: string | null },
): Promise<void> {
  if (ended.length === 0) return
  const ids = ended.map(({ id }) => id)
  await tx
    .updateTable('session')
    .set({ endedAt: at(0) })
    .where('id', 'in', ids)
    .execute()
  for (const { id, userId } of ended)
    await recordSecurity(tx, { companyId, userId, kind: 'sessionEnded', address, detail: { reason, session: sessionHandle(id) } })
}
