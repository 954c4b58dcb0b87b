import type { Viewer } from '#domain/access.ts'
import type { Way } from '#domain/ticket/events.ts'
import type { ExecuteTicketCommand } from './ticket-repository.ts'
import { toCommandMetadata } from './visibility.ts'

/** Leaves in the ticket's log who opened it, or read it without, or took it out; whatever it says is read after that (A-TICKET-06). */
export async function accessed(
  execute: ExecuteTicketCommand,
  viewer: Viewer,
  ticketId: number,
  way: Way | undefined,
  commandId: string,
): Promise<void> {
  await execute(ticketId, { type: 'Access', userId: viewer.id, ...(way && { way }), ...toCommandMetadata(viewer) }, `${commandId}-access`)
}
