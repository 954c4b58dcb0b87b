import { sql } from 'kysely'
import type { AppContext } from '../context.ts'
import { type BackgroundRole, missingRoles, readRoleState } from './roles.ts'

type Deps = Pick<AppContext, 'db' | 'logger' | 'projectorNames'>
/** Rounds in a row that must find a role or a lease missing: a deploy and a handover of leases take a moment. */
const roundsToReport = 3
const everyMs = 5000

/** What an operator and the pages must know: without the role, calls still work and little else. */
const reports: Record<BackgroundRole, string> = {
  projector: 'No projector runs; lists and tickets show old data',
  worker: 'No worker runs; nothing is received or sent',
}

/**
 * Checks regularly that some process has the projector role and the worker role. Logs one line when a role is missing and one when it is
 * back, and records which connections no live worker leases. Runs in web processes, because their pages would show everything as working.
 */
export function createRoleMonitor({ db, logger, projectorNames }: Deps, rounds = roundsToReport) {
  const missingFor = new Map<BackgroundRole, number>()
  let unleasedBefore: number[] = []

  async function reportRoles(): Promise<void> {
    const missing = missingRoles(await readRoleState({ db, projectorNames }))
    for (const role of ['projector', 'worker'] as const) {
      const n = missing.includes(role) ? (missingFor.get(role) ?? 0) + 1 : 0
      const message = reports[role]
      if (n === rounds) logger.error({ role }, message)
      if (n === 0 && (missingFor.get(role) ?? 0) >= rounds) logger.warn({ role }, 'Role runs again')
      missingFor.set(role, n)
    }
  }

  /** A connection without a live lease is marked at the second round, so that a handover between workers is not shown. */
  async function markUnleased(): Promise<void> {
    await sql`update connection c set unleased_since = null where unleased_since is not null and ${isLeased}`.execute(db)
    const { rows } = await sql<{ id: number }>`select id from connection c where unleased_since is null and not ${isLeased}`.execute(db)
    const still = rows.map(({ id }) => id).filter((id) => unleasedBefore.includes(id))
    unleasedBefore = rows.map(({ id }) => id)
    if (still.length > 0)
      await sql`
        update connection c set unleased_since = now() where id = any(${still}::int[]) and unleased_since is null and not ${isLeased}`.execute(
        db,
      )
  }

  return async () => {
    await reportRoles()
    await markUnleased()
  }
}

const isLeased = sql<boolean>`exists (
  select from connection_lease l join worker w on w.id = l.holder where l.connection_id = c.id and w.until > now())`

/** Runs the monitor until the returned function is called. */
export function watchRoles(deps: Deps): () => void {
  const check = createRoleMonitor(deps)
  let isBusy = false
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    void check()
      .catch((error) => deps.logger.debug({ err: error }, 'Roles could not be checked')) // the store monitor logs an outage
      .finally(() => {
        isBusy = false
      })
  }, everyMs)
  return () => clearInterval(timer)
}
