import type { Decider } from '#domain/decider.ts'
import { type AssignmentCommand, assignment } from './assignment.ts'
import { type AttendanceCommand, attendance } from './attendance.ts'
import { type AutomationCommand, automation } from './automation.ts'
import { type ConversationCommand, conversation } from './conversation.ts'
import type { TicketEvent } from './events.ts'
import { type ExternalCommand, external } from './external.ts'
import { type ImportCommand, importing } from './importing.ts'
import { type LaneCommand, lanes } from './lane.ts'
import { normalizeOccurredAt } from './rules.ts'
import { cloneTicket, evolve, type Ticket } from './ticket.ts'
import { type TimeoutCommand, timeouts } from './timeouts.ts'

export type TicketCommand =
  | AssignmentCommand
  | AttendanceCommand
  | ConversationCommand
  | AutomationCommand
  | TimeoutCommand
  | LaneCommand
  | ExternalCommand
  | ImportCommand

export const ticket: Decider<Ticket, TicketCommand, TicketEvent> = {
  stream: 'ticket',
  initial: { status: 'absent' },
  decide: { ...assignment, ...attendance, ...conversation, ...automation, ...timeouts, ...lanes, ...external, ...importing },
  evolve,
  own: cloneTicket,
  normalizeOccurredAt: (now, occurredAt, at) => normalizeOccurredAt(occurredAt, at, 'lastInboundAt' in now ? now.lastInboundAt : null),
}
