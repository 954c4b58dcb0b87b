import { refuse } from '#domain/errors.ts'
import type { Aggregate } from '#domain/stream.ts'
import { type TicketCommand, ticket } from './decide.ts'
import { personal } from './event-catalogue.ts'
import type { TicketEvent } from './events.ts'
import { ticketStateWindow } from './message-window.ts'
import { deserializeTicket, foldVersion, serializeTicket } from './snapshot.ts'
import type { Ticket } from './ticket.ts'

/** All events of a ticket are in one stream. */
export const ticketStream: Aggregate<Ticket, TicketCommand, TicketEvent> = {
  ...ticket,
  personal,
  upcasts: {},
  contactOf: (made) => made.find((one) => one.type === 'TicketOpened')?.contactId ?? refuse('ERR_NO_TICKET_FOUND'),
  snapshot: { version: foldVersion, serialize: serializeTicket, deserialize: deserializeTicket },
  stateWindow: ticketStateWindow,
}
