import { type Kysely, sql } from 'kysely'
import { type SignIn, signInKinds } from '#domain/session/contract.ts'
import type { Database } from '#projections/database.ts'
import { sessionHandle } from '../security/log.ts'

/** The newest entries of the security log about a user's own sign-ins, newest first. `sessionId`: of the caller. */
export async function listSignIns(db: Kysely<Database>, userId: number, sessionId: string | null): Promise<SignIn[]> {
  const rows = await db
    .selectFrom('securityEvent')
    .select(['at', 'kind', 'address', sql<string | null>`detail ->> 'session'`.as('session')])
    .where('userId', '=', userId)
    .where('kind', 'in', [...signInKinds])
    .orderBy('at', 'desc')
    .orderBy('n', 'desc')
    .limit(30)
    .execute()
  const own = sessionId === null ? null : sessionHandle(sessionId)
  return rows.map(({ at, kind, address, session }) => ({
    at,
    kind: kind as SignIn['kind'],
    address,
    isCurrent: kind === 'signedIn' && session !== null && session === own,
  }))
}
