import { type Kysely, sql } from 'kysely'
import { streamOf } from '#domain/ticket/rules.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Database } from '#projections/database.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { recordedAt } from '../verification/timestamp-check.ts'
import { type Anchor, anchorStream, type Head, isSigned, leafOf, reading, rootOver, type StoredAnchor } from './anchor.ts'
import { pathOf, rootFrom } from './merkle.ts'

/** That an anchor was made over a ticket's head: the way from there up to the root. Its words stand in files that were given out. */
export type Proof = { anchor: Anchor; head: TicketHead; index: number; path: string[] }
type TicketHead = { ticketId: number; revision: number; hash: string }
const headOf = ({ ticketId, revision, hash }: TicketHead): Head => ({ kind: ticketStream.stream, id: ticketId, revision, hash })

type Of = { companyId: number; ticketId: number }

type Place = { first: number; revision: number }
/** Where the newest anchor stands that names the ticket; undefined where none does yet. */
async function placeOf({ db }: { db: Kysely<Database> }, { companyId, ticketId }: Of): Promise<Place | undefined> {
  return db
    .selectFrom('ticketAnchor as t')
    .innerJoin('anchor as a', (join) => join.onRef('a.companyId', '=', 't.companyId').onRef('a.number', '=', 't.number'))
    .select(['a.first', 'a.revision'])
    .where('t.ticketId', '=', ticketId)
    .where('t.companyId', '=', companyId)
    .executeTakeFirst()
}
/** An anchor with all its heads. */
async function anchorAt(
  { eventStore }: { eventStore: EventStore },
  companyId: number,
  { first, revision }: Place,
): Promise<StoredAnchor | null> {
  const { events } = await eventStore.read(anchorStream(companyId), BigInt(first), revision - first + 1)
  const read = reading()
  return events.flatMap((event) => read(event) ?? []).at(-1) ?? null
}
const isOf =
  (ticketId: number) =>
  ({ kind, id }: Head): boolean =>
    kind === ticketStream.stream && id === ticketId

/** What proves it to somebody who has only the public key. */
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

/** Whether the house signed it, and it leads to this head of this ticket. */
export function proves(publicKey: string, company: number, { anchor, head, index, path }: Proof): boolean {
  if (anchor.company !== company || !isSigned(publicKey, anchor)) return false
  return rootFrom(leafOf(company, headOf(head)), index, anchor.heads, path) === anchor.root
}

/** How far a ticket is anchored; `sound`: the anchor is signed by this house and made over what it lists. */
export type Known = Pick<Anchor, 'number' | 'at'> & Pick<Head, 'revision' | 'hash'> & { sound: boolean }

/** Anchors that were read for tickets of one walk, which mostly share theirs: one is over many thousand heads. */
export type Seen = Map<string, (StoredAnchor & Pick<Known, 'sound'>) | null>

type Deps = { db: Kysely<Database>; eventStore: EventStore; publicKey: string }

/** The anchor that the tables name, and whatever the log knows beyond it: a row may be gone, or put back. */
export async function anchoredAs(deps: Deps, of: Of, seen: Seen = new Map()): Promise<Known | null> {
  const place = await placeOf(deps, of)
  let known = place ? await knownAt(deps, of, place, seen) : null
  while (!known || known.sound) {
    const more = await beyond(deps, of, known)
    if (!more) break
    known = more
  }
  return known
}

async function knownAt(deps: Deps, of: Of, activeTickets: Place, seen: Seen): Promise<Known> {
  const name = `${of.companyId}/${activeTickets.first}/${activeTickets.revision}`
  let found = seen.get(name)
  if (found === undefined) {
    const kept = await anchorAt(deps, of.companyId, activeTickets)
    found = kept && { ...kept, sound: isSound(deps.publicKey, of.companyId, kept) }
    seen.clear() // one at a time
    seen.set(name, found)
  }
  const head = found?.heads.find(isOf(of.ticketId))
  return found && head ? asKnown(found.anchor, head, found.sound) : missing(0) // the tables tell of one that is not there
}
const asKnown = ({ number, at }: Anchor, { revision, hash }: Head, sound: boolean): Known => ({ number, at, revision, hash, sound })
const missing = (revision: number): Known => ({ number: 0, at: new Date(0).toISOString(), revision, hash: '', sound: false })

/** Between the clocks of two processes; and for how long anchors are made until none can have left a record out. */
const [skewMs, longestMs] = [60_000, 60 * 60_000]
const atOnce = 50

/**
 * The newest of the next anchors that names a ticket further than is known; null where none was made yet. One that names it not is no fault,
 * for many streams are anchored in turn, but an hour of them is: what knew the ticket was taken away.
 */
async function beyond(deps: Deps, { companyId, ticketId }: Of, known: Known | null): Promise<Known | null> {
  const { eventStore, publicKey } = deps
  const from = BigInt((known?.revision ?? -1) + 1)
  const next = (await eventStore.read(streamOf(companyId, ticketId), from, 1)).events[0]
  if (!next) return null
  const at = recordedAt(next) || 0
  const read = reading()
  let since = Number.POSITIVE_INFINITY
  let found: Known | null = null
  for (let place = await behind(deps, companyId, at - skewMs); ; ) {
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

/** Where the anchors go on behind the newest that was made before a moment; from the first, where the tables name none that is there. */
async function behind({ db, eventStore, publicKey }: Deps, companyId: number, at: number): Promise<bigint> {
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
  const anchor = event && reading()(event)?.anchor
  return anchor && isSigned(publicKey, anchor) && anchor.at < before ? event.revision + 1n : 0n
}
const isSound = (publicKey: string, companyId: number, { anchor, heads }: StoredAnchor): boolean =>
  anchor.company === companyId && isSigned(publicKey, anchor) && anchor.root === rootOver(companyId, heads)
