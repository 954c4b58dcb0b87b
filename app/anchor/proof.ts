import type { Kysely } from 'kysely'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Database } from '#projections/database.ts'
import type { EventLog } from '../eventlog/eventlog.ts'
import { type Anchor, anchorStream, type Head, holds, leafOf, reading, rootOver, type StoredAnchor } from './anchor.ts'
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
async function anchorAt({ log }: { log: EventLog }, companyId: number, { first, revision }: Place): Promise<StoredAnchor | null> {
  const { events } = await log.read(anchorStream(companyId), BigInt(first), revision - first + 1)
  const read = reading()
  return events.flatMap((event) => read(event) ?? []).at(-1) ?? null
}
const isOf =
  (ticketId: number) =>
  ({ kind, id }: Head): boolean =>
    kind === ticketStream.stream && id === ticketId

/** What proves it to somebody who has only the public key. */
export async function proofOf(deps: { db: Kysely<Database>; log: EventLog }, of: Of): Promise<Proof | null> {
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
  if (anchor.company !== company || !holds(publicKey, anchor)) return false
  return rootFrom(leafOf(company, headOf(head)), index, anchor.heads, path) === anchor.root
}

/** How far a ticket is anchored; `sound`: the anchor is signed by this house and made over what it lists. */
export type Known = Pick<Anchor, 'number' | 'at'> & Pick<Head, 'revision' | 'hash'> & { sound: boolean }

/** Anchors that were read for tickets of one walk, which mostly share theirs: one is over many thousand heads. */
export type Seen = Map<string, (StoredAnchor & Pick<Known, 'sound'>) | null>

export async function anchoredAs(
  deps: { db: Kysely<Database>; log: EventLog; publicKey: string },
  of: Of,
  seen: Seen = new Map(),
): Promise<Known | null> {
  const place = await placeOf(deps, of)
  if (!place) return null
  const name = `${of.companyId}/${place.first}/${place.revision}`
  let found = seen.get(name)
  if (found === undefined) {
    const kept = await anchorAt(deps, of.companyId, place)
    found = kept && { ...kept, sound: isSound(deps.publicKey, of.companyId, kept) }
    seen.clear() // one at a time
    seen.set(name, found)
  }
  const head = found?.heads.find(isOf(of.ticketId))
  if (!found || !head) return { number: 0, at: new Date(0).toISOString(), revision: 0, hash: '', sound: false } // the tables tell of one that is not there
  const { anchor, sound } = found
  return { number: anchor.number, at: anchor.at, revision: head.revision, hash: head.hash, sound }
}
const isSound = (publicKey: string, companyId: number, { anchor, heads }: StoredAnchor): boolean =>
  anchor.company === companyId && holds(publicKey, anchor) && anchor.root === rootOver(companyId, heads)
