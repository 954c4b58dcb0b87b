import { isTransient } from '../event-store/transient-errors.ts'
import { type Deps, mayBeHeard } from '../inbound/handle-inbound-event.ts'
import { type InboundEvent, type LeasedConnection, TransientChannelError } from './channel.ts'

/** The error is temporary: a store or the channel is unavailable, or asks to wait. It does not count as a failed attempt. */
export const mayPass = (error: unknown): boolean => error instanceof TransientChannelError || isTransient(error)
/** `askedAt`: when the file was first requested while the connection was up, in milliseconds. */
type Fetching = { failures: number; askedAt?: number | undefined }
/**
 * When to give up and show the message without its file: after so many failed attempts, or so long while the host does not answer. A host of
 * the provider gets more time.
 */
const mostFetches = { failed: 8, forMs: 3 * 60_000, fromTheirsMs: 30 * 60_000 }
/** Our own connection to the channel is down. */
const isOurs = (error: unknown): boolean => error instanceof TransientChannelError && error.code === 'ERR_WAPP_NOT_INITIALIZED'
/**
 * Fetches the file of a message that came without it. Later messages of the conversation wait meanwhile: for some minutes, or as long as our
 * own storage is unavailable.
 */
export async function withFile(
  heard: InboundEvent,
  { connection: now }: Pick<LeasedConnection, 'connection'>,
  entry: Fetching,
  deps: Deps,
): Promise<InboundEvent> {
  if (heard.type !== 'message' || !heard.apart || !(await mayBeHeard(now, heard, deps.db))) return heard
  const channel = deps.channel?.(now.provider)
  entry.askedAt ??= deps.clock.now()
  try {
    const stored = await channel?.fetch?.(now, heard.externalId, heard.file)
    return stored ? { ...heard, ...stored } : withoutFile(heard)
  } catch (error) {
    const late = deps.clock.now() - entry.askedAt > (channel?.webhooks ? mostFetches.fromTheirsMs : mostFetches.forMs)
    if (isOurs(error)) entry.askedAt = undefined
    if (isOurs(error) || isTransient(error) || (!late && (error instanceof TransientChannelError || entry.failures < mostFetches.failed)))
      throw error
    deps.logger.warn({ err: error, connectionId: now.id }, 'a file was not to be had; what was said is taken without it')
    return withoutFile(heard)
  }
}

/** The message names the file that could not be had. */
export const withoutFile = <M extends Extract<InboundEvent, { type: 'message' }>>(heard: M): M => ({
  ...heard,
  body: [heard.fileName ?? '', heard.body].filter((words) => words.trim() !== '').join('\n'),
})
