import type { outages } from '#domain/connection/rules.ts'
import type { ConnectionState } from '../channels/channel.ts'

export type Outage = keyof typeof outages
/** What is done after a socket ended: begin again, where that lasts with a reason to tell, or stop and say why. `forget`: the account is no longer ours. */
export type Next =
  | { again: true; afterMs: number; reason?: Outage; alarm?: string }
  | { again: false; status: ConnectionState['status']; reason: Outage; forget?: true }
export type Ended = {
  code: number
  /** Whether a phone is linked. */
  linked: boolean
  /** Sockets in a row that ended before they stood for a while, this one among them. */
  failures: number
  /** Whether somebody else’s socket ended it, as another within the hour. */
  replaced: boolean
  /** Whether there is a later version of the web client to say that we are, than the one that was refused. */
  later?: boolean
}

const firstMs = 1000
const mostMs = 60_000
/** So many in a row are about five minutes. */
const alarming = 10

/** By the code with which WhatsApp, or the line to it, ended the socket. */
const byCode: Record<number, (ended: Ended) => Next> = {
  /** Right after a phone was linked, and whenever the server wants it. */
  515: () => ({ again: true, afterMs: 0 }),
  /** The codes to read ran out, or a line that was lost. */
  408: (ended) => (ended.linked ? later(ended) : { again: false, status: 'TIMEOUT', reason: 'CODE_EXPIRED' }),
  /** Somebody else is there with our keys: twice in an hour it is no overlap of two processes, and going on would only throw each other out. */
  440: ({ replaced }) => (replaced ? { again: false, status: 'DISCONNECTED', reason: 'REPLACED' } : { again: true, afterMs: 30_000 }),
  401: () => ({ again: false, status: 'DISCONNECTED', reason: 'LOGGED_OUT', forget: true }),
  403: () => ({ again: false, status: 'DISCONNECTED', reason: 'FORBIDDEN' }),
  411: () => ({ again: false, status: 'DISCONNECTED', reason: 'MULTI_DEVICE' }),
  405: (ended) =>
    ended.later
      ? { again: true, afterMs: 0 }
      : {
          ...later(ended, 'TOO_OLD'),
          alarm: 'WhatsApp refuses this version of its web client: set WHATSAPP_WEB_VERSION to a newer one',
        },
  500: (ended) => ({
    ...later(ended),
    ...(ended.failures >= 3 && { alarm: 'WhatsApp ends the session again and again; its keys are kept' }),
  }),
}

/** Twice as long each time, up to a minute, and never at the same moment as others. */
function later({ failures }: Ended, reason: Outage = 'AWAY'): Extract<Next, { again: true }> {
  const afterMs = Math.min(firstMs * 2 ** (failures - 1), mostMs) * (0.5 + Math.random() / 2)
  const alarm = failures === alarming && { alarm: 'WhatsApp has not been reached for minutes' }
  return { again: true, afterMs, ...(failures >= alarming && { reason }), ...alarm }
}

export const afterwards = (ended: Ended): Next => byCode[ended.code]?.(ended) ?? later(ended)
