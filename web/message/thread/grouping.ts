import type { MessageRow } from '#domain/message/contract.ts'
import { inThread, type TicketLogRow } from '#domain/ticket-log/contract.ts'
import { dayOf, displayZone } from '#web/ui/moment.ts'

/** The immutable part of a message: its place and its sender. */
export type Fact = { id: number; ticketId: number; at: string; who: string; theirs: boolean }
export const factOf = ({ id, ticketId, createdAt, fromMe, user, contact, isPrivate }: MessageRow): Fact => ({
  id,
  ticketId,
  at: createdAt,
  who: `${fromMe ? `us ${user?.id ?? 0}` : `them ${contact?.name ?? ''}`}${isPrivate ? ' private' : ''}`,
  theirs: !fromMe,
})

export type ThreadLine =
  | { kind: 'message'; key: string; id: number; first: boolean; last: boolean }
  /** The messages after this belong to another ticket of the contact. */
  | { kind: 'ticket'; key: string; ticketId: number }
  | { kind: 'log'; key: string; entry: TicketLogRow }
  | { kind: 'unread'; key: string; count: number }
export type Day = { day: string; at: string; lines: ThreadLine[] }

const threadTypes: readonly TicketLogRow['type'][] = inThread
/** The messages reach from the start of the conversation to its end. */
export const whole = { toStart: true, toEnd: true }
export const minute = (at: string) => at.slice(0, 16)

/**
 * The thread as it is rendered: days, dividers between tickets, log lines among the messages, and messages of one
 * sender in one minute together. `loaded`: whether the messages reach the start and the end of the conversation; log
 * lines beyond them are left out.
 */
export function laid(
  facts: readonly Fact[],
  log: readonly TicketLogRow[],
  unread: { from: number; count: number } | null,
  loaded: { toStart: boolean; toEnd: boolean },
  zone = displayZone(),
): Day[] {
  const days: Day[] = []
  const begin = facts[0]?.at ?? ''
  const end = facts.at(-1)?.at ?? ''
  const entries = log.filter(
    ({ type, createdAt }) => threadTypes.includes(type) && (loaded.toStart || createdAt >= begin) && (loaded.toEnd || createdAt <= end),
  )
  let next = 0
  let before: Fact | null = null
  const put = (at: string, line: ThreadLine) => {
    const day = dayOf(at, zone)
    const last = days.at(-1)
    if (last?.day === day) last.lines.push(line)
    else {
      days.push({ day, at, lines: [line] })
      before = null
    }
  }
  const apart = (at: string, line: ThreadLine) => {
    put(at, line)
    before = null
  }
  const logged = (until: string | null) => {
    for (; next < entries.length && (until === null || entries[next]!.createdAt <= until); next++) {
      const entry = entries[next]!
      apart(entry.createdAt, { kind: 'log', key: `log ${entry.id}`, entry })
    }
  }
  facts.forEach((fact, at) => {
    const previous = facts[at - 1]
    logged(fact.at)
    if (previous && previous.ticketId !== fact.ticketId)
      apart(fact.at, { kind: 'ticket', key: `ticket ${fact.ticketId}`, ticketId: fact.ticketId })
    if (unread?.from === fact.id) apart(fact.at, { kind: 'unread', key: 'unread', count: unread.count })
    const dayBefore = days.at(-1)?.day
    const first: boolean =
      before === null ||
      dayBefore !== dayOf(fact.at, zone) ||
      (before as Fact).who !== fact.who ||
      minute((before as Fact).at) !== minute(fact.at)
    const line: ThreadLine = { kind: 'message', key: `m ${fact.id}`, id: fact.id, first, last: true }
    const above = days.at(-1)?.lines.at(-1)
    if (!first && above?.kind === 'message') above.last = false
    put(fact.at, line)
    before = fact
  })
  logged(null)
  return days
}

/**
 * Groups consecutive messages of one stretch; other lines stay alone. A stretch depends only on the ticket's own
 * revisions, so the keys stay the same when lines are added above or below. The unread line belongs to the run of the
 * message below it, because it disappears: a message that moved to another run would render from its start.
 */
export function runs(lines: readonly ThreadLine[], stretch: (id: number) => string): { key: string; lines: ThreadLine[] }[] {
  const all: { key: string; of: string | null; lines: ThreadLine[] }[] = []
  let unread: ThreadLine[] = []
  for (const line of lines) {
    if (line.kind === 'unread') {
      unread = [line]
      continue
    }
    const of = line.kind === 'message' ? stretch(line.id) : null
    const above = all.at(-1)
    if (above && of !== null && above.of === of) above.lines.push(...unread, line)
    else {
      const key = of === null ? line.key : above && above.of === null ? `after ${above.key}` : `run ${of}`
      all.push({ key, of, lines: [...unread, line] })
    }
    unread = []
  }
  return all
}

/** A run of log lines is folded from this number on. */
const foldedFrom = 4
/** Puts each run of log lines without a note into one part. Handover notes stay visible. */
export function foldLog(parts: { key: string; lines: ThreadLine[] }[]): { key: string; lines: ThreadLine[] }[] {
  const isPlainLog = ({ lines: [line] }: { lines: ThreadLine[] }) => line?.kind === 'log' && !line.entry.note
  const all: { key: string; lines: ThreadLine[] }[] = []
  for (let at = 0; at < parts.length; at++) {
    let end = at
    while (end < parts.length && isPlainLog(parts[end]!)) end++
    if (end - at >= foldedFrom) {
      all.push({ key: parts[at]!.key, lines: parts.slice(at, end).flatMap(({ lines }) => lines) })
      at = end - 1
    } else all.push(parts[at]!)
  }
  return all
}

/** Unread state when the ticket was opened: number of the contact's unread messages, and the last message then. */
export type Unread = { count: number; last: number }
/** The first unread message; null while its page has not loaded. */
export function firstUnread(
  facts: readonly Fact[],
  { count, last }: Unread,
  ticketId: number,
  whole: boolean,
): { from: number; count: number } | null {
  let left = count
  let oldest: number | null = null
  for (let at = facts.findLastIndex(({ id }) => id === last); at >= 0 && left > 0; at--) {
    const fact = facts[at]!
    if (fact.ticketId !== ticketId) break // earlier messages belong to another ticket
    if (!fact.theirs) continue
    oldest = fact.id
    left--
  }
  const reached = left === 0 || whole || facts[0]?.ticketId !== ticketId
  return count > 0 && oldest !== null && reached ? { from: oldest, count } : null
}

/** Whether the team has answered since the ticket was opened, so that nothing counts as unread. */
export const answeredSince = (facts: readonly Fact[], last: number): boolean =>
  facts.slice(facts.findLastIndex(({ id }) => id === last) + 1).some(({ who }) => /^us [1-9]\d*$/.test(who))
