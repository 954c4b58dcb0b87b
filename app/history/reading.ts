import { setImmediate } from 'node:timers/promises'
import type { HistoryEvent } from '#domain/history/contract.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { PersistedEvent } from '#projections/projector.ts'
import { commitmentsIn, saltOf } from '../crypto/commitment.ts'
import type { ContactKeys, KeyState } from '../crypto/contact-keys.ts'
import { decryptable, isSealed } from '../crypto/seal.ts'
import { hashOf } from '../event-store/chain.ts'
import { decodeEvent, fieldsOf } from '../event-store/event-codec.ts'
import { isJsonObject, type Json, type JsonObject, type StoredEvent } from '../event-store/event-store.ts'

/** A stored event as an auditor reads it. Forged events may hold any value: `fault` names what cannot be read, the rest is shown. */
export type Read = { fact: PersistedEvent<TicketEvent>; data: JsonObject; open: Open } & Pick<HistoryEvent, 'fault' | 'erased'>
/** The stored data with sealed fields unsealed, without those that cannot be unsealed, and the salts that prove them. */
export type Open = { plain: JsonObject; salts: Record<string, string> }

const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value))
const isActor = (value: unknown): boolean =>
  isJsonObject(value) && typeof value.kind === 'string' && (value.id === undefined || value.id === null || Number.isInteger(value.id))
const isId = (value: unknown): value is number => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31

/** Replaces data or metadata of a wrong type by an empty object, so that the rest can be read. */
const sound = (event: StoredEvent): StoredEvent => ({
  ...event,
  data: isJsonObject(event.data) ? event.data : {},
  meta: isJsonObject(event.meta) ? event.meta : {},
})

const faultOf = ({ data, meta }: StoredEvent): HistoryEvent['fault'] => {
  if (!isJsonObject(data)) return 'data'
  if (!isJsonObject(meta) || !isMoment(meta.at)) return 'at'
  return isActor(meta.by) ? null : 'by'
}

/** Number of events to decode before other requests get a turn, about 20 ms of processor time. */
const pauseEvery = 100
const noKey: KeyState = { state: 'missing', key: null }

export async function readEvents(events: StoredEvent[], contactKeys: ContactKeys): Promise<Read[]> {
  const asked = new Map<string, Promise<KeyState>>()
  const keyOf = async ({ meta: { companyId, contactId } }: StoredEvent): Promise<KeyState> => {
    if (!isId(companyId) || !isId(contactId)) return noKey
    const name = `${companyId}/${contactId}`
    const state = asked.get(name) ?? contactKeys.stateOf({ companyId, contactId })
    asked.set(name, state)
    return state
  }
  const redactions = await contactKeys.redactions()
  const decoded: Read[] = []
  for (const [i, event] of events.entries()) {
    if (i > 0 && i % pauseEvery === 0) await setImmediate() // a long ticket must not delay other requests
    decoded.push(readEvent(event, await keyOf(sound(event)), redactions.get(event.id)))
  }
  let last = decoded.find(({ fact: { at } }) => isMoment(at))?.fact.at ?? new Date(0).toISOString()
  return decoded.map((one) => {
    if (isMoment(one.fact.at)) last = one.fact.at
    return isMoment(one.fact.at) ? one : { ...one, fact: { ...one.fact, at: last } } // keeps its place in the stream
  })
}

function readEvent(event: StoredEvent, { key, state }: KeyState, redacted?: readonly string[]): Read {
  const { read, lost } = decryptable(sound(event), key, state === 'destroyed', fieldsOf(ticketStream, event.type), redacted)
  const fault = faultOf(event) ?? (lost === 'erased' ? null : lost)
  const erased = lost === 'erased'
  const open = openIn(sound(event), read.data, key)
  try {
    const recorded = decodeEvent<TicketEvent>(ticketStream, read, null)
    return { fact: recorded, data: dataOf(recorded), open, fault, erased }
  } catch {
    const recorded = decodeEvent<TicketEvent>(ticketStream, { ...read, data: {} }, null)
    return { fact: recorded, data: {}, open, fault: fault ?? 'data', erased }
  }
}

function openIn(event: StoredEvent, read: JsonObject, key: Buffer | null): Open {
  const { stream, id, data, meta } = event
  const known = commitmentsIn(meta)
  const opened = Object.keys(data).filter((field) => isSealed(data[field]) && read[field] !== null)
  const plain = Object.entries(data).flatMap(([field, value]): [string, Json][] =>
    opened.includes(field) ? [[field, read[field]!]] : isSealed(value) ? [] : [[field, value]],
  )
  const salts = key ? opened.filter((field) => field in known).map((field) => [field, saltOf(key, { stream, id }, field)]) : []
  return { plain: Object.fromEntries(plain), salts: Object.fromEntries(salts) }
}

const dataOf = ({
  type: _,
  companyId: _c,
  by: _b,
  at: _a,
  stream: _s,
  aggregateId: _i,
  revision: _r,
  position: _p,
  eventId: _e,
  occurredAt: _o,
  correlationId: _k,
  ...data
}: PersistedEvent<TicketEvent>): JsonObject => {
  const { ticketId: _t, ...rest } = data as unknown as JsonObject // it is in the stream name
  return rest
}

export function historyEvent(
  { fact, data, fault, erased }: Read,
  { meta }: StoredEvent,
  names: Map<number, string>,
  contact: string,
): HistoryEvent {
  const { revision, eventId: id, type, at, occurredAt } = fact
  const occurred = isMoment(occurredAt) ? occurredAt : null
  return { revision, id, type, at, occurredAt: occurred, by: actor(fact.by, names, contact), hash: hashOf(meta), fault, erased, data }
}

function actor(by: unknown, names: Map<number, string>, contact: string): HistoryEvent['by'] {
  if (!isActor(by)) return { kind: 'system', id: null, name: '' }
  const { kind, id } = by as { kind: string; id?: number }
  if (kind === 'user' && id) return { kind, id, name: names.get(id) ?? '' }
  if (kind === 'contact' && id) return { kind, id, name: contact }
  return { kind, id: null, name: '' }
}
