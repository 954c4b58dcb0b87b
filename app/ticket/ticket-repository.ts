import type { TicketCommand } from '#domain/ticket/decide.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import type { Ticket } from '#domain/ticket/ticket.ts'
import type * as Any from '../event-store/aggregate-repository.ts'

type Store = Any.Store<Ticket, TicketCommand, TicketEvent>
export type Asked = Any.Asked<Ticket, TicketEvent>
export type AskTicket = Store['ask']
export type SeeTicket = Store['see']
export type WasAsked = Store['asked']
