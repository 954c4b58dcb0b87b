import type { Decider } from '#domain/decider.ts'
import { type AssigningCommand, assigning } from './assignment.ts'
import { type AttendanceCommand, attendance } from './attendance.ts'
import { type AutomationCommand, automation } from './automation.ts'
import { type ConversationCommand, conversation } from './conversation.ts'
import type { TicketEvent } from './events.ts'
import { type ElsewhereCommand, elsewhere } from './external.ts'
import { type ImportCommand, importing } from './importing.ts'
import { type LaneCommand, lanes } from './lane.ts'
import { believable } from './rules.ts'
import { evolve, owned, type Ticket } from './ticket.ts'
import { type WaitingCommand, waiting } from './timeouts.ts'

export type TicketCommand =
  | AssigningCommand
  | AttendanceCommand
  | ConversationCommand
  | AutomationCommand
  | WaitingCommand
  | LaneCommand
  | ElsewhereCommand
  | ImportCommand

export const ticket: Decider<Ticket, TicketCommand, TicketEvent> = {
  stream: 'ticket',
  initial: { status: 'absent' },
  decide: { ...assigning, ...attendance, ...conversation, ...automation, ...waiting, ...lanes, ...elsewhere, ...importing },
  evolve,
  own: owned,
  believed: (now, occurredAt, at) => believable(occurredAt, at, 'heardAt' in now ? now.heardAt : null),
}
