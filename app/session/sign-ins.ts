import { type Kysely, sql } from 'kysely'
import { type SignIn, type SignIns, signInKinds } from '#domain/session/contract.ts'
import type { Database } from '#projections/database.ts'
import { sessionHandle } from '../security/log.ts'
import { openSessions } from './devices.ts'

/** The newest entries of the security log about a user's own sign-ins, newest first. `sessionId`: of the caller. */
export async function listSignIns(db: Kysely<Database>, userId: number, sessionId: string | null): Promise<SignIns> {
  const open = await openSessions(db).where('userId', '=', userId).execute()
  const handles = new Set(open.map(({ id }) => sessionHandle(id)))
  const rows = await db
    .selectFrom('securityEvent')
    .select([
      'id',
      'at',
      'kind',
      'address',
      sql<string | null>`detail ->> 'session'`.as('session'),
      sql<string | null>`detail ->> 'device'`.as('device'),
    ])
    .where('userId', '=', userId)
    .where('kind', 'in', [...signInKinds])
    .orderBy('at', 'desc')
    .orderBy('n', 'desc')
    .limit(30)
    .execute()
  const own = sessionId === null ? null : sessionHandle(sessionId)
  const began = (kind: string, session: string | null): session is string => kind === 'signedIn' && session !== null
  const signIns = rows.map(({ id, at, kind, address, session, device }) => ({
    id,
    at,
    kind: kind as SignIn['kind'],
    address,
    device,
    isCurrent: began(kind, session) && session === own,
    isOpen: began(kind, session) && handles.has(session),
  }))
  return { signIns, others: open.filter(({ id }) => id !== sessionId).length }
}
