import type { TicketCommand } from '#domain/ticket/decide.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import type { Ticket } from '#domain/ticket/ticket.ts'
import type * as Any from '../event-store/aggregate-repository.ts'

type Store = Any.AggregateRepository<Ticket, TicketCommand, TicketEvent>
export type TicketCommandResult = Any.CommandResult<Ticket, TicketEvent>
export type ExecuteTicketCommand = Store['execute']
export type LoadTicket = Store['load']
export type WasExecuted = Store['wasExecuted']
