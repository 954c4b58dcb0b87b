import { type Kysely, sql } from 'kysely'
import { hourMs, minuteMs } from '#domain/duration/rules.ts'
import { streamName } from '#domain/stream.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Database } from '#projections/database.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { recordedAt } from '../verification/timestamp-check.ts'
import { type Anchor, anchorStream, createAnchorReader, type Head, isSigned, leafOf, rootOver, type StoredAnchor } from './anchor.ts'
import { pathOf, rootFrom } from './merkle.ts'

/** Proves that an anchor covers a ticket's head: the Merkle path to the root. Exported files contain it, so its format is fixed. */
export type Proof = { anchor: Anchor; head: TicketHead; index: number; path: string[] }
type TicketHead = { ticketId: number; revision: number; hash: string }
const headOf = ({ ticketId, revision, hash }: TicketHead): Head => ({ kind: ticketStream.stream, id: ticketId, revision, hash })

type Of = { companyId: number; ticketId: number }

type Place = { first: number; revision: number }
/** The place of the newest anchor that covers the ticket; undefined if there is none. */
async function placeOf({ db }: { db: Kysely<Database> }, { companyId, ticketId }: Of): Promise<Place | undefined> {
  return db
    .selectFrom('ticketAnchor as t')
    .innerJoin('anchor as a', (join) => join.onRef('a.companyId', '=', 't.companyId').onRef('a.number', '=', 't.number'))
    .select(['a.first', 'a.revision'])
    .where('t.ticketId', '=', ticketId)
    .where('t.companyId', '=', companyId)
    .executeTakeFirst()
}
/** Reads an anchor with all its heads. */
async function anchorAt(
  { eventStore }: { eventStore: EventStore },
  companyId: number,
  { first, revision }: Place,
): Promise<StoredAnchor | null> {
  const { events } = await eventStore.read(anchorStream(companyId), BigInt(first), revision - first + 1)
  const read = createAnchorReader()
  return events.flatMap((event) => read(event) ?? []).at(-1) ?? null
}
const isOf =
  (ticketId: number) =>
  ({ kind, id }: Head): boolean =>
    kind === ticketStream.stream && id === ticketId

/** The proof that a reader can check with the public key alone. */
export async function proofOf(deps: { db: Kysely<Database>; eventStore: EventStore }, of: Of): Promise<Proof | null> {
  const place = await placeOf(deps, of)
  const kept = place && (await anchorAt(deps, of.companyId, place))
  const index = kept?.heads.findIndex(isOf(of.ticketId)) ?? -1
  if (!kept || index < 0) return null
  const { anchor, heads } = kept
  const leaves = heads.map((head) => leafOf(of.companyId, head))
  const { id: ticketId, revision, hash } = heads[index]!
  return { anchor, head: { ticketId, revision, hash }, index, path: pathOf(leaves, index) }
}

/** True if the anchor is signed with this key and the path leads from this head to its root. */
export function proves(publicKey: string, company: number, { anchor, head, index, path }: Proof): boolean {
  if (anchor.company !== company || !isSigned(publicKey, anchor)) return false
  return rootFrom(leafOf(company, headOf(head)), index, anchor.heads, path) === anchor.root
}

/** The newest anchored head of a ticket. `sound`: the anchor is signed with our key and its root covers its listed heads. */
export type KnownAnchor = Pick<Anchor, 'number' | 'at'> & Pick<Head, 'revision' | 'hash'> & { sound: boolean }

/** Cache of the last anchor read: an anchor covers thousands of tickets, and tickets checked in sequence mostly share it. */
export type Seen = Map<string, (StoredAnchor & Pick<KnownAnchor, 'sound'>) | null>

type Deps = { db: Kysely<Database>; eventStore: EventStore; publicKey: string }

