import type { Viewer } from '#domain/access.ts'
import type { AccessMode } from '#domain/ticket/events.ts'
import type { ExecuteTicketCommand } from './ticket-repository.ts'
import { toCommandMetadata } from './visibility.ts'

/**
 * Records an access event: who opened, read or exported the ticket. Callers read the content after this
 * append (A-TICKET-06).
 */
export async function recordAccess(
  execute: ExecuteTicketCommand,
  viewer: Viewer,
  ticketId: number,
  mode: AccessMode | undefined,
  commandId: string,
): Promise<void> {
  await execute(ticketId, { type: 'Access', userId: viewer.id, ...(mode && { mode }), ...toCommandMetadata(viewer) }, `${commandId}-access`)
}
