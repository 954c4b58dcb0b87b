import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import { prefixOf } from '#domain/stream.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Database } from '#projections/database.ts'
import { hashOf } from '../eventlog/chain.ts'
import { Conflict, type EventLog, type Revision } from '../eventlog/eventlog.ts'
import { moveCheckpoint } from '../eventlog/follower.ts'
import { type Anchor, anchorHash, anchorStream, type Head, reading, type StoredAnchor, signed, written } from './anchor.ts'
import type { HouseKey } from './house-key.ts'

export type Deps = { db: Kysely<Database>; log: EventLog; houseKey: HouseKey; logger: Logger }

/** Under this name stands how far streams were anchored. */
export const follower = { name: 'anchors', of: ticketStream }
/** More streams go into the next anchor: what is appended at once has an end. */
const mostHeads = 5000
/** A company in which nothing happens is anchored once in this while, so that its silence is proven too. */
const quietHours = 24
const mostTries = 5

type Heads = Map<number, Map<number, Head>>
type Gathered = { heads: Heads; position: bigint | null; all: boolean }

/** The newest head of each stream that changed behind a position, by company. */
async function gather(log: EventLog, after: bigint | null, signal: AbortSignal): Promise<Gathered> {
  const enough = new AbortController()
  const heads: Heads = new Map()
  let position = after
  let count = 0
  try {
    for await (const page of log.follow(after, prefixOf(follower.of), AbortSignal.any([signal, enough.signal]))) {
      for (const { stream, revision, meta } of page.events) {
        const [, companyId, ticketId] = stream.split('-').map(Number)
        const own = heads.get(companyId!) ?? new Map<number, Head>()
        if (!own.has(ticketId!)) count += 1
        heads.set(companyId!, own.set(ticketId!, { ticketId: ticketId!, revision: Number(revision), hash: hashOf(meta) }))
      }
      position = page.position
      if (page.caughtUp) return { heads, position, all: true }
      if (count >= mostHeads) return { heads, position, all: false }
    }
  } finally {
    enough.abort()
  }
  throw new Error('the log was not read to its end') // told to stop
}

/** Anchors every company in which something changed since the last time, and those that were quiet for a day. Answers how many anchors were made. */
export async function anchorAll(deps: Deps, signal: AbortSignal): Promise<number> {
  const { db, log } = deps
  let made = 0
  for (let all = false; !all && !signal.aborted; ) {
    const checkpoint = await db.selectFrom('checkpoint').select('position').where('name', '=', follower.name).executeTakeFirst()
    const gathered = await gather(log, checkpoint ? BigInt(checkpoint.position) : null, signal)
    for (const [companyId, heads] of gathered.heads) {
      await anchorCompany(deps, companyId, [...heads.values()])
      made += 1
    }
    if (gathered.position !== null) await moveCheckpoint(db, { name: follower.name, version: 1 }, [], gathered.position)
    all = gathered.all
  }
  for (const companyId of await quiet(db)) {
    await anchorCompany(deps, companyId, [])
    made += 1
  }
  return made
}

async function quiet(db: Kysely<Database>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select c.id from company c
    join lateral (select statement ->> 'at' as at from anchor where company_id = c.id order by number desc limit 1) a on true
    where a.at::timestamptz < now() - make_interval(hours => ${quietHours}) order by c.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** One more anchor behind the last, whoever made that. */
export async function anchorCompany(deps: Deps, companyId: number, heads: Head[]): Promise<Anchor> {
  const { db, log, houseKey, logger } = deps
  heads.sort((a, b) => a.ticketId - b.ticketId)
  const stream = anchorStream(companyId)
  let end: Revision | null = null
  for (let tries = 0; tries < mostTries; tries += 1) {
    const last = await newest(deps, companyId)
    end ??= last ? BigInt(last.revision) : 'none'
    const before = last ? { number: last.anchor.number, hash: anchorHash(last.anchor) } : { number: 0, hash: '' }
    const anchor = signed(houseKey, companyId, before, heads, new Date().toISOString())
    try {
      const events = written(anchor, heads)
      const { revision } = await log.append(stream, end, events)
      await keep(db, { anchor, heads, revision: Number(revision), first: Number(revision) - events.length + 1 })
      return anchor
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
      const taken = last !== null && (error.actual === 'none' || error.actual < BigInt(last.revision))
      if (taken) logger.error({ companyId, anchor: last.anchor.number }, 'anchors of a company were taken out of the log')
      end = taken ? error.actual : null
    }
  }
  throw new Error(`company ${companyId} is anchored by another process`)
}

/** The newest anchor of a company; what stands in the log and not yet in the table is put there. */
async function newest({ db, log }: Pick<Deps, 'db' | 'log'>, companyId: number): Promise<Pick<StoredAnchor, 'anchor' | 'revision'> | null> {
  const row = await db
    .selectFrom('anchor')
    .select(['statement', 'revision'])
    .where('companyId', '=', companyId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const { events } = await log.read(anchorStream(companyId), row ? BigInt(row.revision) : 0n)
  const read = reading()
  const stand = events.flatMap((event) => read(event) ?? [])
  for (const kept of stand) if (kept.revision !== row?.revision) await keep(db, kept)
  return stand.at(-1) ?? (row ? { anchor: row.statement as Anchor, revision: row.revision } : null) // the log decides, while it has one
}

async function keep(db: Kysely<Database>, { anchor, heads, first, revision }: StoredAnchor): Promise<void> {
  const { company: companyId, number } = anchor
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('anchor')
      .values({ companyId, number, first, revision, statement: JSON.stringify(anchor) })
      .onConflict((row) => row.doNothing())
      .execute()
    await sql`insert into ticket_anchor (ticket_id, company_id, number, revision)
      select ticket_id, ${companyId}, ${number}, revision from unnest(${heads.map(({ ticketId }) => ticketId)}::int[],
        ${heads.map((head) => head.revision)}::int[]) as h(ticket_id, revision)
      on conflict (ticket_id) do update set number = excluded.number, revision = excluded.revision
        where ticket_anchor.number < excluded.number`.execute(tx)
  })
}
