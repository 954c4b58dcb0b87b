import type { Decide } from '#domain/decider.ts'
import type { Bot } from './bot.ts'
import type { Assigning, TicketEvent } from './events.ts'
import type { Present, Ticket } from './ticket.ts'

export type AssigningCommand =
  /**
   * A rule has chosen for whom it waits, among those of its queue; null: there is nobody, and it waits for whoever comes. `from`: for whom it
   * waited when that was decided. It may come late or twice: the state decides.
   */
  { type: 'Assign'; queueId: number; from: number | null; userId: number | null; why: Assigning; rule: string }

/** Whether it waits in a queue for people, and no bot leads it: only then it is given to somebody by itself. */
export const isGivenOut = (ticket: Ticket): ticket is Present & { queueId: number } =>
  ticket.status === 'pending' && !ticket.group && (ticket.bot.over || isPaused(ticket.bot)) && ticket.queueId !== null

/** It was told of closed hours or a vacation, and nothing was asked since: people may have it before it asks (A-ROT-01). */
const isPaused = ({ node, noticedAt }: Bot): boolean => node === null && (noticedAt.outOfHours ?? noticedAt.vacation) !== undefined

/** A waiting ticket that no bot has handled, because nothing was configured when it came in. Rotation may assign it later (A-ROT-01). */
export const isLeftAlone = (ticket: Ticket): ticket is Present & { queueId: number } =>
  ticket.status === 'pending' && !ticket.group && ticket.queueId !== null && isUntouched(ticket.bot)
const isUntouched = ({ over, node, menuAt, dealt }: Bot): boolean => !over && node === null && menuAt === null && dealt === -1

export const assigning: Decide<Ticket, AssigningCommand, TicketEvent> = {
  Assign: (ticket, { queueId, from, userId, why, rule }) => {
    if (!(isGivenOut(ticket) || isLeftAlone(ticket)) || ticket.queueId !== queueId || ticket.userId !== from || userId === from) return []
    if (userId === null) return [{ type: 'TicketReturned', rule, why: 'unavailable' }]
    return [{ type: 'TicketAssigned', userId, why, rule }]
  },
}
