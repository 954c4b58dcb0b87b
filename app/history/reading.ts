import type { HistoryEvent } from '#domain/history/contract.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import type { Recorded } from '#projections/projector.ts'
import { hashOf } from '../eventlog/chain.ts'
import type { JsonObject, LoggedEvent } from '../eventlog/eventlog.ts'
import { facts } from '../eventlog/facts.ts'
import type { ContactKeys } from '../eventlog/keys.ts'

/** A stored event as an auditor reads it. Whoever changed it may have left anything in it: what cannot be read is named, and hides nothing else. */
export type Read = { fact: Recorded<TicketEvent>; data: JsonObject; fault: HistoryEvent['fault'] }

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value))
const isActor = (value: unknown): boolean =>
  isObject(value) && typeof value.kind === 'string' && (value.id === undefined || value.id === null || Number.isInteger(value.id))

/** The event with its parts in their kinds, so that the chain can be walked over whatever is stored. */
export const sound = (event: LoggedEvent): LoggedEvent => ({
  ...event,
  data: isObject(event.data) ? event.data : {},
  meta: isObject(event.meta) ? event.meta : {},
})

const faultOf = ({ data, meta }: LoggedEvent): HistoryEvent['fault'] => {
  if (!isObject(data)) return 'data'
  if (!isObject(meta) || !isMoment(meta.at)) return 'at'
  return isActor(meta.by) ? null : 'by'
}

/** All at once; where one does not open or is misshapen, one by one. */
export async function readEvents(events: LoggedEvent[], keys: ContactKeys): Promise<Read[]> {
  const faults = events.map(faultOf)
  const whole = faults.some((fault) => fault !== null) ? null : await facts(events, keys).catch(() => null)
  const told = whole?.map((fact) => ({ fact, data: dataOf(fact), fault: null })) ?? (await oneByOne(events, faults, keys))
  let last = told.find(({ fact }) => isMoment(fact.at))?.fact.at ?? new Date(0).toISOString()
  return told.map((one) => {
    if (isMoment(one.fact.at)) last = one.fact.at
    return isMoment(one.fact.at) ? one : { ...one, fact: { ...one.fact, at: last } } // shown where it stands in its stream
  })
}

const oneByOne = (events: LoggedEvent[], faults: HistoryEvent['fault'][], keys: ContactKeys): Promise<Read[]> =>
  Promise.all(
    events.map(async (event, i) => {
      const [fact] = await facts([sound(event)], keys).catch(() => facts([{ ...sound(event), data: {} }], keys).catch(() => []))
      if (fact)
        return {
          fact,
          data: dataOf(fact),
          fault: faults[i] ?? (Object.keys(sound(event).data).length > 0 && Object.keys(dataOf(fact)).length === 0 ? 'words' : null),
        }
      const { id: eventId, type, revision, position } = event
      return {
        fact: { eventId, type, revision: Number(revision), position } as Recorded<TicketEvent>,
        data: {},
        fault: faults[i] ?? 'words',
      }
    }),
  )

const dataOf = ({
  type: _,
  companyId: _c,
  by: _b,
  at: _a,
  ticketId: _t,
  revision: _r,
  position: _p,
  eventId: _e,
  occurredAt: _o,
  correlationId: _k,
  ...data
}: Recorded<TicketEvent>) => data as unknown as JsonObject

export function shown({ fact, data, fault }: Read, event: LoggedEvent, names: Map<number, string>, contact: string): HistoryEvent {
  const { revision, eventId: id, type, at, occurredAt } = fact
  const told = isMoment(occurredAt) ? occurredAt : null
  return { revision, id, type, at, occurredAt: told, by: actor(fact.by, names, contact), hash: hashOf(sound(event).meta), fault, data }
}

function actor(by: unknown, names: Map<number, string>, contact: string): HistoryEvent['by'] {
  if (!isActor(by)) return { kind: 'system', id: null, name: '' }
  const { kind, id } = by as { kind: string; id?: number }
  if (kind === 'user' && id) return { kind, id, name: names.get(id) ?? '' }
  if (kind === 'contact' && id) return { kind, id, name: contact }
  return { kind, id: null, name: '' }
}
