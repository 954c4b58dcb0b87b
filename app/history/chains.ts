import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Finding } from '#domain/history/contract.ts'
import { streamName } from '#domain/stream.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Database } from '#projections/database.ts'
import { anchoredAs, type KnownAnchor, type Seen } from '../anchor/proof.ts'
import type { SigningKey } from '../anchor/signing-key.ts'
import type { ContactKeys } from '../crypto/contact-keys.ts'
import type { EventMacKey, EventMacKeys } from '../crypto/event-mac-keys.ts'
import { type Checked, check, checkedBy, hashOf } from '../event-store/chain.ts'
import type { EventStore, StoredEvent } from '../event-store/event-store.ts'
import { type FindingsCursor, future, keepFinding, notOurs } from './findings.ts'
import { type Read, readEvents } from './reading.ts'

type Deps = {
  db: Kysely<Database>
  eventStore: EventStore
  eventMacKeys: EventMacKeys & { current: EventMacKey }
  signingKey: Pick<SigningKey, 'publicKey'>
  logger: Logger
}
/** A ticket in the history index. `revision`: the newest one in the index. */
type Of = { companyId: number; ticketId: number; uuid: string; contactId: number; revision: number }
type Walked = { chain: Finding; length: number; anchored: Pick<KnownAnchor, 'number' | 'at' | 'revision'> | null }
/** Consecutive events of a stream, as stored and decoded. */
export type ChainPart = { events: StoredEvent[]; decoded: Read[] }
type Parts = Iterable<ChainPart> | AsyncIterable<ChainPart>
const partSize = 500

/** Reads a stream from revision `first` on in parts, so that a long one is never held in memory as a whole. */
export async function* partsOf(
  { eventStore, contactKeys }: { eventStore: EventStore; contactKeys: ContactKeys },
  stream: string,
  first = 0n,
): AsyncIterable<ChainPart> {
  for (let from = first; ; ) {
    const { events } = await eventStore.read(stream, from, partSize)
    if (events.length > 0) yield { events, decoded: await readEvents(events, contactKeys) }
    if (events.length < partSize) return
    from = events.at(-1)!.revision + 1n // some may be missing
  }
}

/** Checks the hash chain first, then the end of the stream, then the newest anchor, then the content of each event. */
async function foundIn(parts: AsyncIterable<ChainPart>, ticket: Of, keys: EventMacKeys, anchored: KnownAnchor | null): Promise<Finding> {
  const broken = (brokenAt: number, reason: Finding['reason']): Finding => ({ holds: false, brokenAt, reason })
  let last: Checked | null = null
  let atAnchor: string | null = null
  let faulty: Finding | null = null
  for await (const { events, decoded } of parts) {
    const misfit = check(events, last, keys)
    if (misfit) return broken(Number(misfit.revision), misfit.reason)
    if (!last && events[0] && otherThan(ticket, events[0])) return broken(0, 'head')
    last = checkedBy(events, last)
    const named = anchored && events.find(({ revision }) => Number(revision) === anchored.revision)
    if (named) atAnchor = hashOf(named.meta)
    const at = faulty ? -1 : decoded.findIndex(({ fault }) => fault !== null)
    if (at >= 0) faulty = broken(Number(events[at]!.revision), decoded[at]!.fault)
  }
  if (!last) return broken(0, 'empty')
  const end = Number(last.revision)
  if (end < Math.max(ticket.revision, anchored?.revision ?? 0)) return broken(end + 1, 'cut')
  if (anchored && (!anchored.sound || atAnchor !== anchored.hash)) return broken(anchored.revision, 'anchor')
  return faulty ?? { holds: true, brokenAt: null, reason: null }
}

/** The field in which the index differs from the ticket's first event, which means that it shows another ticket's history. */
export function otherThan({ uuid, contactId }: Pick<Of, 'uuid' | 'contactId'>, { data }: Pick<StoredEvent, 'data'>): string | null {
  if (data.uuid !== uuid) return 'uuid'
  return data.contactId === contactId ? null : 'contact'
}

/** Verifies a ticket's events, stores the result for the list, and logs the first failure. */
export async function verifyTicket(
  { db, eventStore, eventMacKeys, signingKey, logger }: Deps,
  ticket: Of,
  parts: Parts,
  seen?: Seen,
): Promise<Walked> {
  const { companyId, ticketId } = ticket
  const anchored = await anchoredAs({ db, eventStore, publicKey: signingKey.publicKey }, { companyId, ticketId }, seen)
  let length = 0
  const counted = async function* () {
    for await (const part of parts) {
      length += part.events.length
      yield part
    }
  }
  const found = await foundIn(counted(), ticket, eventMacKeys, anchored)
  await keepFinding({ db, eventMacKeys, logger }, ticket, found)
  const known = anchored?.sound ? { number: anchored.number, at: anchored.at, revision: anchored.revision } : null
  return { chain: found, anchored: known, length }
}

const pauseHours = 24
/** Verifies tickets whose stored finding is forged, then those verified longest ago, at most once a day. Returns their number. */
export async function walkSome(
  {
    db,
    eventStore,
    eventMacKeys,
    signingKey,
    contactKeys,
    logger,
    caches,
  }: Deps & { contactKeys: ContactKeys; caches: { findingsCursor: FindingsCursor } },
  most = 50,
): Promise<number> {
  const forged = (await notOurs(db, eventMacKeys.current, caches.findingsCursor)).slice(0, most)
  const due = await db
    .selectFrom('ticketHistory as h')
    .leftJoin('ticketChain as c', 'c.ticketId', 'h.id')
    .select(['h.id as ticketId', 'h.companyId', 'h.uuid', 'h.contactId', 'h.revision'])
    .where((eb) =>
      eb.or([
        eb('c.checkedAt', 'is', null),
        eb('c.checkedAt', '<', sql<string>`now() - make_interval(hours => ${pauseHours})`),
        eb('c.checkedAt', '>', future),
        eb('h.id', '=', eb.fn.any(eb.val(forged))),
      ]),
    )
    .orderBy((eb) => eb('h.id', '=', eb.fn.any(eb.val(forged))), 'desc')
    .orderBy('c.checkedAt', (order) => order.asc().nullsFirst())
    .limit(most)
    .execute()
  const seen: Seen = new Map()
  for (const of of due) {
    const parts = partsOf({ eventStore, contactKeys }, streamName(ticketStream, of.companyId, of.ticketId))
    await verifyTicket({ db, eventStore, eventMacKeys, signingKey, logger }, of, parts, seen)
  }
  return due.length
}
