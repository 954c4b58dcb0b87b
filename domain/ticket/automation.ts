import type { Decide } from '#domain/decider.ts'
import type { Content, TicketEvent } from './events.ts'
import { heardBy, type Ticket } from './ticket.ts'

/** A text of the bot as it is to be sent, with ids that derive from what it follows. */
export type BotMessage = Omit<Content, 'quotedId'> & { externalId: string; clientId: string; afterMs?: number }
export type Effect =
  | { does: 'say'; message: BotMessage }
  | { does: 'queue'; queueId: number }
  | { does: 'stand'; node: string; menus: number }
  /** Over to people: to one, or to whoever serves the queue. */
  | { does: 'end'; userId: number | null }
  | { does: 'close' }
/** A rule that acts, why, and what it does. `choice`: what the contact's answer was taken for. */
export type Act = { rule: string; reason: string; choice?: { number: number; name: string }; effects: Effect[] }

export type AutomationCommand =
  /**
   * What was decided about a contact's message, all of it or nothing. `answers`: the revision of that message. `from`: what the bot had dealt
   * with when it was decided; whoever was faster has it.
   */
  | { type: 'Automate'; answers: number; from: number; acts: Act[] }
  /**
   * What is said to a contact whoever serves the ticket, or only while it waits for nobody yet, once in a while; `answers` null: no message
   * is dealt with by it.
   */
  | { type: 'Remark'; answers: number | null; act: Act; afterMs: number; whileWaiting?: true }

export const automation: Decide<Ticket, AutomationCommand, TicketEvent> = {
  Automate: (ticket, { answers, from, acts: asked }) => {
    if (ticket.status !== 'pending' || ticket.userId !== null || ticket.group) return []
    const { bot } = ticket
    if (bot.over || bot.dealt !== from || answers <= bot.dealt) return []
    const more = ticket.heard > heardBy(ticket, Math.max(answers, ticket.consent?.given ?? -1)) // what was an answer to that is done with
    const acts = more ? asked.map(open) : asked
    let { queueId } = ticket
    const begins = bot.menuAt === null
    return acts.flatMap((act) => {
      const facts = factsOf(act, answers, queueId, begins)
      for (const fact of facts) if (fact.type === 'TicketQueued') queueId = fact.queueId
      return facts
    })
  },

  Remark: (ticket, { answers, act, afterMs, whileWaiting, at }) => {
    if (ticket.status === 'absent' || ticket.status === 'deleted' || ticket.status === 'closed' || ticket.group) return []
    if (ticket.status === 'nps' || ticket.status === 'lgpd') return [] // what is written there is an answer
    if (whileWaiting && (ticket.status !== 'pending' || ticket.userId !== null)) return []
    const last = ticket.bot.noticedAt[act.reason as 'audio']
    return last !== undefined && Date.parse(at) - Date.parse(last) < afterMs ? [] : factsOf(act, answers, ticket.queueId)
  },
}

/** Who wrote on meanwhile is not closed upon: what they wrote waits for people. */
const open = (act: Act): Act => ({
  ...act,
  effects: act.effects.map((effect) => (effect.does === 'close' ? { does: 'end', userId: null } : effect)),
})

function factsOf({ rule, reason, choice, effects }: Act, answers: number | null, from: number | null, begins = false): TicketEvent[] {
  let queueId = from
  const facts: TicketEvent[] = [{ type: 'AutomationActed', rule, reason, answers, ...(choice && { choice }) }]
  for (const effect of effects)
    switch (effect.does) {
      case 'say':
        facts.push({ type: 'MessageSent', ...effect.message, private: false, forwarded: false, seen: null, quotedId: null, queueId })
        break
      case 'queue':
        if (effect.queueId !== queueId) facts.push({ type: 'TicketQueued', queueId: effect.queueId })
        queueId = effect.queueId
        break
      case 'stand':
        facts.push({ type: 'BotMoved', node: effect.node, menus: effect.menus, answers: answers ?? 0, ...(begins && { begins }) })
        break
      case 'end':
        if (effect.userId !== null) facts.push({ type: 'TicketAssigned', userId: effect.userId, why: 'bot', rule })
        facts.push({ type: 'BotEnded', why: reason })
        break
      case 'close':
        facts.push({ type: 'TicketClosed', reason: 'bot', farewell: false, waited: true, userId: null, successor: null, queueId })
    }
  return facts
}
