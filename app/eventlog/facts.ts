import { createHash, randomUUID } from 'node:crypto'
import type { Actor, Cause, Stamp } from '#domain/decider.ts'
import { personal, type TicketEvent } from '#domain/ticket/events.ts'
import { upcast, versionOf } from '#domain/ticket/upcast.ts'
import type { Recorded } from '#projections/projector.ts'
import { commitmentsTo } from './commitment.ts'
import type { JsonObject, LoggedEvent, NewEvent } from './eventlog.ts'
import type { ContactKeys } from './keys.ts'
import { passing } from './passing.ts'
import { erased, seal, unseal } from './seal.ts'

/** What stands beside a fact in the log: the stamp, whose key seals it, and which command it came from. No personal data. */
export type Meta = {
  /** The version in which the fact is written; `upcast` reads the older ones. */
  v: number
  companyId: number
  by: Actor
  at: string
  occurredAt?: string
  contactId: number
  commandId: string
  hash: string
  /** By field: what binds its words to the chain, where they are sealed; absent in the first facts. */
  commitments?: Record<string, string>
  /** What somebody asked for, through all that followed from it; absent in the first facts. EventStoreDB's own names. */
  $correlationId?: string
  /** The command or the fact that this one follows from. */
  $causationId?: string
}
/** What follows from a fact. */
export const causeOf = ({ eventId, correlationId }: Pick<Recorded<TicketEvent>, 'eventId' | 'correlationId'>): Cause => ({
  correlationId: correlationId ?? eventId,
  causationId: eventId,
})

const namespace = Buffer.from('8f0f1f3c6a4d4c1ba3d2d0a9e7c5b411', 'hex')

/** A UUID (version 5) that follows from its name: the same name, the same id, so that a retry is a no-op. */
export function idFrom(name: string): string {
  const bytes = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export const fieldsOf = (type: string): string[] => personal[type as TicketEvent['type']] ?? []

/**
 * A fact as it goes into the log, its personal fields sealed. Its id is its own and names these words: offered once more after a lost
 * answer it is the same event, while another process that decides the same command anew meets a conflict and finds `commandId` there.
 * `key` null: the contact was erased, and nothing of them is written.
 */
export function stored(
  stream: string,
  fact: TicketEvent & Stamp,
  contactId: number,
  commandId: string,
  key: Buffer | null,
  { correlationId, causationId }: Cause = { correlationId: commandId, causationId: commandId },
): NewEvent {
  const { type, companyId, by, at, occurredAt, ...data } = fact
  const event = {
    stream,
    id: randomUUID(),
    type,
    data: data as unknown as JsonObject,
    meta: {
      ...{ v: versionOf(type), companyId, by, at, ...(occurredAt !== undefined && { occurredAt }), contactId, commandId },
      ...{ $correlationId: correlationId, $causationId: causationId },
    } as unknown as JsonObject,
  }
  const { stream: _, ...ready } = key
    ? committed(seal(event, key, fieldsOf(type)), commitmentsTo(event, key, fieldsOf(type)))
    : withoutPerson(event)
  return ready
}

const committed = <E extends { meta: JsonObject }>(event: E, commitments: Record<string, string>): E =>
  Object.keys(commitments).length > 0 ? { ...event, meta: { ...event.meta, commitments } } : event

function withoutPerson<E extends { type: string; data: JsonObject }>(event: E): E {
  const data = { ...event.data }
  for (const field of fieldsOf(event.type)) if (data[field] !== undefined) data[field] = typeof data[field] === 'string' ? erased : null
  return { ...event, data }
}

/** Where an event stands: in its ticket and in the log. */
const placeOf = ({ stream, revision, position, id }: LoggedEvent) => ({
  ticketId: Number(stream.slice(stream.lastIndexOf('-') + 1)),
  revision: Number(revision),
  position,
  eventId: id,
})

/** The fact that a logged event tells. */
export function fact(event: LoggedEvent, key: Buffer | null): Recorded<TicketEvent> {
  const { v, companyId, by, at, occurredAt, $correlationId: correlationId } = event.meta as unknown as Meta
  const data = upcast(event.type, v, unseal(event, key, fieldsOf(event.type)).data)
  return {
    ...data,
    type: event.type,
    companyId,
    by,
    at,
    ...(occurredAt !== undefined && { occurredAt }),
    ...(correlationId !== undefined && { correlationId }),
    ...placeOf(event),
  } as Recorded<TicketEvent>
}

const sealedOf = ({ meta }: LoggedEvent) => meta as unknown as Meta

const every = () => true
/** The facts of a page, its keys fetched with one question a company. What `opens` leaves out stays as if its key were gone. */
export async function facts(
  events: LoggedEvent[],
  keys: ContactKeys,
  opens: (type: string) => boolean = every,
): Promise<Recorded<TicketEvent>[]> {
  const isSealed = ({ type }: LoggedEvent) => fieldsOf(type).length > 0 && opens(type)
  const wanted = Map.groupBy(events.filter(isSealed), (event) => sealedOf(event).companyId)
  for (const [companyId, sealed] of wanted)
    await keys.load(
      companyId,
      sealed.map((event) => sealedOf(event).contactId),
    )
  return Promise.all(
    events.map(async (event) => {
      if (!isSealed(event)) return fact(event, null)
      const { companyId, contactId } = sealedOf(event)
      return fact(event, await keys.find({ companyId, contactId }))
    }),
  )
}

/** Facts as far as they open; those that do not, by event id, with the fault. Whether a store is away is not asked here: that is thrown. */
export type Opened = { told: Recorded<TicketEvent>[]; unopened: Map<string, unknown> }
export async function opened(events: LoggedEvent[], keys: ContactKeys, opens?: (type: string) => boolean): Promise<Opened> {
  const unopened = new Map<string, unknown>()
  try {
    return { told: await facts(events, keys, opens), unopened }
  } catch (error) {
    if (passing(error)) throw error
  }
  const told: Recorded<TicketEvent>[] = []
  for (const event of events)
    try {
      told.push(...(await facts([event], keys, opens)))
    } catch (error) {
      if (passing(error)) throw error
      const { companyId, by, at } = event.meta as unknown as Meta
      unopened.set(event.id, error)
      told.push({ ...event.data, type: event.type, companyId, by, at, ...placeOf(event) } as unknown as Recorded<TicketEvent>)
    }
  return { told, unopened }
}