/** The ticket's anchor according to the tables, and newer ones in the event store, because a table row may be missing or outdated. */
export async function anchoredAs(deps: Deps, of: Of, seen: Seen = new Map()): Promise<KnownAnchor | null> {
  const place = await placeOf(deps, of)
  let known = place ? await knownAt(deps, of, place, seen) : null
  while (!known || known.sound) {
    const more = await findNewerAnchor(deps, of, known)
    if (!more) break
    known = more
  }
  return known
}

async function knownAt(deps: Deps, of: Of, place: Place, seen: Seen): Promise<KnownAnchor> {
  const name = `${of.companyId}/${place.first}/${place.revision}`
  let found = seen.get(name)
  if (found === undefined) {
    const kept = await anchorAt(deps, of.companyId, place)
    found = kept && { ...kept, sound: isSound(deps.publicKey, of.companyId, kept) }
    seen.clear() // the cache holds one anchor
    seen.set(name, found)
  }
  const head = found?.heads.find(isOf(of.ticketId))
  return found && head ? asKnown(found.anchor, head, found.sound) : missing(0) // the tables name an anchor that is missing
}
const asKnown = ({ number, at }: Anchor, { revision, hash }: Head, sound: boolean): KnownAnchor => ({ number, at, revision, hash, sound })
const missing = (revision: number): KnownAnchor => ({ number: 0, at: new Date(0).toISOString(), revision, hash: '', sound: false })

/** Tolerance between the clocks of two processes, and the time after which every event must be covered by an anchor. */
const [skewMs, longestMs] = [minuteMs, hourMs]
const atOnce = 50

/**
 * Finds a newer anchor of the ticket than `known`; null if there is none yet. A single anchor may omit the ticket, because streams are
 * anchored in portions. If an hour of anchors omits it, an anchor that covered it was removed.
 */
async function findNewerAnchor(deps: Deps, { companyId, ticketId }: Of, known: KnownAnchor | null): Promise<KnownAnchor | null> {
  const { eventStore, publicKey } = deps
  const from = BigInt((known?.revision ?? -1) + 1)
  const next = (await eventStore.read(streamName(ticketStream, companyId, ticketId), from, 1)).events[0]
  if (!next) return null
  const at = recordedAt(next) || 0
  const read = createAnchorReader()
  let since = Number.POSITIVE_INFINITY
  let found: KnownAnchor | null = null
  for (let place = await revisionAfter(deps, companyId, at - skewMs); ; ) {
    const { events } = await eventStore.read(anchorStream(companyId), place, atOnce)
    for (const event of events) {
      const kept = read(event)
      if (!kept) continue
      const { anchor } = kept
      const head = kept.heads.find(isOf(ticketId))
      if (!isSigned(publicKey, anchor) || (head && !isSound(publicKey, companyId, kept))) return missing(Number(from))
      if (head && BigInt(head.revision) >= from) found = asKnown(anchor, head, true)
      const made = Date.parse(anchor.at)
      if (made > at + skewMs) since = Math.min(since, made)
      if (made > since + longestMs) return found ?? missing(Number(from))
    }
    if (events.length < atOnce) return found
    place = events.at(-1)!.revision + 1n
  }
}

/** The revision after the newest anchor before a time. Starts at the first anchor if the tables name none that exists. */
async function revisionAfter({ db, eventStore, publicKey }: Deps, companyId: number, at: number): Promise<bigint> {
  const before = new Date(Math.max(at, 0)).toISOString()
  const row = await db
    .selectFrom('anchor')
    .select('revision')
    .where('companyId', '=', companyId)
    .where(sql`statement ->> 'at'`, '<', before)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const [event] = row ? (await eventStore.read(anchorStream(companyId), BigInt(row.revision), 1)).events : []
  const anchor = event && createAnchorReader()(event)?.anchor
  return anchor && isSigned(publicKey, anchor) && anchor.at < before ? event.revision + 1n : 0n
}
const isSound = (publicKey: string, companyId: number, { anchor, heads }: StoredAnchor): boolean =>
  anchor.company === companyId && isSigned(publicKey, anchor) && anchor.root === rootOver(companyId, heads)
