import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { CommandMetadata } from '#domain/decider.ts'
import { refuse } from '#domain/errors.ts'
import { mayEditUser, user } from '#domain/user/contract.ts'
import type { Database } from '#projections/database.ts'
import { recordChange } from '../audit/record.ts'
import { storeCommandId } from '../http/idempotency.ts'
import type { Command } from '../http/serve.ts'
import { assertCaughtUp, type WaitForProjection } from '../projection/wait-for-projection.ts'
import { incrementVersions } from '../queue/servers.ts'
import { type EnqueueJob, infiniteRetryAttempts, job } from '../scheduler/jobs.ts'
import { recordSecurity } from '../security/log.ts'
import { noPassword } from '../session/founding.ts'
import { executeForEach } from '../ticket/bulk.ts'
import type { ExecuteTicketCommand } from '../ticket/ticket-repository.ts'
import { toCommandMetadata } from '../ticket/visibility.ts'
import { auditedUser, userIn } from './colleagues.ts'

type ReleaseDeps = {
  db: Kysely<Database>
  execute: ExecuteTicketCommand
  waitForProjection: WaitForProjection
  readHeadPosition: () => Promise<bigint | null>
}
export type Deps = ReleaseDeps & { enqueue: EnqueueJob }
type At = { id: number; companyId: number }

/** Retires a user (A-USER-03). If the process stops in between, the job enqueued first completes the work. */
export async function retire(deps: Deps, viewer: Viewer, command: Command, address: string, { id, companyId }: At): Promise<void> {
  const now = (await userIn(deps.db, companyId, id)) ?? refuse('ERR_NO_USER_FOUND')
  if (id === viewer.id) refuse('ERR_OWN_USER')
  if (!mayEditUser(viewer, now)) refuse('ERR_NO_PERMISSION')
  const late = { companyId, by: viewer.id, userId: id }
  await deps.enqueue(releaseLate, late, { id: `release-late-${crypto.randomUUID()}`, delay: 2000 })
  await deps.db.transaction().execute(async (on) => {
    await requireRemainingAdmin(on, companyId, id)
    await endAccess(on, id)
    const retiredAt = sql<string>`now()`
    const row = on.updateTable('user').set({ retiredAt, passwordHash: noPassword }).where('id', '=', id).where('retiredAt', 'is', null)
    if (!(await row.returning('id').executeTakeFirst())) refuse('ERR_NO_USER_FOUND') // another call was first
    const served = await on.deleteFrom('userQueue').where('userId', '=', id).returning('queueId').execute()
    const options = await clearTargets(on, companyId, id)
    await incrementVersions(on, [...new Set([...served, ...options].map(({ queueId }) => queueId))])
    await on.updateTable('userPresence').set({ online: false }).where('id', '=', id).execute()
    await recordChange(on, user, viewer, { before: auditedUser(now), after: null })
    await storeCommandId(on, viewer, command, id)
    await recordSecurity(on, { companyId, userId: viewer.id, kind: 'accessChanged', address, detail: { user: id, reason: 'retired' } })
  })
  await release(deps, { ...toCommandMetadata(viewer), companyId }, id)
}

/** Bot options that led to the user now lead to any agent of the queue. Returns the queues of those options. */
function clearTargets(on: Kysely<Database>, companyId: number, userId: number): Promise<{ queueId: number }[]> {
  const options = on.updateTable('menuOption').set({ optUserId: null }).where('companyId', '=', companyId).where('optUserId', '=', userId)
  return options.returning('queueId').execute()
}

/** One admin who can sign in must remain. The company row is locked until the change commits. */
export async function requireRemainingAdmin(on: Kysely<Database>, companyId: number, without: number): Promise<void> {
  await on.selectFrom('company').select('id').where('id', '=', companyId).forNoKeyUpdate().execute()
  const others = on.selectFrom('user').select('id').where('companyId', '=', companyId).where('id', '!=', without)
  const admins = others.where('profile', '=', 'admin').where('retiredAt', 'is', null).where('passwordHash', '!=', noPassword)
  if (!(await admins.limit(1).executeTakeFirst())) refuse('ERR_LAST_ADMIN')
}

/** Ends all sessions and password links of the user. */
export async function endAccess(on: Kysely<Database>, userId: number): Promise<void> {
  await on.updateTable('session').set({ endedAt: sql`now()` }).where('userId', '=', userId).where('endedAt', 'is', null).execute()
  await endLinks(on, userId)
}
export const endLinks = (on: Kysely<Database>, userId: number) => on.deleteFrom('passwordLink').where('userId', '=', userId).execute()

/** Releases tickets that were assigned during the retirement. */
export const releaseLate = job<ReleaseDeps>()<{ companyId: number; by: number; userId: number }>('release-late', {
  attempts: infiniteRetryAttempts,
  queue: 'bulk',
  async run({ companyId, by, userId }, deps) {
    const { retiredAt } = await deps.db.selectFrom('user').select('retiredAt').where('id', '=', userId).executeTakeFirstOrThrow()
    if (retiredAt !== null) await release(deps, { companyId, by: { kind: 'user', id: by } }, userId)
  },
})

const servedBy = ({ db }: ReleaseDeps, { companyId }: CommandMetadata, userId: number) => {
  const theirs = db.selectFrom('ticket').where('companyId', '=', companyId).where('userId', '=', userId)
  return theirs.where('status', '!=', 'closed').orderBy('updatedAt').orderBy('id')
}
/** Releases all tickets of the user. */
async function release(deps: ReleaseDeps, by: CommandMetadata, userId: number): Promise<void> {
  await assertCaughtUp(deps)
  const rows = await servedBy(deps, by, userId).select('id').execute()
  await executeForEach(rows, () => ({ type: 'Release', userId }), by, deps)
}
/** Releases tickets in queues that the agent does not serve, for those who do (A-USER-03). */
async function releaseOutside(deps: ReleaseDeps, by: CommandMetadata, userId: number): Promise<void> {
  await assertCaughtUp(deps)
  const own = deps.db.selectFrom('userQueue').select('queueId').where('userId', '=', userId)
  const agent = deps.db.selectFrom('user').select('id').where('id', '=', userId).where('profile', '=', 'user')
  const theirs = servedBy(deps, by, userId).where('userId', 'in', agent).where('queueId', 'is not', null).where('queueId', 'not in', own)
  const rows = await theirs.select(['id', 'queueId']).execute()
  await executeForEach(rows, ({ queueId }) => ({ type: 'ReleaseFrom', userId, queueId: queueId! }), by, deps)
}
/**
 * Enqueues the job before the queues change. It completes the work after a stop, and covers tickets accepted
 * meanwhile.
 */
export async function prepareRelease(deps: Deps, viewer: Viewer, { id: userId, companyId }: At): Promise<() => Promise<void>> {
  const late = { companyId, by: viewer.id, userId }
  await deps.enqueue(releaseOutsideLate, late, { id: `release-outside-${crypto.randomUUID()}`, delay: 2000 })
  return () => releaseOutside(deps, { ...toCommandMetadata(viewer), companyId }, userId)
}
export const releaseOutsideLate = job<ReleaseDeps>()<{ companyId: number; by: number; userId: number }>('release-outside', {
  attempts: infiniteRetryAttempts,
  queue: 'bulk',
  run: ({ companyId, by, userId }, deps) => releaseOutside(deps, { companyId, by: { kind: 'user', id: by } }, userId),
})
