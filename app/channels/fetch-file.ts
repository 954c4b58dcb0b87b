import { passing } from '../eventlog/passing.ts'
import { type Heard, Later, type Line } from './channel.ts'
import { type Deps, mayBeHeard } from './take.ts'

/** A store is away, or the channel, or it wants a pause: nothing that counts against what is asked for. */
export const mayPass = (error: unknown): boolean => error instanceof Later || passing(error)
/** `askedAt`: since when its file is asked for, on a line that stands. */
type Fetching = { failures: number; askedAt?: number | undefined }
/**
 * So often a file is asked for, and so long where nobody is there to be asked; what was said is worth more than what hangs on it. Longer where
 * its host is the provider's own, whoever sent it.
 */
const mostFetches = { failed: 8, forMs: 3 * 60_000, fromTheirsMs: 30 * 60_000 }
/** It is our own line to the channel that is away. */
const isOurs = (error: unknown): boolean => error instanceof Later && error.code === 'ERR_WAPP_NOT_INITIALIZED'
/** With its file, where that comes apart: whatever is said behind it waits meanwhile, for minutes, and for as long as a store of ours is away. */
export async function withFile(heard: Heard, { now }: Pick<Line, 'now'>, entry: Fetching, deps: Deps): Promise<Heard> {
  if (heard.type !== 'message' || !heard.apart || !(await mayBeHeard(now, heard, deps.db))) return heard
  const channel = deps.channel?.(now.provider)
  entry.askedAt ??= deps.clock.now()
  try {
    const stored = await channel?.fetch?.(now, heard.externalId, heard.file)
    return stored ? { ...heard, ...stored } : withoutFile(heard)
  } catch (error) {
    const late = deps.clock.now() - entry.askedAt > (channel?.webhooks ? mostFetches.fromTheirsMs : mostFetches.forMs)
    if (isOurs(error)) entry.askedAt = undefined
    if (isOurs(error) || passing(error) || (!late && (error instanceof Later || entry.failures < mostFetches.failed))) throw error
    deps.logger.warn({ err: error, connectionId: now.id }, 'a file was not to be had; what was said is taken without it')
    return withoutFile(heard)
  }
}

/** The message names the file that could not be had. */
export const withoutFile = <M extends Extract<Heard, { type: 'message' }>>(heard: M): M => ({
  ...heard,
  body: [heard.fileName ?? '', heard.body].filter((words) => words.trim() !== '').join('\n'),
})
