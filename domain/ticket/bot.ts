import type { WithMetadata } from '#domain/decider.ts'
import { hourMs } from '#domain/duration/rules.ts'
import { traitsOf } from './event-catalogue.ts'
import type { TicketEvent } from './events.ts'

/** The state of the bot in a ticket (A-BOT-01). */
export type Bot = {
  /** The menu at which the bot waits; null: none, and the next message starts the flow. */
  node: string | null
  /** The bot has ended: people serve the ticket, or there was never a menu. */
  over: boolean
  /** The number of menus sent in this queue (amountUsedBotQueues), and when the last one was sent. */
  menus: number
  menuAt: string | null
  /** The revision of the contact's newest message that the bot has handled; -1: none. */
  dealt: number
  /** The times of queue changes in the last hour. */
  hops: readonly string[]
  /** When each notice last applied, by reason; a notice is not repeated for a while. */
  noticedAt: Readonly<Partial<Record<Notice, string>>>
  /** The notices that had no text when they last applied; a text written later is sent at the next message. */
  unsent: readonly Notice[]
}
const notices = ['outOfHours', 'vacation', 'audio'] as const
type Notice = (typeof notices)[number]
export const isNotice = (reason: string): reason is Notice => (notices as readonly string[]).includes(reason)

/** The changes of queue that still count for the loop guard (A-BOT-03). */
export const recentHops = (hops: readonly string[], at: string): string[] => hops.filter((one) => Date.parse(at) - Date.parse(one) < hourMs)

const fresh: Bot = { node: null, over: false, menus: 0, menuAt: null, dealt: -1, hops: [], noticedAt: {}, unsent: [] }
const over = (bot: Bot): Bot => ({ ...bot, node: null, over: true, menus: 0 })

/** The bot is active only in tickets that a contact opened, and not in groups. */
export const initialBot = ({ by, group, predecessorId }: WithMetadata<Extract<TicketEvent, { type: 'TicketOpened' }>>): Bot =>
  by.kind === 'contact' && !group && predecessorId === null ? fresh : over(fresh)

export function nextBotState(bot: Bot, event: WithMetadata<TicketEvent>): Bot {
  switch (event.type) {
    case 'AutomationActed': {
      const { reason, answers, silent, at } = event
      const dealt = Math.max(bot.dealt, reason === 'audio' ? -1 : (answers ?? -1)) // a refused voice message is not handled yet
      if (isNotice(reason)) {
        const unsent = [...bot.unsent.filter((one) => one !== reason), ...(silent ? [reason] : [])]
        return { ...bot, dealt, unsent, noticedAt: { ...bot.noticedAt, [reason]: at }, ...(reason !== 'audio' && { node: null }) }
      }
      const { outOfHours: _, ...noticedAt } = bot.noticedAt // the company is open again (A-HOURS-03)
      return { ...bot, dealt, noticedAt: answers === null ? bot.noticedAt : noticedAt }
    }
    case 'BotMoved':
      return { ...bot, node: event.node, menus: event.menus, menuAt: event.at, dealt: Math.max(bot.dealt, event.answers) }
    case 'TicketQueued': {
      const hops = event.by.kind === 'bot' ? [...recentHops(bot.hops, event.at), event.at] : bot.hops
      return { ...bot, menus: 0, hops }
    }
    case 'MessageSent': // a message by a person ends the bot (A-BOT-08)
      return (event.by.kind === 'user' || event.by.kind === 'api') && !event.private && !event.aside ? over(bot) : bot
    default:
      return traitsOf(event.type).endsBot ? over(bot) : bot
  }
}
