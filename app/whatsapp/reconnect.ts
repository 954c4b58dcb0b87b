import type { outages } from '#domain/connection/rules.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import type { ConnectionState } from '../channels/channel.ts'

export type Outage = keyof typeof outages
/**
 * What happens after a socket ended: reconnect, with a reason if the outage lasts, or stop with a reason. `forget`: WhatsApp removed the
 * device, so the account is deleted.
 */
export type NextStep =
  | { again: true; afterMs: number; reason?: Outage; alarm?: string }
  | { again: false; status: ConnectionState['status']; reason: Outage; forget?: true }
/** How a socket ended. */
export type SocketEnd = {
  code: number
  /** Whether WhatsApp sent anything over it. */
  reached: boolean
  /** Whether the codes that WhatsApp offered for linking expired unused. */
  codeExpired: boolean
}
export type Ended = SocketEnd & {
  /** Whether a phone is linked. */
  linked: boolean
  /** Consecutive sockets that ended early, including this one. */
  failures: number
  /** Whether another program's socket ended it for the second time within an hour. */
  replaced: boolean
  /** Whether a newer version of the web client exists than the refused one. */
  later?: boolean
}

const firstMs = 1000
const mostMs = minuteMs
/** This many failures in a row take about five minutes. */
const alarming = 10

/** The next step by the code of the socket's end. */
const byCode: Record<number, (ended: Ended) => NextStep> = {
  /** Restart required: right after a phone was linked, or at the server's request. */
  515: () => ({ again: true, afterMs: 0 }),
  /** The QR codes expired, the connection was lost, or there is no network. */
  408: (ended) => (ended.codeExpired ? { again: false, status: 'TIMEOUT', reason: 'CODE_EXPIRED' } : later(ended)),
  /** Another program uses our keys. Twice within an hour it is no overlap of two processes, and reconnecting would end the other socket. */
  440: ({ replaced }) => (replaced ? { again: false, status: 'DISCONNECTED', reason: 'REPLACED' } : { again: true, afterMs: 30_000 }),
  401: () => ({ again: false, status: 'DISCONNECTED', reason: 'LOGGED_OUT', forget: true }),
  403: () => ({ again: false, status: 'DISCONNECTED', reason: 'FORBIDDEN' }),
  411: () => ({ again: false, status: 'DISCONNECTED', reason: 'MULTI_DEVICE' }),
  405: (ended) =>
    ended.later
      ? { again: true, afterMs: 0 }
      : {
          ...later(ended, 'TOO_OLD'),
          alarm: 'WhatsApp web version refused; raise WHATSAPP_WEB_VERSION',
        },
  500: (ended) => ({
    ...later(ended),
    ...(ended.failures >= 3 && { alarm: 'WhatsApp ends the session repeatedly; keys are kept' }),
  }),
}

/** Why a socket is absent that ended by itself: WhatsApp ended it, or this server did not reach WhatsApp. */
export const absence = ({ reached }: Pick<SocketEnd, 'reached'>) => (reached ? 'AWAY' : 'UNREACHABLE') satisfies Outage

/** Exponential backoff up to a minute, with jitter. The reason is shown at once to a user who waits for a code. */
function later(ended: Ended, reason: Outage = absence(ended)): Extract<NextStep, { again: true }> {
  const { failures, linked } = ended
  const afterMs = Math.min(firstMs * 2 ** (failures - 1), mostMs) * (0.5 + Math.random() / 2)
  const alarm = failures === alarming && { alarm: 'WhatsApp unreachable for minutes' }
  return { again: true, afterMs, ...((failures >= alarming || !linked) && { reason }), ...alarm }
}

export const afterwards = (ended: Ended): NextStep => byCode[ended.code]?.(ended) ?? later(ended)
