import { dayMs, minuteMs } from '#domain/duration/rules.ts'
import { type LeasedConnection, PermanentChannelError } from '../channels/channel.ts'
import { noRoundTrip, recordHeartbeat } from '../connection/outage.ts'
import { type SessionDriver, type State, setConnectionState } from '../connection/state.ts'
import type { AppContext } from '../context.ts'
import { asAccount, reasonOf } from './calling.ts'
import { findAccountFault, findTokenExpiry, type Reason, subscribe } from './proof.ts'

const firstPauseMs = 1000
const mostPauseMs = minuteMs
/** How often a connected session is checked. */
export const roundMs = 4 * minuteMs
const opening: State = { status: 'OPENING', qrcode: '' }

/** Outages that may end elsewhere, so they are checked again automatically. */
const transientReasons = new Set<string | null>(['AWAY', 'NOT_REGISTERED', 'UNSUBSCRIBED', 'NO_WEBHOOK'] satisfies Reason[])

/** There is no socket and no code. A session is connected while its token is valid and Meta sends webhooks. */
export const metaSessions: SessionDriver = {
  begin: () => opening,
  renew: () => opening,
  end: { status: 'DISCONNECTED', qrcode: '' },
  async keepConnected(line, ctx, signal) {
    const { clock } = ctx
    const known: Known = { lastsAskedAt: Number.NEGATIVE_INFINITY }
    let pauseMs = firstPauseMs
    let dueAt = clock.now() + Math.random() * roundMs // spreads the checks of sessions that start together
    while (!signal.aborted) {
      const wasConnected = line.connection.status === 'CONNECTED'
      const due = isUnconfirmed(line) || (wasConnected && clock.now() >= dueAt)
      const again = due && (await checkSession(line, ctx, known))
      if (signal.aborted) return
      if (due && !again) dueAt = clock.now() + roundMs
      const restMs = again ? pauseMs : line.connection.status === 'CONNECTED' ? Math.max(1, dueAt - clock.now()) : undefined
      pauseMs = again ? Math.min(2 * pauseMs, mostPauseMs) : firstPauseMs
      await line.session.wait(restMs)
    }
  },
}

/** The session should be connected, and Meta has not confirmed it yet. */
const isUnconfirmed = ({ connection: { status, reason } }: LeasedConnection): boolean =>
  status === 'OPENING' || (status === 'DISCONNECTED' && transientReasons.has(reason))

type Known = { lastsAskedAt: number }
/** Checks the session. Returns whether to check again soon. */
async function checkSession(line: LeasedConnection, ctx: AppContext, known: Known): Promise<boolean> {
  const { id, ...before } = line.connection
  const wasConnected = before.status === 'CONNECTED'
  const found: { reason: Reason | null; code?: string } = await asAccount(ctx, id, async (account) => {
    // reconnecting subscribes again, because Meta may have removed the subscription
    if (before.status === 'OPENING') await subscribe(ctx, account)
    const reason = await findAccountFault(ctx, account)
    const { product, token, appSecret } = account
    if (product === 'whatsapp' && ctx.clock.now() - known.lastsAskedAt > dayMs) {
      const tokenExpiresAt = await findTokenExpiry(ctx, { token, appSecret })
      known.lastsAskedAt = ctx.clock.now()
      if (tokenExpiresAt !== undefined) await ctx.meta.expires(ctx.db, account, tokenExpiresAt, ctx.clock.iso())
    }
    return { reason }
  }).catch((error: Error & { code?: string }) => {
    const { code = '' } = error
    // only a certain fault ends a connected session
    const faultReason = reasonOf[code] ?? (error instanceof PermanentChannelError && !wasConnected ? 'FORBIDDEN' : 'AWAY')
    return { reason: faultReason, code }
  })
  // the session ended meanwhile, or an admin ended it
  if (wasConnected !== (line.connection.status === 'CONNECTED') || (!wasConnected && !isUnconfirmed(line))) return false
  const { reason, code } = found
  if (wasConnected && (reason === null || code === 'ERR_CHANNEL_LIMITED')) await recordHeartbeat(line, ctx.db)
  else if (wasConnected && reason === 'AWAY') await noRoundTrip(line, ctx.db)
  else await setConnectionState(ctx, { id }, reason === null ? { status: 'CONNECTED' } : { status: 'DISCONNECTED', reason }, before)
  return code !== 'ERR_CHANNEL_LIMITED' && transientReasons.has(reason)
}
