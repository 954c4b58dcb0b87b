import type { WASocket } from '@whiskeysockets/baileys'
import type { LeasedConnection } from '#app/channels/channel.ts'
import { recordHeartbeat } from '#app/connection/outage.ts'
import type { AppContext } from '#app/context.ts'
import { minuteMs } from '#domain/duration/rules.ts'

/** How long WhatsApp may take for the login or a code after its first answer. */
export const loginMs = minuteMs
/** Shorter than the client's ping interval, so that each answer counts. */
const roundTripMs = 25_000

type Deps = { leased: LeasedConnection; ctx: AppContext; warn: (error: unknown, message: string) => void }

/** Records a heartbeat when WhatsApp answers, and ends the socket if the login takes too long. */
export function watchLogin(sock: WASocket, { leased, ctx, warn }: Deps) {
  let reportedAt = Number.NEGATIVE_INFINITY
  /** Since when we wait for WhatsApp; null: a person has to act, or the login is complete. */
  let waitingSince: number | null = ctx.clock.now()
  sock.ws.on('frame', () => {
    if (waitingSince !== null && ctx.clock.now() - waitingSince > loginMs) {
      waitingSince = null
      ctx.logger.warn({ connectionId: leased.connection.id }, 'WhatsApp login timed out; socket restarts')
      void sock.end(undefined)
    }
    if (ctx.clock.now() - reportedAt < roundTripMs) return
    reportedAt = ctx.clock.now()
    void recordHeartbeat(leased, ctx.db).catch((error) => warn(error, 'Heartbeat could not be recorded'))
  })
  return {
    /** Starts the wait for WhatsApp again. */
    start(): void {
      waitingSince = ctx.clock.now()
    },
    /** Ends the wait, because a person has to act or the login is complete. */
    stop(): void {
      waitingSince = null
    },
    /** Whether WhatsApp has ever answered over this socket. */
    hasAnswered: () => Number.isFinite(reportedAt),
  }
}
