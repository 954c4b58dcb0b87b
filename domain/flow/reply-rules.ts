import { nextChange, openAt } from '#domain/hours/rules.ts'
import { recentHops } from '#domain/ticket/bot.ts'
import { awaitsConsent } from '#domain/ticket/consent.ts'
import type { Kind } from '#domain/ticket/events.ts'
import { lastHeard } from '#domain/ticket/message-window.ts'
import type { Present } from '#domain/ticket/ticket.ts'
import { dayIn } from '#domain/zone/rules.ts'
import { type Flow, type Output, step } from './step.ts'
import { type Spoken, textIn } from './texts.ts'

type Hours = Parameters<typeof openAt>[0]
/** What a company has set for a connection, and for the contact who writes. */
export type Setup = {
  language: Spoken
  timeZone: string
  holidays: string[]
  hours: { of: 'disabled' | 'queue' } | { of: 'company' | 'connection'; schedules: Hours; closedText: string }
  queues: ReadonlyMap<number, { schedules: Hours; closedText: string; assigns: boolean }>
  vacation: { start: string; end: string; text: string } | null
  takesAudio: boolean
  botDisabled: boolean
  /** Many write there, whether or not the connection makes it wait as a ticket (groupAsTicket). */
  group: boolean
  flow: Flow
  /** A file goes before the greeting, or is all of it (A-BOT-11). */
  greetsByFile: boolean
  mostMenus: number
  quietMinutes: number
}
export type Situation = {
  ticket: Pick<Present, 'status' | 'userId' | 'queueId' | 'bot'>
  /** `at`: when it was taken, ISO 8601. */
  message: { kind: Kind; body: string; at: string }
  setup: Setup
  /** The bot closed enough tickets of this contact for now. */
  keepsOpen?: boolean
}
export type Decision = { outputs: Output[] }
/** What acts, and stops what is below; null: it is none of its business. */
type Row = (situation: Situation) => Decision | null

const hour = 60 * 60_000
const mostHops = 5
const since = (then: string | undefined, at: string) => (then === undefined ? Number.POSITIVE_INFINITY : Date.parse(at) - Date.parse(then))
const nothing: Decision = { outputs: [] }
const saying = (text: string, because: Pick<Output, 'rule' | 'reason'>): Output[] =>
  text.trim() === '' ? [] : [{ does: 'say', text, ...because }]

/** A voice message is kept, and that none is taken is said once an hour at most, whoever serves the ticket (A-AUDIO-01). */
export const audioPauseMs = hour
export function audioRefusal({ message, setup }: Situation): Output[] {
  if (message.kind !== 'audio' || setup.takesAudio || setup.group) return []
  return saying(textIn(setup.language, 'noAudio'), { rule: 'A-AUDIO-01', reason: 'audio' })
}

/** People lead it, or nobody will be asked any more. */
export const ledByPeople = (ticket: Situation['ticket']): boolean => !isForAnybody(ticket) || ticket.bot.over

/** It waits, and for nobody in particular. */
export const isForAnybody = ({ status, userId }: Situation['ticket']): boolean => status === 'pending' && userId === null

/** A call is nothing that can be answered, nor is what nobody can read. */
export const answerable = ({ kind, undecryptable }: { kind: Kind; undecryptable?: boolean }): boolean =>
  kind !== 'call_log' && !undecryptable

/** What could be answered came before this message and no bot dealt with it: it has waited for people since before there was one. */
export const waitedForPeople = (ticket: Present, answers: number): boolean =>
  ticket.bot.dealt < 0 &&
  lastHeard(ticket, answers - 1).some(
    (one) => answerable(one) && (one.revision === ticket.consent?.first || !awaitsConsent(ticket, one.revision)),
  )

/**
 * What acts on a contact's message, read from the top: the first that acts stops the others (A-BOT-01; the numbers are its steps). Steps 1 to
 * 7 are done where a message is taken, step 8 (a voice message) beside this.
 */
