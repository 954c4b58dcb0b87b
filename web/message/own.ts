import type { Viewer } from '#domain/access.ts'
import { channels } from '#domain/channel/channels.ts'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { editWindow } from '#domain/ticket/rules.ts'

/** What the viewer may change of a message (R-MSG-05, A-MSG-04). `young`: recent enough to be edited. `now`: in milliseconds. */
export function ownChanges(message: MessageRow, ticket: Pick<TicketRow, 'channel'>, viewer: Pick<Viewer, 'id' | 'profile'>, now: number) {
  const mine = message.fromMe && (message.user?.id === viewer.id || viewer.profile === 'admin')
  const does = message.isPrivate ? { edit: true, remove: true } : channels[ticket.channel]
  return {
    edits: mine && message.mediaType === 'chat' && does.edit,
    removes: mine && (does.remove || message.failed !== null),
    young: now - Date.parse(message.createdAt) < editWindow,
  }
}
