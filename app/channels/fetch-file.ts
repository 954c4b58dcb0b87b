import { minuteMs } from '#domain/duration/rules.ts'
import { isTransient } from '../event-store/transient-errors.ts'
import { type Deps, willBeProcessed } from '../inbound/handle-inbound-event.ts'
import { type InboundEvent, type LeasedConnection, TransientChannelError } from './channel.ts'

/** The error is temporary: a store or the channel is unavailable, or asks to wait. It does not count as a failed attempt. */
export const isTemporary = (error: unknown): boolean => error instanceof TransientChannelError || isTransient(error)
/** `askedAt`: when the file was first requested while the connection was up, in milliseconds. */
type Fetching = { failures: number; askedAt?: number | undefined }
/**
 * When the message is processed without its file: after `failed` attempts, or after this time while the host does not answer. The host of a
 * webhook provider gets more time.
 */
const mostFetches = { failed: 8, forMs: 3 * minuteMs, fromTheirsMs: 30 * minuteMs }
/** Our own connection to the channel is down. */
const isOurs = (error: unknown): boolean => error instanceof TransientChannelError && error.code === 'ERR_WAPP_NOT_INITIALIZED'
/**
 * Fetches the file of a message that came without it. Later messages of the conversation wait meanwhile: for some minutes, or as long as our
 * own storage is unavailable.
 */
export async function withFile(
  event: InboundEvent,
  { connection }: Pick<LeasedConnection, 'connection'>,
  entry: Fetching,
  deps: Deps,
): Promise<InboundEvent> {
  if (event.type !== 'message' || !event.apart || !(await willBeProcessed(connection, event, deps))) return event
  const channel = deps.channel?.(connection.provider)
  entry.askedAt ??= deps.clock.now()
  try {
    const stored = await channel?.fetch?.(connection, event.externalId, event.file)
    return stored ? { ...event, ...stored } : withoutFile(event)
  } catch (error) {
    const late = deps.clock.now() - entry.askedAt > (channel?.webhooks ? mostFetches.fromTheirsMs : mostFetches.forMs)
    if (isOurs(error)) entry.askedAt = undefined
    if (isOurs(error) || isTransient(error) || (!late && (error instanceof TransientChannelError || entry.failures < mostFetches.failed)))
      throw error
    deps.logger.warn({ err: error, connectionId: connection.id }, 'Media download failed; message processed without the file')
    return withoutFile(event)
  }
}

/** The text names the file that could not be downloaded. */
export const withoutFile = <M extends Extract<InboundEvent, { type: 'message' }>>(event: M): M => ({
  ...event,
  body: [event.fileName ?? '', event.body].filter((words) => words.trim() !== '').join('\n'),
})
