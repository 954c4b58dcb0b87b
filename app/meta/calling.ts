import type { outages } from '#domain/connection/rules.ts'
import { PermanentChannelError, TransientChannelError } from '../channels/channel.ts'
import { setConnectionState } from '../connection/state.ts'
import type { AppContext } from '../context.ts'
import type { Account } from './accounts.ts'
import { GraphApiError } from './graph.ts'
import { providerIdOf } from './message-ids.ts'

export type Deps = Pick<AppContext, 'db' | 'clock' | 'meta' | 'messageIds' | 'graph' | 'media' | 'uploadDir' | 'logger' | 'config'>

/** Maps an error code of a call to the reason of a connection outage. */
export const reasonOf: Partial<Record<string, keyof typeof outages>> = {
  ERR_CHANNEL_TOKEN: 'TOKEN_EXPIRED',
  ERR_CHANNEL_UNREGISTERED: 'NOT_REGISTERED',
  ERR_CHANNEL_FORBIDDEN: 'FORBIDDEN',
  ERR_CONTACT_UNREACHABLE: 'GONE', // here it concerns the account itself, which no longer exists
}
/**
 * Calls Graph as a connection's account and maps its faults to channel errors. A fault that makes all further
 * calls fail ends the session.
 */
export async function asAccount<T>(deps: Deps, connectionId: number, act: (account: Account) => Promise<T>): Promise<T> {
  const account = await deps.meta.of(deps.db, connectionId)
  if (!account) throw new TransientChannelError('ERR_WAPP_NOT_INITIALIZED')
  try {
    return await act(account)
  } catch (error) {
    if (!(error instanceof GraphApiError)) throw error
    const { outcome, code, afterMs } = error
    if (outcome === 'dead' && !(await endSession(deps, account, reasonOf[code]!))) throw new TransientChannelError('ERR_CHANNEL_AWAY')
    if (outcome === 'dead' || outcome === 'later') throw new TransientChannelError(code, afterMs)
    if (outcome === 'never') throw new PermanentChannelError(code)
    throw error
  }
}

/**
 * Ends the session, unless the account has received another token since. A fault of the old token says
 * nothing about the new one.
 */
const endSession = (
  { db, ...deps }: Deps,
  { connectionId: id, token, appSecret }: Account,
  reason: keyof typeof outages,
): Promise<boolean> =>
  db.transaction().execute(async (on) => {
    await on.selectFrom('connection').select('id').where('id', '=', id).forUpdate().execute() // a change of the token updates this row too
    const now = await deps.meta.of(on, id)
    const same = now?.token === token && now.appSecret === appSecret
    if (same) await setConnectionState({ ...deps, db: on }, { id }, { status: 'DISCONNECTED', reason })
    return same
  })

/** For calls that can be repeated without harm: an unknown outcome is retried. */
export const retryUnknownOutcome = async <T>(act: Promise<T>): Promise<T> =>
  act.catch((error: unknown) => {
    throw error instanceof GraphApiError && error.outcome === 'unknown' ? new TransientChannelError(error.code) : error
  })

/**
 * Returns Graph's id of an outbound message. An inbound message has no other id. The parts of one message
 * share it.
 */
export async function graphIdOf({ db }: Pick<Deps, 'db'>, connectionId: number, externalId: string): Promise<string> {
  const own = await db
    .selectFrom('outbox')
    .select('providerId')
    .where('connectionId', '=', connectionId)
    .where('kind', '=', 'send')
    .where('externalId', '=', externalId)
    .executeTakeFirst()
  return providerIdOf(db, connectionId, own ? (own.providerId ?? '') : externalId)
}
