import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { api } from '#web/api.ts'
import { out } from '#web/message/sending.ts'
import { store } from '#web/session.ts'
import { ticketOf } from '#web/ticket/atoms.ts'
import { toastFailure } from '#web/ui/toaster.ts'

/** A message that did not leave is sent as a new one; a file goes from where the server keeps it. */
export function sendAgain(message: MessageRow, ticket: TicketRow): void {
  if (message.mediaUrl) void api.messages.again({ params: { id: message.id } }).catch(toastFailure)
  else
    out.send({
      ticketId: ticket.id,
      body: message.body,
      quoted: message.quotedMsg?.id ?? null,
      isPrivate: message.isPrivate,
      sign: false, // its text is signed already
      seen: store.get(ticketOf(ticket.uuid)).row?.revision ?? ticket.revision,
      anyway: false,
      files: [],
    })
}
