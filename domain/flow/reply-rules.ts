import { dayMs, hourMs, minuteMs } from '#domain/duration/rules.ts'
import { nextChange, openAt } from '#domain/hours/rules.ts'
import { recentHops } from '#domain/ticket/bot.ts'
import { awaitsConsent } from '#domain/ticket/consent.ts'
import type { Kind } from '#domain/ticket/events.ts'
import { lastInboundMessages } from '#domain/ticket/message-window.ts'
import type { Present } from '#domain/ticket/ticket.ts'
import { dayIn } from '#domain/zone/rules.ts'
import { type Flow, type Output, step } from './step.ts'
import { type CustomerLanguage, textIn } from './texts.ts'

type Hours = Parameters<typeof openAt>[0]
/** The settings of the company, the connection and the contact that the rules use. */
export type Setup = {
  language: CustomerLanguage
  timeZone: string
  holidays: string[]
  hours: { of: 'disabled' | 'queue' } | { of: 'company' | 'connection'; schedules: Hours; closedText: string }
  queues: ReadonlyMap<number, { schedules: Hours; closedText: string; assigns: boolean }>
  vacation: { start: string; end: string; text: string } | null
  takesAudio: boolean
  botDisabled: boolean
  /** The chat is a group, with or without `groupAsTicket`. */
  group: boolean
  flow: Flow
  /** A file is sent before the greeting, or is the whole greeting (A-BOT-11). */
  greetsByFile: boolean
  mostMenus: number
  quietMinutes: number
}
export type Situation = {
  ticket: Pick<Present, 'status' | 'userId' | 'queueId' | 'bot'>
  /** `at`: when the message was processed; ISO 8601. */
  message: { kind: Kind; body: string; at: string }
  setup: Setup
  /** The bot has closed too many tickets of this contact recently and must not close this one. */
  keepsOpen?: boolean
}
export type Decision = { outputs: Output[] }
/** Returns a decision, which ends the evaluation; null: the rule does not apply. */
type Row = (situation: Situation) => Decision | null

const mostHops = 5
const since = (then: string | undefined, at: string) => (then === undefined ? Number.POSITIVE_INFINITY : Date.parse(at) - Date.parse(then))
const nothing: Decision = { outputs: [] }
const saying = (text: string, because: Pick<Output, 'rule' | 'reason'>): Output[] =>
  text.trim() === '' ? [] : [{ does: 'say', text, ...because }]

/** Answers a voice message that is not accepted, at most once per hour and with or without an agent (A-AUDIO-01). */
export const audioPauseMs = hourMs
export function audioRefusal({ message, setup }: Situation): Output[] {
  if (message.kind !== 'audio' || setup.takesAudio || setup.group) return []
  return saying(textIn(setup.language, 'noAudio'), { rule: 'A-AUDIO-01', reason: 'audio' })
}

/** An agent serves the ticket, or its bot has ended. */
export const ledByPeople = (ticket: Situation['ticket']): boolean => !isUnassigned(ticket) || ticket.bot.over

/** The ticket waits and is assigned to nobody. */
export const isUnassigned = ({ status, userId }: Situation['ticket']): boolean => status === 'pending' && userId === null

/** Whether a message can be answered: not a call, and not an undecryptable message. */
export const answerable = ({ kind, undecryptable }: { kind: Kind; undecryptable?: boolean }): boolean =>
  kind !== 'call_log' && !undecryptable

/** An answerable message came earlier and no bot handled it, so the ticket has waited for people since then. */
export const waitedForPeople = (ticket: Present, answers: number): boolean =>
  ticket.bot.dealt < 0 &&
  lastInboundMessages(ticket, answers - 1).some(
    (one) => answerable(one) && (one.revision === ticket.consent?.first || !awaitsConsent(ticket, one.revision)),
  )

/**
 * The rules for a contact's message, in order: the first that acts ends the evaluation (A-BOT-01; the numbers are its steps).
 * The inbound handler does steps 1 to 7; `audioRefusal` is step 8.
 */
export const replyRules: Row[] = [
  /* 9 */
  servedByPeople,
  inGroup,
  withoutBot,
  /* 10 */
  onVacation,
  /* 11 */
  outOfHours,
  /* Steps 12 to 15 belong here: running flow, phrase campaign, flowIdWelcome and flowIdNotPhrase, integrationId and promptId. */
  /* 16, 17 */
  runMenu,
]

export function decideReply(situation: Situation): Decision {
  for (const acts of replyRules) {
    const decision = acts(situation)
    if (decision) return decision
  }
  return nothing
}

