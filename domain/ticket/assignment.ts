import type { Decide } from '#domain/decider.ts'
import type { Bot } from './bot.ts'
import type { AssignmentReason, TicketEvent } from './events.ts'
import type { Present, Ticket } from './ticket.ts'

export type AssignmentCommand =
  /**
   * A rule assigns the waiting ticket to a user of its queue; null: nobody is available, and it waits for anybody.
   * `from`: the assigned user when the rule decided. A late or repeated command is harmless, because the state decides.
   */
  { type: 'Assign'; queueId: number; from: number | null; userId: number | null; why: AssignmentReason; rule: string }

/** Whether the ticket waits in a queue for people and no bot is active, so that a rule may assign it. */
export const isAutoAssignable = (ticket: Ticket): ticket is Present & { queueId: number } =>
  ticket.status === 'pending' && !ticket.group && (ticket.bot.over || isPaused(ticket.bot)) && ticket.queueId !== null

/** The contact got an out-of-hours or vacation notice and no menu since, so the ticket may be assigned (A-ROT-01). */
const isPaused = ({ node, noticedAt }: Bot): boolean => node === null && (noticedAt.outOfHours ?? noticedAt.vacation) !== undefined

/** A waiting ticket that no bot has handled, because nothing was configured when it came in. Rotation may assign it later (A-ROT-01). */
export const isUntouchedByBot = (ticket: Ticket): ticket is Present & { queueId: number } =>
  ticket.status === 'pending' && !ticket.group && ticket.queueId !== null && isUntouched(ticket.bot)
const isUntouched = ({ over, node, menuAt, dealt }: Bot): boolean => !over && node === null && menuAt === null && dealt === -1

export const assignment: Decide<Ticket, AssignmentCommand, TicketEvent> = {
  Assign: (ticket, { queueId, from, userId, why, rule }) => {
    if (!(isAutoAssignable(ticket) || isUntouchedByBot(ticket)) || ticket.queueId !== queueId || ticket.userId !== from || userId === from)
      return []
    if (userId === null) return [{ type: 'TicketReturned', rule, why: 'unavailable' }]
    return [{ type: 'TicketAssigned', userId, why, rule }]
  },
}
