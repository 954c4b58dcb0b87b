import { createHash, randomUUID } from 'node:crypto'
import type { Actor, Cause, TypedMessage, WithMetadata } from '#domain/decider.ts'
import { idIn, type StreamCategory, upcast, versionOf } from '#domain/stream.ts'
import type { EventPlace, PersistedEvent } from '#projections/projector.ts'
import { commitmentsTo } from '../crypto/commitment.ts'
import type { ContactKeys } from '../crypto/contact-keys.ts'
import { erased, seal, unseal } from '../crypto/seal.ts'
import type { JsonObject, NewEvent, StoredEvent } from './event-store.ts'
import { isTransient } from './transient-errors.ts'

/**
 * Stored metadata of an event: who, when and for which company, the contact whose key seals it, and the command. It holds no personal
 * data. `contactId` is absent in streams that are not about a contact.
 */
export type Meta = {
  /** Schema version of the event's data; `upcast` converts older versions. */
  v: number
  companyId: number
  by: Actor
  at: string
  occurredAt?: string
  contactId?: number
  commandId: string
  hash: string
  /** Commitment to the plaintext of each sealed field, by field name; absent without such fields. */
  commitments?: Record<string, string>
  /** The command that started the whole causal chain. EventStoreDB reserves both names. */
  $correlationId: string
  /** The command or event that directly caused this event. */
  $causationId: string
}
/** The cause to record for a command that reacts to this event. */
export const causeOf = ({ eventId, correlationId }: Pick<EventPlace, 'eventId' | 'correlationId'>): Cause => ({
  correlationId: correlationId ?? eventId,
  causationId: eventId,
})

const namespace = Buffer.from('8f0f1f3c6a4d4c1ba3d2d0a9e7c5b411', 'hex')

/** A UUID (version 5) derived from a name. The same name gives the same id, so that a retry is a no-op. */
export function idFrom(name: string): string {
  const bytes = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export const fieldsOf = ({ personal }: StreamCategory, type: string): string[] => personal[type] ?? []

/**
 * Encodes an event for the store, with its personal fields sealed. Each encoding gets a random id: a retry after a lost answer offers the
 * same event. Another process that decides the same command meets a conflict and finds `commandId` in the stream.
 * `key` is null if the contact was erased, so that no personal field is written, or if the event is about no contact.
 */
export function encodeEvent(
  of: StreamCategory,
  stream: string,
  decided: WithMetadata<TypedMessage>,
  contactId: number | null,
  commandId: string,
  key: Buffer | null,
  { correlationId, causationId }: Cause = { correlationId: commandId, causationId: commandId },
): NewEvent {
  const { type, companyId, by, at, occurredAt, ...data } = decided
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

/** The event's place in its stream and in the whole store. */
const placeOf = ({ stream, revision, position, id }: StoredEvent): EventPlace => ({
  stream,
  aggregateId: idIn(stream),
  revision: Number(revision),
  position,
  eventId: id,
})

/** Decodes a stored event: unseals it with `key` and upcasts it. */
export function decodeEvent<E extends TypedMessage>(
  of: StreamCategory<E>,
  event: StoredEvent,
  key: Buffer | null,
  redacted?: readonly string[],
): PersistedEvent<E> {
  const { v, companyId, by, at, occurredAt, $correlationId: correlationId } = event.meta as unknown as Meta
  const data = upcast(of, event.type, v, unseal(event, key, fieldsOf(of, event.type), redacted).data)
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

const metaOf = ({ meta }: StoredEvent) => meta as unknown as Meta

const every = () => true
/** Decodes a page; keys are loaded in one batch per company. Event types that `opens` excludes are decoded without a key. */
export async function decodeEvents<E extends TypedMessage>(
  of: StreamCategory<E>,
  events: StoredEvent[],
  contactKeys: ContactKeys,
  opens: (type: string) => boolean = every,
): Promise<PersistedEvent<E>[]> {
  const isSealed = ({ type }: StoredEvent) => fieldsOf(of, type).length > 0 && opens(type)
  const sealedByCompany = Map.groupBy(events.filter(isSealed), (event) => metaOf(event).companyId)
  for (const [companyId, sealed] of sealedByCompany)
    await contactKeys.load(
      companyId,
      sealed.map((event) => metaOf(event).contactId!),
    )
  const redactions = sealedByCompany.size > 0 ? await contactKeys.redactions() : null
  return Promise.all(
    events.map(async (event) => {
      if (!isSealed(event)) return decodeEvent(of, event, null)
      const { companyId, contactId } = metaOf(event)
      return decodeEvent(of, event, await contactKeys.find({ companyId, contactId: contactId! }), redactions?.get(event.id))
    }),
  )
}

/**
 * Decodes what can be decoded. `unopened` holds the error of each event that cannot be unsealed, by event id. Transient errors are
 * thrown, because they say nothing about the event.
 */
export type DecodedPage = { decoded: PersistedEvent<TypedMessage>[]; unopened: Map<string, unknown> }
export async function decodeTolerant(
  of: StreamCategory,
  events: StoredEvent[],
  contactKeys: ContactKeys,
  opens?: (type: string) => boolean,
): Promise<DecodedPage> {
  const unopened = new Map<string, unknown>()
  try {
    return { decoded: await decodeEvents(of, events, contactKeys, opens), unopened }
  } catch (error) {
    if (isTransient(error)) throw error
  }
  const decoded: PersistedEvent<TypedMessage>[] = []
  for (const event of events)
    try {
      decoded.push(...(await decodeEvents(of, [event], contactKeys, opens)))
    } catch (error) {
      if (isTransient(error)) throw error
      const { companyId, by, at } = event.meta as unknown as Meta
      unopened.set(event.id, error)
      decoded.push({ ...event.data, type: event.type, companyId, by, at, ...placeOf(event) })
    }
  return { decoded, unopened }
}