/**
 * The notice for a contact who already waits for people: only vacation and closed hours apply.
 * `afterMs`: the notice is not repeated within this time.
 */
export function waitingNotice(situation: Situation): { outputs: Output[]; afterMs: number } {
  const { ticket, message, setup } = situation
  const none = { outputs: [], afterMs: 0 }
  if (!isUnassigned(ticket) || setup.group || setup.botDisabled) return none
  const { outputs } = onVacation(situation) ?? outOfHours(situation) ?? nothing
  const [notice] = outputs.filter(({ does }) => does === 'say')
  if (!notice) return none
  return { outputs: [notice], afterMs: Math.min(since(ticket.bot.noticedAt[notice.reason as 'vacation'], message.at), dayMs) }
}

function servedByPeople({ ticket }: Situation): Decision | null {
  return ledByPeople(ticket) ? nothing : null
}

function inGroup({ setup }: Situation): Decision | null {
  return setup.group ? { outputs: [{ does: 'handOver', userId: null, rule: 'A-BOT-01', reason: 'group' }] } : null
}

function withoutBot({ setup }: Situation): Decision | null {
  if (!setup.botDisabled) return null
  return { outputs: [{ does: 'handOver', userId: null, rule: 'R-BOT-05', reason: 'botDisabled' }] }
}

/** Whether the notice had no text when it last applied, and has one now. */
const isWrittenSince = ({ bot }: Situation['ticket'], notice: 'outOfHours' | 'vacation', text: string): boolean =>
  bot.unsent.includes(notice) && text.trim() !== ''

function onVacation({ ticket, message, setup }: Situation): Decision | null {
  const { vacation, timeZone } = setup
  const day = dayIn(timeZone, new Date(message.at))
  if (!vacation || day < vacation.start || day > vacation.end) return null
  const { noticedAt } = ticket.bot
  if (since(noticedAt.vacation, message.at) < dayMs && !isWrittenSince(ticket, 'vacation', vacation.text)) return nothing
  const because = { rule: 'A-VAC-01', reason: 'vacation' } as const
  return { outputs: [...saying(vacation.text, because), { does: 'pause', ...because }] }
}

/** The notice is sent once per closed period, and again after eight hours of it (A-HOURS-03). */
function outOfHours({ ticket, message, setup }: Situation): Decision | null {
  const { hours, timeZone, holidays } = setup
  if (!('schedules' in hours)) return null // the hours of a queue are checked when it is chosen
  if (openAt(hours.schedules, timeZone, holidays, new Date(message.at))) return null
  const { noticedAt } = ticket.bot
  const opened = noticedAt.outOfHours && nextChange(hours.schedules, timeZone, holidays, new Date(noticedAt.outOfHours))
  const isRecent = since(noticedAt.outOfHours, message.at) < 8 * hourMs && !(opened && opened < new Date(message.at))
  if (isRecent && !isWrittenSince(ticket, 'outOfHours', hours.closedText)) return nothing
  const because = { rule: 'A-HOURS-02', reason: 'outOfHours' } as const
  return { outputs: [...saying(hours.closedText, because), { does: 'pause', ...because }] }
}

function runMenu({ ticket, message, setup, keepsOpen = false }: Situation): Decision | null {
  const { queueId, bot } = ticket
  const at = new Date(message.at)
  const sinceMenu = since(bot.menuAt ?? undefined, message.at)
  const shut = [...setup.queues].filter(
    ([, { schedules }]) => setup.hours.of === 'queue' && !openAt(schedules, setup.timeZone, setup.holidays, at),
  )
  const stepped = step(setup.flow, bot.node, message.kind === 'chat' ? message.body : null, {
    ...{
      queueId,
      menus: bot.menus,
      most: setup.mostMenus,
      quiet: sinceMenu <= 0 || sinceMenu < setup.quietMinutes * minuteMs, // a message from before the menu does not answer it
    },
    keepsOpen,
    ...{ hops: mostHops - recentHops(bot.hops, message.at).length, closed: new Map(shut.map(([id, { closedText }]) => [id, closedText])) },
  })
  const assigns = stepped.outputs.some((one) => one.does === 'setQueue') || (queueId !== null && setup.queues.get(queueId)?.assigns)
  const silent = bot.menuAt === null && stepped.outputs.every(({ does, reason }) => does === 'handOver' && reason !== 'outOfHours')
  const greets = setup.greetsByFile && stepped.outputs.some(({ reason }) => reason === 'noQueue')
  return silent && !assigns && !greets ? null : stepped // no bot is configured: the message waits for people
}
