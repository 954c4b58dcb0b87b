import { type Checked, check, hashOf, isSigned, type Misfit } from '#app/eventlog/chain.ts'
import type { EventLog, JsonObject, LoggedEvent, NewEvent } from '#app/eventlog/eventlog.ts'
import type { LogKeys } from '#app/eventlog/log-keys.ts'

/** What the first misfit of a stream is, and its event by kind and id; `unreadable` for a part of a file that is no event at all, `head` where its heading tells of another ticket. */
export type Bad = { stream: string; revision: bigint | null; event: string | null; reason: Misfit['reason'] | 'unreadable' | 'head' }
/** `signed`: how many carry a MAC, and whether those were looked at, which takes the keys. */
export type Verdict = { streams: number; events: number; signed: number; macs: boolean; bad: Bad[] }

/** An event in an exported file: `data` as stored, sealed; `plain` only for people to read, and not verified. */
export type ExportedEvent = NewEvent & { revision: string; plain?: JsonObject }
export type TicketHistory = {
  format: 'guiche-ticket-history'
  version: 1
  stream: string
  company: number
  ticket: JsonObject
  exportedAt: string
  events: ExportedEvent[]
}

type Placed = Pick<LoggedEvent, 'stream' | 'revision' | 'id' | 'type' | 'data' | 'meta'>

/** Walks many streams at once. `inOrder`: as the log has them, so that no stream may begin without a MAC once any has one. */
function walk(of: LogKeys['of'] | null, inOrder = false) {
  let signed = 0
  const last = new Map<string, Checked>()
  const bad = new Map<string, Bad>()
  let events = 0
  return {
    take(event: Placed): void {
      events += 1
      const { stream, revision } = event
      if (bad.has(stream)) return
      const before = last.get(stream) ?? { revision: -1n, hash: '', signed: inOrder && signed > 0 }
      const misfit = check([event], before, of)
      if (misfit) bad.set(stream, { stream, event: `${event.type} ${event.id}`, ...misfit })
      if (isSigned(event.meta)) signed += 1
      last.set(stream, { revision, hash: hashOf(event.meta), signed: before.signed || isSigned(event.meta) })
    },
    verdict: (): Verdict => ({ streams: last.size, events, signed, macs: of !== null, bad: [...bad.values()] }),
  }
}

export async function verifyEvents(events: Iterable<Placed> | AsyncIterable<Placed>, of: LogKeys['of'] | null = null): Promise<Verdict> {
  const walker = walk(of)
  for await (const event of events) walker.take(event)
  return walker.verdict()
}

/** Everything below a prefix, up to what is there now: `ticket-` for all, `ticket-<company>-` for one company. */
export async function verifyLog(
  log: EventLog,
  prefix = 'ticket-',
  of: LogKeys['of'] | null = null,
  signal?: AbortSignal,
): Promise<Verdict> {
  const done = new AbortController()
  const stop = signal ? AbortSignal.any([signal, done.signal]) : done.signal
  const walker = walk(of, true)
  try {
    for await (const { events, caughtUp } of log.follow(null, prefix, stop)) {
      for (const event of events) walker.take(event)
      if (caughtUp) return walker.verdict()
    }
  } finally {
    done.abort()
  }
  throw new Error('the verification was stopped before it reached the end of the log')
}

/** A misfit in one line, for an operator who has to find it. */
export const lineOf = ({ stream, revision, event, reason }: Bad, uuid?: string): string =>
  `BROKEN ${stream}${uuid ? ` (ticket ${uuid})` : ''} at revision ${revision ?? '?'}${event ? `, ${event}` : ''}: ${reason}`

export async function verifyStream(log: EventLog, stream: string, of: LogKeys['of'] | null = null): Promise<Verdict> {
  return verifyEvents((await log.read(stream)).events, of)
}

function parsed(text: string): Partial<TicketHistory> | null {
  try {
    return JSON.parse(text)
  } catch {
    // One JSON a line: the heading, then the events.
    const [heading, ...events] = text.split('\n').filter((line) => line.trim() !== '')
    return { ...JSON.parse(heading ?? ''), events: events.map((line) => JSON.parse(line)) }
  }
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

function placed(stream: string, event: ExportedEvent): Placed {
  const { revision, id, type, data, meta } = event
  if (!/^\d+$/.test(String(revision)) || typeof id !== 'string' || typeof type !== 'string' || !isObject(data) || !isObject(meta))
    throw new Error('not an event')
  return { stream, revision: BigInt(revision), id, type, data, meta }
}

/** What the heading of a file says otherwise than its first event and its stream do; names and status stand in no event. */
function otherHead({ stream, company, ticket, events }: Partial<TicketHistory>): string | null {
  const first = events?.[0]
  if (!first || !isObject(first.data) || !isObject(first.meta)) return null // told where the events are walked
  const head = isObject(ticket) ? ticket : {}
  const ones: [string, unknown, unknown][] = [
    ['company', company, first.meta.companyId],
    ['id', head.id, Number(stream?.split('-').at(-1))],
    ['uuid', head.uuid, first.data.uuid],
    ['contact', head.contactId ?? first.meta.contactId, first.meta.contactId],
  ]
  return ones.find(([, said, stored]) => said !== stored)?.[0] ?? null
}

/** An exported history, offline: no key and no database is needed. */
export async function verifyExport(text: string): Promise<Verdict> {
  let history: Partial<TicketHistory>
  try {
    history = parsed(text) ?? {}
  } catch {
    return { streams: 0, events: 0, signed: 0, macs: false, bad: [{ stream: '', revision: null, event: null, reason: 'unreadable' }] }
  }
  const { format, version, stream, company, events } = history
  const sound = format === 'guiche-ticket-history' && version === 1 && typeof stream === 'string' && Array.isArray(events)
  if (!sound || !stream.startsWith(`ticket-${company}-`)) {
    return {
      streams: 0,
      events: 0,
      signed: 0,
      macs: false,
      bad: [{ stream: String(stream ?? ''), revision: null, event: null, reason: 'unreadable' }],
    }
  }
  const walker = walk(null)
  for (const [i, event] of events.entries()) {
    try {
      walker.take(placed(stream, event))
    } catch {
      const { streams, events: walked, bad, ...rest } = walker.verdict()
      return {
        ...rest,
        streams: Math.max(streams, 1),
        events: walked,
        bad: bad.length > 0 ? bad : [{ stream, revision: BigInt(i), event: null, reason: 'unreadable' }],
      }
    }
  }
  const verdict = walker.verdict()
  const other = verdict.bad.length === 0 ? otherHead(history) : null
  return other ? { ...verdict, bad: [{ stream, revision: 0n, event: other, reason: 'head' }] } : verdict
}
