import type { WithMetadata } from '#domain/decider.ts'
import type { TicketEvent } from './events.ts'

/** What a bot needs to know of the conversation that it leads (A-BOT-01). */
export type Bot = {
  /** At which menu it stands; null: at none, and what the contact writes next begins it. */
  node: string | null
  /** It leads no more: people do, or nothing was ever to be asked. */
  over: boolean
  /** How many menus were shown in this queue (amountUsedBotQueues), and when the last. */
  menus: number
  menuAt: string | null
  /** The newest of the contact's messages that it has dealt with, by its revision; -1: none. */
  dealt: number
  /** When it changed the queue, in the last hour. */
  hops: readonly string[]
  /** When a notice was given that is not given again for a while, by its reason. */
  noticedAt: Readonly<Partial<Record<Remembered, string>>>
}
const remembered = ['outOfHours', 'vacation', 'audio'] as const
type Remembered = (typeof remembered)[number]
const isRemembered = (reason: string): reason is Remembered => (remembered as readonly string[]).includes(reason)

const hour = 60 * 60_000
/** The changes of queue that still count for the loop guard (A-BOT-03). */
export const recentHops = (hops: readonly string[], at: string): string[] => hops.filter((one) => Date.parse(at) - Date.parse(one) < hour)

const fresh: Bot = { node: null, over: false, menus: 0, menuAt: null, dealt: -1, hops: [], noticedAt: {} }
const over = (bot: Bot): Bot => ({ ...bot, node: null, over: true, menus: 0 })

/** Only what a contact began can be led by a bot, and only where one person writes. */
export const botOf = ({ by, group, follows }: WithMetadata<Extract<TicketEvent, { type: 'TicketOpened' }>>): Bot =>
  by.kind === 'contact' && !group && follows === null ? fresh : over(fresh)

export function botAfter(bot: Bot, event: WithMetadata<TicketEvent>): Bot {
  switch (event.type) {
    case 'AutomationActed': {
      const { reason, answers, at } = event
      const dealt = Math.max(bot.dealt, reason === 'audio' ? -1 : (answers ?? -1)) // what refuses a voice message still answers it
      if (isRemembered(reason))
        return { ...bot, dealt, noticedAt: { ...bot.noticedAt, [reason]: at }, ...(reason !== 'audio' && { node: null }) }
      const { outOfHours: _, ...noticedAt } = bot.noticedAt // it is open again (A-HOURS-03)
      return { ...bot, dealt, noticedAt: answers === null ? bot.noticedAt : noticedAt }
    }
    case 'BotMoved':
      return { ...bot, node: event.node, menus: event.menus, menuAt: event.at, dealt: Math.max(bot.dealt, event.answers) }
    case 'TicketQueued': {
      const hops = event.by.kind === 'bot' ? [...recentHops(bot.hops, event.at), event.at] : bot.hops
      return { ...bot, menus: 0, hops }
    }
    case 'BotEnded':
    case 'TicketAssigned':
    case 'TicketAccepted':
    case 'TicketReturned':
    case 'TicketTransferred':
    case 'TicketReopened':
    case 'TicketResumed':
    case 'TicketRedirected':
    case 'TicketClosed':
    case 'MessageSentElsewhere': // A-BOT-08
      return over(bot)
    case 'MessageSent': // who writes by hand leads from there on (A-BOT-08)
      return (event.by.kind === 'user' || event.by.kind === 'api') && !event.private && !event.aside ? over(bot) : bot
    default:
      return bot
  }
}
