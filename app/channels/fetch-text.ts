import { isTransient } from '../event-store/transient-errors.ts'
import { type Deps, mayBeHeard } from '../inbound/handle-inbound-event.ts'
import { type InboundEvent, type LeasedConnection, TransientChannelError } from './channel.ts'

/** So often a text is asked for while the connection is away. */
const mostTries = 8
/** Completes a message whose provider gives the whole text only when asked; it is taken as it came where that cannot be had. */
export async function withText(
  heard: InboundEvent,
  { connection: now }: Pick<LeasedConnection, 'connection'>,
  { tries }: { tries: number },
  deps: Deps,
): Promise<InboundEvent> {
  if (heard.type !== 'message' || !heard.isPartial || !(await mayBeHeard(now, heard, deps.db))) return heard
  try {
    const body = await deps.channel?.(now.provider)?.textOf?.(now, heard.externalId)
    return body ? { ...heard, kind: 'chat', body } : heard
  } catch (error) {
    if (isTransient(error) || (error instanceof TransientChannelError && tries < mostTries)) throw error
    deps.logger.warn({ err: error, connectionId: now.id }, 'Message text not available; its beginning is shown')
    return heard
  }
}
