import { type Kysely, sql } from 'kysely'
import { hourMs } from '#domain/duration/rules.ts'
import { prefixOf, type StreamCategory } from '#domain/stream.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Database } from '#projections/database.ts'
import { hashOf } from '../event-store/chain.ts'
import { ConcurrencyConflict, type EventStore, type Revision } from '../event-store/event-store.ts'
import { moveCheckpoint } from '../event-store/run-processor.ts'
import { datedBack, recordedAt } from '../verification/timestamp-check.ts'
import {
  type Anchor,
  anchorEvents,
  anchorHash,
  anchorStream,
  createAnchorReader,
  type Head,
  type StoredAnchor,
  signAnchor,
} from './anchor.ts'
import { type Deps as Fitting, selectValidHeads } from './fitting.ts'

export type Deps = Fitting & { streams: StreamCategory[] }

/** The name of the processor lock and of the ticket checkpoint. */
export const anchorProcessor = 'anchors'
/** The checkpoint name of each stream category. That of the tickets has no suffix: it is the age of the anchors. */
export const anchored = (streams: StreamCategory[]): { name: string; of: StreamCategory }[] =>
  streams.map((of) => ({ name: of.stream === ticketStream.stream ? anchorProcessor : `${anchorProcessor} of ${of.stream}`, of }))
/** Maximum heads per anchor, because an append is limited. Further streams go into the next anchor. */
const maxHeads = 5000
/** A company without new events still gets an anchor at this interval, to prove that nothing was added or removed. */
const quietHours = 24
const maxTries = 5

/** Heads by company and stream. */
type Heads = Map<number, Map<string, Head>>

/** The time of the last anchors according to the checkpoint; null if no current ticket event was anchored yet. */
export async function madeUntil(db: Kysely<Database>, eventStore: EventStore): Promise<string | null> {
  const row = await db.selectFrom('checkpoint').select(['position', 'appliedAt']).where('name', '=', anchorProcessor).executeTakeFirst()
  if (!row) return null
  const enough = new AbortController()
  try {
    for await (const { events } of eventStore.subscribe(null, prefixOf(ticketStream), enough.signal))
      return events[0] && events[0].position <= BigInt(row.position) ? row.appliedAt : null
  } finally {
    enough.abort()
  }
  return null
}

/** Adds the newest head of each stream that changed after a position. Returns the position reached, and whether that was the end. */
async function gather(eventStore: EventStore, of: StreamCategory, after: bigint | null, heads: Heads, signal: AbortSignal) {
  const enough = new AbortController()
  const seen = new Set<string>()
  let position = after
  try {
    for await (const page of eventStore.subscribe(after, prefixOf(of), AbortSignal.any([signal, enough.signal]))) {
      for (const { stream, revision, meta } of page.events) {
        const [companyId, id] = stream.slice(prefixOf(of).length).split('-').map(Number)
        const own = heads.get(companyId!) ?? new Map<string, Head>()
        heads.set(companyId!, own.set(stream, { kind: of.stream, id: id!, revision: Number(revision), hash: hashOf(meta) }))
        seen.add(stream)
      }
      position = page.position
      if (page.caughtUp || seen.size >= maxHeads) return { position, all: page.caughtUp }
    }
  } finally {
    enough.abort()
  }
  throw new Error('Reading stopped before the end of the event store') // by `signal`
}

/** Makes an anchor for every company with changes, and for those without changes for a day. Returns the number of anchors. */
export async function anchorAll(deps: Deps, signal: AbortSignal): Promise<number> {
  const { db, eventStore, streams } = deps
  let made = 0
  for (let all = false; !all && !signal.aborted; ) {
    const heads: Heads = new Map()
    const reached: { name: string; position: bigint | null; all: boolean }[] = []
    for (const { name, of } of anchored(streams)) {
      const checkpoint = await db.selectFrom('checkpoint').select('position').where('name', '=', name).executeTakeFirst()
      reached.push({ name, ...(await gather(eventStore, of, checkpoint ? BigInt(checkpoint.position) : null, heads, signal)) })
    }
    for (const [companyId, own] of heads) {
      const fit = await selectValidHeads(deps, companyId, [...own.values()], signal)
      if (fit.length === 0) continue
      await anchorCompany(deps, companyId, fit)
      made += 1
    }
    for (const { name, position } of reached) if (position !== null) await moveCheckpoint(db, { name, version: 1 }, [], position)
    all = reached.every((one) => one.all)
  }
  for (const companyId of await findQuietCompanies(db)) {
    await anchorCompany(deps, companyId, [])
    made += 1
  }
  return made
}

