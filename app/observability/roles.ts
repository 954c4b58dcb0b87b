import { sql } from 'kysely'
import type { AppContext } from '../context.ts'
import { lockIds } from '../scheduler/locks.ts'

export type RoleState = {
  /** Live workers of all processes. */
  workers: number
  /** Projectors that some process runs, out of all. */
  projectors: number
  /** Whether the workers of a restored installation wait for `restore --go-live`. */
  isRestored: boolean
}
/** A role that keeps the installation working behind the web processes. */
export type BackgroundRole = 'projector' | 'worker'

/** Reads which roles run in any process: a worker has a lease, and a projector holds the advisory lock of its name. */
export async function readRoleState({ db, projectorNames }: Pick<AppContext, 'db' | 'projectorNames'>): Promise<RoleState> {
  const { rows } = await sql<RoleState>`
    select (select count(*)::int from worker where until > now()) as workers,
      (select count(distinct objid)::int from pg_locks where locktype = 'advisory' and granted and objsubid = 2
        and database = (select oid from pg_database where datname = current_database()) and classid = ${lockIds.follower}::int::oid
        and objid::bigint in (select hashtext(name)::bigint & 4294967295 from unnest(${projectorNames}::text[]) name)) as projectors,
      exists (select from platform_setting where key = 'restoredFrom') as is_restored`.execute(db)
  return rows[0]!
}

/** The roles that no process runs. The workers of a restored installation are not missing: they wait on purpose. */
export const missingRoles = ({ workers, projectors: running, isRestored }: RoleState): BackgroundRole[] => [
  ...(running === 0 ? (['projector'] as const) : []),
  ...(workers === 0 && !isRestored ? (['worker'] as const) : []),
]
