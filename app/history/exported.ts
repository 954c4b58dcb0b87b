import type { JsonObject, NewEvent } from '../eventlog/eventlog.ts'
import type { Verdict } from '../eventlog/verdict.ts'
import { type Placed, walk } from '../eventlog/verify.ts'

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

const nothing = (stream: string): Verdict => ({
  ...{ streams: 0, events: 0, signed: 0, macs: false, anchored: null },
  bad: [{ stream, revision: null, event: null, reason: 'unreadable' }],
})

/** An exported history, offline: no key and no database is needed. */
export async function verifyExport(text: string): Promise<Verdict> {
  let history: Partial<TicketHistory>
  try {
    history = parsed(text) ?? {}
  } catch {
    return nothing('')
  }
  const { format, version, stream, company, events } = history
  const sound = format === 'guiche-ticket-history' && version === 1 && typeof stream === 'string' && Array.isArray(events)
  if (!sound || !stream.startsWith(`ticket-${company}-`)) {
    return nothing(String(stream ?? ''))
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