async function findQuietCompanies(db: Kysely<Database>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select c.id from company c
    join lateral (select statement ->> 'at' as at from anchor where company_id = c.id order by number desc limit 1) a on true
    where a.at::timestamptz < now() - make_interval(hours => ${quietHours}) order by c.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Makes the next anchor of a company after the newest one of any process. */
export async function anchorCompany(deps: Omit<Deps, 'streams' | 'eventMacKeys'>, companyId: number, heads: Head[]): Promise<Anchor> {
  const { db, eventStore, signingKey, logger } = deps
  heads.sort((a, b) => (a.kind === b.kind ? a.id - b.id : a.kind < b.kind ? -1 : 1))
  const stream = anchorStream(companyId)
  let end: Revision | null = null
  for (let tries = 0; tries < maxTries; tries += 1) {
    const last = await newest(deps, companyId)
    end ??= last ? BigInt(last.revision) : 'none'
    if (!last) await warnIfFirstIsLate(deps, companyId)
    const before = last ? { number: last.anchor.number, hash: anchorHash(last.anchor) } : { number: 0, hash: '' }
    const anchor = signAnchor(signingKey, companyId, before, heads, new Date().toISOString())
    try {
      const events = anchorEvents(anchor, heads)
      const { revision } = await eventStore.append(stream, end, events)
      await keep(db, { anchor, heads, revision: Number(revision), first: Number(revision) - events.length + 1 })
      return anchor
    } catch (error) {
      if (!(error instanceof ConcurrencyConflict)) throw error
      const taken = last !== null && (error.actual === 'none' || error.actual < BigInt(last.revision))
      if (taken) logger.error({ companyId, anchor: last.anchor.number }, 'Anchors were removed from the event store')
      end = taken ? error.actual : null
    }
  }
  throw new Error(`Another process makes anchors of company ${companyId}`)
}

/** A company has an anchor on the day of its first event. If the first one is made later, earlier anchors may have been removed. */
async function warnIfFirstIsLate({ eventStore, logger }: Pick<Deps, 'eventStore' | 'logger'>, companyId: number): Promise<void> {
  const enough = new AbortController()
  try {
    for await (const { events, caughtUp } of eventStore.subscribe(null, `${prefixOf(ticketStream)}${companyId}-`, enough.signal)) {
      const first = events.find((one) => !datedBack(one))
      const since = first ? recordedAt(first) : Number.NaN
      if (since < Date.now() - quietHours * hourMs)
        logger.error({ companyId, since: new Date(since) }, 'First anchor is late; earlier anchors may be removed')
      if (events.length > 0 || caughtUp) return
    }
  } finally {
    enough.abort()
  }
}

/** The newest anchor of a company. Anchors that are in the event store but not in the table are added to the table. */
async function newest(
  { db, eventStore }: Pick<Deps, 'db' | 'eventStore'>,
  companyId: number,
): Promise<Pick<StoredAnchor, 'anchor' | 'revision'> | null> {
  const row = await db
    .selectFrom('anchor')
    .select(['statement', 'revision'])
    .where('companyId', '=', companyId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const { events } = await eventStore.read(anchorStream(companyId), row ? BigInt(row.revision) : 0n)
  const read = createAnchorReader()
  const stored = events.flatMap((event) => read(event) ?? [])
  for (const kept of stored) if (kept.revision !== row?.revision) await keep(db, kept)
  return stored.at(-1) ?? (row ? { anchor: row.statement as Anchor, revision: row.revision } : null) // the event store takes precedence over the table
}

async function keep(db: Kysely<Database>, { anchor, heads, first, revision }: StoredAnchor): Promise<void> {
  const { company: companyId, number } = anchor
  const tickets = heads.filter(({ kind }) => kind === ticketStream.stream)
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('anchor')
      .values({ companyId, number, first, revision, statement: JSON.stringify(anchor) })
      .onConflict((row) => row.doNothing())
      .execute()
    await sql`insert into ticket_anchor (ticket_id, company_id, number, revision)
      select ticket_id, ${companyId}, ${number}, revision from unnest(${tickets.map(({ id }) => id)}::int[],
        ${tickets.map((head) => head.revision)}::int[]) as h(ticket_id, revision)
      on conflict (ticket_id) do update set number = excluded.number, revision = excluded.revision
        where ticket_anchor.number < excluded.number`.execute(tx)
  })
}
