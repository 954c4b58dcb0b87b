import type { Kysely } from 'kysely'
import { admin, type Viewer } from '#domain/access.ts'
import type { Ask } from '#domain/contract.ts'
import { refuse } from '#domain/errors.ts'
import { byAdmin, mayEditUser, user, type users } from '#domain/user/contract.ts'
import { grantedBy } from '#domain/user/rules.ts'
import type { Database } from '#projections/database.ts'
import { recordChange } from '../audit/record.ts'
import { saveRelations } from '../http/relations.ts'
import { incrementVersions } from '../queue/servers.ts'
import { recordSecurity } from '../security/log.ts'
import { auditedUser, type StoredUser, userIn } from './colleagues.ts'
import { type Deps, prepareRelease, requireRemainingAdmin } from './retire.ts'

/** The audit log records only that a password was set. */
export const kept = { ...user, masked: ['password'] }
export type Fields = Partial<Omit<Ask<typeof users.create>['body'], 'password'>>
type By = { viewer: Viewer; address: string }
type At = { id: number; companyId: number; version?: number | undefined }

export const one = async (db: Kysely<Database>, companyId: number, id: number): Promise<StoredUser> =>
  (await userIn(db, companyId, id)) ?? refuse('ERR_NO_USER_FOUND')

/** A body as columns: flags share one column, queues are stored separately. */
export function columnsOf({ queueIds: _, ...body }: Fields, flags: object = {}) {
  const own = Object.fromEntries(Object.entries(body).filter(([name]) => !(name in grantedBy({ [name]: true }))))
  return { ...own, flags: JSON.stringify({ ...flags, ...grantedBy(body) }) } as { name: string; email: string; flags: string }
}

/** Checks who may change which fields of whom (A-USER-02). */
export function requireMayChange(viewer: Viewer, now: StoredUser, change: Fields): void {
  const self = now.id === viewer.id
  if (!self && admin(viewer) !== null) refuse('ERR_NO_PERMISSION')
  if (!self && !mayEditUser(viewer, now)) refuse('ERR_NO_PERMISSION')
  if (self && differs(change.profile ?? now.profile, now.profile)) refuse('ERR_NO_PERMISSION')
  if (viewer.profile === 'admin') return
  const taken = byAdmin.some((name) => change[name] !== undefined && differs(sorted(change[name]), sorted(now[name])))
  if (taken) refuse('ERR_NO_PERMISSION')
}
const sorted = (value: unknown) => (Array.isArray(value) ? value.toSorted((a, b) => a - b) : value)
const differs = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b)

/** Changes a user in the caller's transaction and records changed rights. The caller records the change in the audit log. */
export async function changeUser(
  on: Kysely<Database>,
  { viewer, address }: By,
  { id, companyId, version }: At,
  change: Fields,
  passwordHash: string | null = null,
): Promise<{ before: StoredUser; after: StoredUser }> {
  await on.selectFrom('user').select('id').where('id', '=', id).forUpdate().execute()
  const before = await one(on, companyId, id)
  if (version !== undefined && version !== before.version) refuse('ERR_ROW_CHANGED', { version: before.version })
  requireMayChange(viewer, before, change)
  if (change.profile === 'user' && before.profile === 'admin') await requireRemainingAdmin(on, companyId, id)
  const { flags } = await on.selectFrom('user').select('flags').where('id', '=', id).executeTakeFirstOrThrow()
  const row = { ...columnsOf(change, flags), ...(passwordHash && { passwordHash }), version: before.version + 1 }
  const save = async () => (await on.updateTable('user').set(row).where('id', '=', id).returning('id').executeTakeFirstOrThrow()).id
  await saveRelations(on, user, { ...viewer, companyId }, change, save)
  const after = await one(on, companyId, id)
  await incrementVersions(on, [...new Set(before.queueIds).symmetricDifference(new Set(after.queueIds))])
  if (byAdmin.some((name) => differs(before[name], after[name])))
    await recordSecurity(on, { companyId, userId: viewer.id, address, kind: 'accessChanged', detail: { user: id, reason: 'changed' } })
  return { before, after }
}

/**
 * Prepares to set the users of a queue, by the rules for changing each user (A-USER-02). `save` runs in the queue's
 * transaction; `release` follows its commit and returns the open tickets of removed users to waiting.
 */
export async function prepareQueueUsers(deps: Deps, by: By, queueId: number | null, userIds: number[]) {
  const { viewer } = by
  const { companyId } = viewer
  const now = queueId === null ? [] : await usersOf(deps.db, queueId)
  const removed = now.filter((id) => !userIds.includes(id))
  const releases = await Promise.all(removed.map((id) => prepareRelease(deps, viewer, { id, companyId })))
  return {
    /** Locks the users before the queue, in the order in which a change of a user locks them. */
    async lock(on: Kysely<Database>): Promise<void> {
      const ids = [...now, ...userIds]
      if (ids.length > 0)
        await on
          .selectFrom('user')
          .select('id')
          .where('companyId', '=', companyId)
          .where('id', 'in', ids)
          .orderBy('id')
          .forUpdate()
          .execute()
    },
    async save(on: Kysely<Database>, savedId: number): Promise<void> {
      const before = new Set(await usersOf(on, savedId))
      for (const id of [...before.symmetricDifference(new Set(userIds))].toSorted((a, b) => a - b)) {
        const { queueIds } = await one(on, companyId, id)
        const next = before.has(id) ? queueIds.filter((one) => one !== savedId) : [...queueIds, savedId]
        const changed = await changeUser(on, by, { id, companyId }, { queueIds: next })
        await recordChange(on, kept, viewer, { before: auditedUser(changed.before), after: auditedUser(changed.after) })
      }
    },
    async release(): Promise<void> {
      for (const release of releases) await release()
    },
  }
}

const usersOf = async (on: Kysely<Database>, queueId: number): Promise<number[]> =>
  (await on.selectFrom('userQueue').select('userId').where('queueId', '=', queueId).orderBy('userId').execute()).map(({ userId }) => userId)
