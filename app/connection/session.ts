import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import type { LeasedConnection } from '../channels/channel.ts'
import { driverOf } from '../channels/providers.ts'
import { createBackoff, createLoggedBackoff } from '../concurrency/retry.ts'
import type { Config } from '../config.ts'
import type { AppContext } from '../context.ts'
import { isTransient } from '../event-store/transient-errors.ts'
import type { Clock } from '../scheduler/clock.ts'
import { type EnqueueJob, job } from '../scheduler/jobs.ts'
import { type Linkable, type SessionDriver, setConnectionState } from './state.ts'

type Deps = { db: Kysely<Database>; enqueue: EnqueueJob; clock: Clock; config: Pick<Config, 'sandbox' | 'whatsappUrl'> }
export const sessionsOf = ({ config }: Pick<Deps, 'config'>, provider: string): SessionDriver | undefined =>
  driverOf(provider, config)?.sessions

/** Keeps the provider's session connected while this process leases the connection. */
export async function runSession(leased: LeasedConnection, ctx: AppContext, signal: AbortSignal): Promise<void> {
  const wait = createLoggedBackoff(createBackoff(200, 5000), ctx.logger, `Session of connection ${leased.connection.id}`)
  const sessions = sessionsOf(ctx, leased.connection.provider)
  signal.addEventListener('abort', leased.session.set, { once: true })
  while (sessions?.keepConnected && !signal.aborted)
    try {
      await sessions.keepConnected(leased, ctx, signal)
    } catch (error) {
      ctx.logger[isTransient(error) ? 'debug' : 'error'](
        { err: error, connectionId: leased.connection.id },
        'Connection session failed; restarting',
      )
      await wait.pause(error, signal)
    }
}

export type Turn = 'begin' | 'renew' | 'end' | 'read' | { type: string }
/** Writes a requested session change in the caller's transaction. Returns a function to call after the commit. */
export async function turn(deps: Deps, on: Kysely<Database>, one: Linkable, how: Turn): Promise<() => Promise<void>> {
  const absent = () => refuse('ERR_WAPP_NOT_INITIALIZED')
  const sessions = sessionsOf(deps, one.provider) ?? absent()
  const next =
    how === 'end' ? sessions.end : typeof how === 'string' ? (sessions[how] ?? absent())(one) : (sessions.type ?? absent())(one, how.type)
  await on
    .updateTable('connection')
    .set({ ...next, reason: null, silentSince: null, updatedAt: deps.clock.iso() })
    .where('id', '=', one.id)
    .execute()
  return async () => {
    if (next.status === 'OPENING' && !sessions.keepConnected)
      await deps.enqueue(link, { connectionId: one.id }, { id: `link-${crypto.randomUUID()}`, delay: 300 })
  }
}

/** How long the end of a session may take. */
const endTimeoutMs = 8000
/** Ends a session and waits until the provider has removed the device, or until the time limit. */
export async function endRemoteSession(deps: Deps, one: Linkable): Promise<void> {
  const { parted } = sessionsOf(deps, one.provider) ?? {}
  if (!parted || (await parted(deps.db, one.id))) return
  await deps.db.transaction().execute((on) => turn(deps, on, one, 'end'))
  for (const until = performance.now() + endTimeoutMs; performance.now() < until && !(await parted(deps.db, one.id)); ) await sleep(100)
}

/** Sets an opening sandbox session to connected. */
export const link = job<Pick<Deps, 'db' | 'clock'>>()<{ connectionId: number }>('link', {
  attempts: 10,
  queue: 'quick',
  run: ({ connectionId: id }, deps) => setConnectionState(deps, { id }, { status: 'CONNECTED' }, { status: 'OPENING', reason: null }),
})
