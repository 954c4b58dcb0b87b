import { isTransient } from '../event-store/transient-errors.ts'
import { type Deps, willBeProcessed } from '../inbound/handle-inbound-event.ts'
import { type InboundEvent, type LeasedConnection, TransientChannelError } from './channel.ts'

/** Requests of a text while the channel is unavailable. */
const mostTries = 8
/** Completes a message whose provider returns the whole text only on request. Without that text the message is processed as it came. */
export async function withText(
  event: InboundEvent,
  { connection }: Pick<LeasedConnection, 'connection'>,
  { tries }: { tries: number },
  deps: Deps,
): Promise<InboundEvent> {
  if (event.type !== 'message' || !event.isPartial || !(await willBeProcessed(connection, event, deps))) return event
  try {
    const body = await deps.channel?.(connection.provider)?.textOf?.(connection, event.externalId)
    return body ? { ...event, kind: 'chat', body } : event
  } catch (error) {
    if (isTransient(error) || (error instanceof TransientChannelError && tries < mostTries)) throw error
    deps.logger.warn({ err: error, connectionId: connection.id }, 'Message text not available; its beginning is shown')
    return event
  }
}