export const order: Row[] = [
  /* 9 */
  leftToPeople,
  inGroup,
  leftAlone,
  /* 10 */
  onVacation,
  /* 11 */
  outOfHours,
  /* 12 a flow or a session that runs, 13 a campaign's phrase, 14 flowIdWelcome and flowIdNotPhrase, 15 integrationId and promptId: here */
  /* 16, 17 */
  asked,
]

export function decided(situation: Situation): Decision {
  for (const acts of order) {
    const decision = acts(situation)
    if (decision) return decision
  }
  return nothing
}

/**
 * Who waits for people is told of a vacation and of closed hours as well, and nothing else: so much of the order holds for them. `afterMs`:
 * what was told less long ago is not told again.
 */
export function waitingRemark(situation: Situation): { outputs: Output[]; afterMs: number } {
  const { ticket, message, setup } = situation
  const none = { outputs: [], afterMs: 0 }
  if (!isForAnybody(ticket) || setup.group || setup.botDisabled) return none
  const { outputs } = onVacation(situation) ?? outOfHours(situation) ?? nothing
  const [notice] = outputs.filter(({ does }) => does === 'say')
  if (!notice) return none
  return { outputs: [notice], afterMs: Math.min(since(ticket.bot.noticedAt[notice.reason as 'vacation'], message.at), 24 * hour) }
}

function leftToPeople({ ticket }: Situation): Decision | null {
  return ledByPeople(ticket) ? nothing : null
}

function inGroup({ setup }: Situation): Decision | null {
  return setup.group ? { outputs: [{ does: 'handOver', userId: null, rule: 'A-BOT-01', reason: 'group' }] } : null
}

function leftAlone({ setup }: Situation): Decision | null {
  if (!setup.botDisabled) return null
  return { outputs: [{ does: 'handOver', userId: null, rule: 'R-BOT-05', reason: 'botDisabled' }] }
}

function onVacation({ ticket, message, setup }: Situation): Decision | null {
  const { vacation, timeZone } = setup
  const day = dayIn(timeZone, new Date(message.at))
  if (!vacation || day < vacation.start || day > vacation.end) return null
  const { noticedAt } = ticket.bot
  if (since(noticedAt.vacation, message.at) < 24 * hour) return nothing
  const because = { rule: 'A-VAC-01', reason: 'vacation' } as const
  return { outputs: [...saying(vacation.text, because), { does: 'pause', ...because }] }
}

/** Told once in a closed period, which lasts until it opens, and once in eight hours of it (A-HOURS-03). */
function outOfHours({ ticket, message, setup }: Situation): Decision | null {
  const { hours, timeZone, holidays } = setup
  if (!('schedules' in hours)) return null // a queue's are asked when it is chosen
  if (openAt(hours.schedules, timeZone, holidays, new Date(message.at))) return null
  const { noticedAt } = ticket.bot
  const opened = noticedAt.outOfHours && nextChange(hours.schedules, timeZone, holidays, new Date(noticedAt.outOfHours))
  if (since(noticedAt.outOfHours, message.at) < 8 * hour && !(opened && opened < new Date(message.at))) return nothing
  const because = { rule: 'A-HOURS-02', reason: 'outOfHours' } as const
  return { outputs: [...saying(hours.closedText, because), { does: 'pause', ...because }] }
}

function asked({ ticket, message, setup, keepsOpen = false }: Situation): Decision | null {
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
      quiet: sinceMenu <= 0 || sinceMenu < setup.quietMinutes * 60_000, // written before it was shown, it is no answer to it
    },
    keepsOpen,
    ...{ hops: mostHops - recentHops(bot.hops, message.at).length, closed: new Map(shut.map(([id, { closedText }]) => [id, closedText])) },
  })
  const assigns = stepped.outputs.some((one) => one.does === 'setQueue') || (queueId !== null && setup.queues.get(queueId)?.assigns)
  const silent = bot.menuAt === null && stepped.outputs.every(({ does, reason }) => does === 'handOver' && reason !== 'outOfHours')
  const greets = setup.greetsByFile && stepped.outputs.some(({ reason }) => reason === 'noQueue')
  return silent && !assigns && !greets ? null : stepped // nothing is set up: what comes in waits, as it always has
}
