import type { Decide } from '#domain/decider.ts'
import { isNotice } from './bot.ts'
import type { Content, TicketEvent } from './events.ts'
import { inboundCountAt, type Ticket } from './ticket.ts'

/** A text of the bot to send. Its ids derive from the event that caused it. */
export type BotMessage = Omit<Content, 'quotedId'> & { externalId: string; clientId: string; afterMs?: number }
export type Effect =
  | { does: 'say'; message: BotMessage }
  | { does: 'queue'; queueId: number }
  | { does: 'stand'; node: string; menus: number }
  /** Hands over to one user, or to all users of the queue. */
  | { does: 'end'; userId: number | null }
  | { does: 'close' }
/** A rule that acts, with its reason and its effects. `choice`: the menu choice that the answer was understood as. */
export type AutomationAction = { rule: string; reason: string; choice?: { number: number; name: string }; effects: Effect[] }

export type AutomationCommand =
  /**
   * Applies a decision about a contact's message, completely or not at all. `answers`: the revision of that message.
   * `from`: the last message that the bot had handled when it decided. If it changed, the command does nothing.
   */
  | { type: 'Automate'; answers: number; from: number; acts: AutomationAction[] }
  /**
   * Sends a notice to the contact, at most once within `afterMs`. `whileWaiting`: only while the ticket waits unassigned.
   * `answers` null: the notice handles no message.
   */
  | { type: 'Remark'; answers: number | null; act: AutomationAction; afterMs: number; whileWaiting?: true }

export const automation: Decide<Ticket, AutomationCommand, TicketEvent> = {
  Automate: (ticket, { answers, from, acts: requested }) => {
    if (ticket.status !== 'pending' || ticket.userId !== null || ticket.group) return []
    const { bot } = ticket
    if (bot.over || bot.dealt !== from || answers <= bot.dealt) return []
    // messages before the consent are already handled
    const more = ticket.inboundCount > inboundCountAt(ticket, Math.max(answers, ticket.consent?.given ?? -1))
    const acts = more ? requested.map(open) : requested
    let { queueId } = ticket
    const begins = bot.menuAt === null
    return acts.flatMap((act) => {
      const events = eventsOf(act, answers, queueId, begins)
      for (const event of events) if (event.type === 'TicketQueued') queueId = event.queueId
      return events
    })
  },

  Remark: (ticket, { answers, act, afterMs, whileWaiting, at }) => {
    if (ticket.status === 'absent' || ticket.status === 'deleted' || ticket.status === 'closed' || ticket.group) return []
    if (ticket.status === 'nps' || ticket.status === 'lgpd') return [] // a message there is an answer to the question
    if (whileWaiting && (ticket.status !== 'pending' || ticket.userId !== null)) return []
    const last = ticket.bot.noticedAt[act.reason as 'audio']
    return last !== undefined && Date.parse(at) - Date.parse(last) < afterMs ? [] : eventsOf(act, answers, ticket.queueId)
  },
}

/** Does not close the ticket if the contact has written again, because the new messages wait for people. */
const open = (act: AutomationAction): AutomationAction => ({
  ...act,
  effects: act.effects.map((effect) => (effect.does === 'close' ? { does: 'end', userId: null } : effect)),
})

function eventsOf(
  { rule, reason, choice, effects }: AutomationAction,
  answers: number | null,
  from: number | null,
  begins = false,
): TicketEvent[] {
  let queueId = from
  const silent = isNotice(reason) && !effects.some(({ does }) => does === 'say')
  const events: TicketEvent[] = [
    { type: 'AutomationActed', rule, reason, answers, ...(choice && { choice }), ...(silent && { silent: true as const }) },
  ]
  for (const effect of effects)
    switch (effect.does) {
      case 'say':
        events.push({ type: 'MessageSent', ...effect.message, private: false, forwarded: false, seen: null, quotedId: null, queueId })
        break
      case 'queue':
        if (effect.queueId !== queueId) events.push({ type: 'TicketQueued', queueId: effect.queueId })
        queueId = effect.queueId
        break
      case 'stand':
        events.push({ type: 'BotMoved', node: effect.node, menus: effect.menus, answers: answers ?? 0, ...(begins && { begins }) })
        break
      case 'end':
        if (effect.userId !== null) events.push({ type: 'TicketAssigned', userId: effect.userId, why: 'bot', rule })
        events.push({ type: 'BotEnded', why: reason })
        break
      case 'close':
        events.push({ type: 'TicketClosed', reason: 'bot', farewell: false, waited: true, userId: null, successor: null, queueId })
    }
  return events
}
