import type { Kysely } from 'kysely'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Database } from '#projections/database.ts'
import type { EventLog } from '../eventlog/eventlog.ts'
import { type Anchor, anchorStream, type Head, holds, leafOf, reading, rootOver } from './anchor.ts'
import { pathOf, rootFrom } from './merkle.ts'

/** That an anchor was made over a ticket's head: the way from there up to the root. Its words stand in files that were given out. */
export type Proof = { anchor: Anchor; head: TicketHead; index: number; path: string[] }
type TicketHead = { ticketId: number; revision: number; hash: string }
const headOf = ({ ticketId, revision, hash }: TicketHead): Head => ({ kind: ticketStream.stream, id: ticketId, revision, hash })

type Of = { companyId: number; ticketId: number }

/** The newest anchor that names the ticket, with all its heads; null where none does yet. */
async function newestOver({ db, log }: { db: Kysely<Database>; log: EventLog }, { companyId, ticketId }: Of) {
  const row = await db
    .selectFrom('ticketAnchor as t')
    .innerJoin('anchor as a', (join) => join.onRef('a.companyId', '=', 't.companyId').onRef('a.number', '=', 't.number'))
    .select(['a.first', 'a.revision'])
    .where('t.ticketId', '=', ticketId)
    .where('t.companyId', '=', companyId)
    .executeTakeFirst()
  if (!row) return null
  const { events } = await log.read(anchorStream(companyId), BigInt(row.first), row.revision - row.first + 1)
  const read = reading()
  const kept = events.flatMap((event) => read(event) ?? []).at(-1)
  const index = kept?.heads.findIndex(({ kind, id }) => kind === ticketStream.stream && id === ticketId) ?? -1
  return { kept: kept ?? null, index }
}

/** What proves it to somebody who has only the public key. */
export async function proofOf(deps: { db: Kysely<Database>; log: EventLog }, of: Of): Promise<Proof | null> {
  const { kept, index } = (await newestOver(deps, of)) ?? {}
  if (!kept || index === undefined || index < 0) return null
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

export async function anchoredAs(deps: { db: Kysely<Database>; log: EventLog; publicKey: string }, of: Of): Promise<Known | null> {
  const found = await newestOver(deps, of)
  if (!found) return null
  const { kept, index } = found
  const head = kept?.heads[index]
  if (!kept || !head) return { number: 0, at: new Date(0).toISOString(), revision: 0, hash: '', sound: false } // the tables tell of one that is not there
  const { anchor, heads } = kept
  const sound = anchor.company === of.companyId && holds(deps.publicKey, anchor) && anchor.root === rootOver(of.companyId, heads)
  return { number: anchor.number, at: anchor.at, revision: head.revision, hash: head.hash, sound }
}
