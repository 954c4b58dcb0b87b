import { createHash, randomUUID } from 'node:crypto'
import type { Actor, Cause, TypedMessage, WithMetadata } from '#domain/decider.ts'
import { idIn, type StreamCategory, upcast, versionOf } from '#domain/stream.ts'
import type { PersistedEvent, Place } from '#projections/projector.ts'
import { commitmentsTo } from '../crypto/commitment.ts'
import type { ContactKeys } from '../crypto/contact-keys.ts'
import { erased, seal, unseal } from '../crypto/seal.ts'
import type { JsonObject, NewEvent, StoredEvent } from './event-store.ts'
import { isTransient } from './transient-errors.ts'

/** What stands beside a fact in the log: the stamp, whose key seals it (of a kind of stream that is about nobody: none), and which command it came from. No personal data. */
export type Meta = {
  /** The version in which the fact is written; `upcast` reads the older ones. */
  v: number
  companyId: number
  by: Actor
  at: string
  occurredAt?: string
  contactId?: number
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
export const causeOf = ({ eventId, correlationId }: Pick<Place, 'eventId' | 'correlationId'>): Cause => ({
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

export const fieldsOf = ({ personal }: StreamCategory, type: string): string[] => personal[type] ?? []

/**
 * A fact as it goes into the log, its personal fields sealed. Its id is its own and names these words: offered once more after a lost
 * answer it is the same event, while another process that decides the same command anew meets a conflict and finds `commandId` there.
 * `key` null: the contact was erased, and nothing of them is written; or the fact is about nobody.
 */
export function encodeEvent(
  of: StreamCategory,
  stream: string,
  fact: WithMetadata<TypedMessage>,
  contactId: number | null,
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
      ...{ v: versionOf(of, type), companyId, by, at, ...(occurredAt !== undefined && { occurredAt }) },
      ...{ ...(contactId !== null && { contactId }), commandId, $correlationId: correlationId, $causationId: causationId },
    } as unknown as JsonObject,
  }
  const fields = fieldsOf(of, type)
  const { stream: _, ...ready } = key
    ? committed(seal(event, key, fields), commitmentsTo(event, key, fields))
    : withoutPerson(event, fields)
  return ready
}

const committed = <E extends { meta: JsonObject }>(event: E, commitments: Record<string, string>): E =>
  Object.keys(commitments).length > 0 ? { ...event, meta: { ...event.meta, commitments } } : event

function withoutPerson<E extends { data: JsonObject }>(event: E, fields: string[]): E {
  const data = { ...event.data }
  for (const field of fields) if (data[field] !== undefined) data[field] = typeof data[field] === 'string' ? erased : null
  return { ...event, data }
}

/** Where an event stands: in its stream and in the log. */
const placeOf = ({ stream, revision, position, id }: StoredEvent): Place => ({
  stream,
  aggregateId: idIn(stream),
  revision: Number(revision),
  position,
  eventId: id,
})

/** The fact that a logged event tells. */
export function decodeEvent<E extends TypedMessage>(of: StreamCategory<E>, event: StoredEvent, key: Buffer | null): PersistedEvent<E> {
  const { v, companyId, by, at, occurredAt, $correlationId: correlationId } = event.meta as unknown as Meta
  const data = upcast(of, event.type, v, unseal(event, key, fieldsOf(of, event.type)).data)
  return {
    ...data,
    type: event.type,
    companyId,
    by,
    at,
    ...(occurredAt !== undefined && { occurredAt }),
    ...(correlationId !== undefined && { correlationId }),
    ...placeOf(event),
  } as unknown as PersistedEvent<E>
}

const sealedOf = ({ meta }: StoredEvent) => meta as unknown as Meta

const every = () => true
/** The facts of a page, its keys fetched with one question a company. What `opens` leaves out stays as if its key were gone. */
export async function decodeEvents<E extends TypedMessage>(
  of: StreamCategory<E>,
  events: StoredEvent[],
  contactKeys: ContactKeys,
  opens: (type: string) => boolean = every,
): Promise<PersistedEvent<E>[]> {
  const isSealed = ({ type }: StoredEvent) => fieldsOf(of, type).length > 0 && opens(type)
  const wanted = Map.groupBy(events.filter(isSealed), (event) => sealedOf(event).companyId)
  for (const [companyId, sealed] of wanted)
    await contactKeys.load(
      companyId,
      sealed.map((event) => sealedOf(event).contactId!),
    )
  return Promise.all(
    events.map(async (event) => {
      if (!isSealed(event)) return decodeEvent(of, event, null)
      const { companyId, contactId } = sealedOf(event)
      return decodeEvent(of, event, await contactKeys.find({ companyId, contactId: contactId! }))
    }),
  )
}

/** Facts as far as they open; those that do not, by event id, with the fault. Whether a store is away is not asked here: that is thrown. */
export type Opened = { facts: PersistedEvent<TypedMessage>[]; unopened: Map<string, unknown> }
export async function decodeTolerant(
  of: StreamCategory,
  events: StoredEvent[],
  contactKeys: ContactKeys,
  opens?: (type: string) => boolean,
): Promise<Opened> {
  const unopened = new Map<string, unknown>()
  try {
    return { facts: await decodeEvents(of, events, contactKeys, opens), unopened }
  } catch (error) {
    if (isTransient(error)) throw error
  }
  const recorded: PersistedEvent<TypedMessage>[] = []
  for (const event of events)
    try {
      recorded.push(...(await decodeEvents(of, [event], contactKeys, opens)))
    } catch (error) {
      if (isTransient(error)) throw error
      const { companyId, by, at } = event.meta as unknown as Meta
      unopened.set(event.id, error)
      recorded.push({ ...event.data, type: event.type, companyId, by, at, ...placeOf(event) })
    }
  return { facts: recorded, unopened }
}
