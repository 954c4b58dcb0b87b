import type { Writable } from 'node:stream'
import type pg from 'pg'
import type { TypedMessage, WithMetadata } from '#domain/decider.ts'
import type { StreamCategory } from '#domain/stream.ts'
import type { Database } from './database.ts'
import { appendParked, type Parked, resumeStream, stillParked, waiting } from './parked.ts'
import { ask, records } from './postgres.ts'
import { type CounterDelta, clearing, quoted, type RowCounter, type Statement, sums, type Write, writing } from './row-writer.ts'

/** A fact as projectors and reactors get it: unsealed, with its place in its stream and in the log. `aggregateId`: whose stream, by the number in its name. */
export type PersistedEvent<E> = WithMetadata<E> & Place
export type Place = { stream: string; aggregateId: number; revision: number; eventId: string; position: bigint; correlationId?: string }

/** An event that no fold of ours can take: a fault of the event or of the fold, never one that passes by itself. */
export class EventCannotBeApplied extends Error {
  override readonly name = 'Unfoldable'
}

/**
 * A table as a fold over its rows: event name → the row it touches, before and after. null: no row yet, or none any more.
 * Pure: it never sees a clock, the network or another table, so that a rebuild writes the same rows again; `marks` alone names rows by
 * a condition, and leaves them to Postgres.
 */
export type Fold<E extends TypedMessage, Row extends object> = {
  table: keyof Database & string
  key: keyof Row & string
  /** The live topic its rows are told under (`make_live` in its migration), so that a rebuilt table is live again. */
  topic?: string
  /** The keys of the rows that an event touches. */
  touches: (event: PersistedEvent<E>) => (string | number)[]
  on: {
    [N in E['type']]?: (
      row: Row | null,
      event: PersistedEvent<Extract<E, { type: N }>>,
      key: string | number,
      rows: Rows<Row>,
    ) => Row | null
  }
  /** The keys of the rows that an event writes whole, whatever stood there, so that they need not be read first. */
  begins?: (event: PersistedEvent<E>) => (string | number)[]
  /** Events that take away every row with this value in this column. */
  clears?: { column: keyof Row & string; on: { [N in E['type']]?: (event: PersistedEvent<Extract<E, { type: N }>>) => number } }
  /** Events that mark rows which they do not name: by one statement a batch, behind what it writes; `$1` is what they tell it, as JSON. */
  marks?: { text: string; on: { [N in E['type']]?: (event: PersistedEvent<Extract<E, { type: N }>>) => object | null } }
  /** `byEvent`: what an event adds that no row stands for. */
  tally?: RowCounter<Row> & {
    table: keyof Database & string
    byEvent?: { [N in E['type']]?: (event: PersistedEvent<Extract<E, { type: N }>>, rows: Rows<Row>) => CounterDelta | null }
  }
}

/** What stands under another key that the event touches. */
type Rows<Row> = { get: (key: string | number) => Row | null | undefined }

/** Tables that nothing else writes. Raise the version when what a fold of theirs writes changes: they are built anew beside the old ones. */
export type ReadModel<E extends TypedMessage> = { name: string; version: number; folds: Fold<E, any>[] }
/**
 * Read models that follow one kind of stream together: it is read and opened once, and what a batch makes of all of them is one transaction under one
 * checkpoint, so that whoever waits for it sees list and thread agree. One that is built anew stands apart until it has come to the others.
 */
export type Projector<E extends TypedMessage> = { name: string; of: StreamCategory<E>; models: ReadModel<E>[] }
export const foldsOf = <E extends TypedMessage>({ models }: Pick<Projector<E>, 'models'>) => models.flatMap(({ folds }) => folds)
/** Where the last event stands that the tables come to, so that a log which does not have it is known for another (A-OPS-02). */
const placeOf = (last: PersistedEvent<TypedMessage> | undefined): unknown[] =>
  last ? [last.eventId, last.at, last.stream, last.revision] : [null, null, null, null]
const versionOf = ({ models }: Projector<any>) => Math.max(...models.map(({ version }) => version))

/** A newer release has built these tables: an older one must not write its rows into them. */
export class Superseded extends Error {
  override readonly name = 'Superseded'
}
/** Of a read model that is not built yet: nobody follows its tables. */
export const versionUnbuilt = 0

/**
 * Folds a batch into the tables and moves the checkpoint, all in one transaction: exactly once, however often it is delivered. Two trips to
 * Postgres, for those who wrote an event wait for it: what is needed is asked for at once, and what came of it is written at once.
 * Events of a stream that is parked are passed over: they wait behind the one that could not be folded.
 */
export const project = <E extends TypedMessage>(
  pool: pg.Pool,
  all: Projector<E>,
  events: PersistedEvent<E>[],
  position: bigint,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const likely = events.filter(({ stream }) => !parkedStreamsHint.get(all)?.has(stream))
    const first = attempted(() => reading(foldsOf(all), likely))
    const head = [{ text: 'begin' }, locking(all.name), built(all), waiting(all.name)]
    const asked = await asking(client, [...head, ...(first?.values() ?? [])])
    const [, checkpoint, versions, parked] = answered(asked.slice(0, head.length))
    const of = standing(all, versions!.rows as Built[])
    const done = BigInt((checkpoint!.rows[0]?.position as string | undefined) ?? -1)
    const waits = new Set(parked!.rows.map(({ stream }) => stream as string))
    parkedStreamsHint.set(all, waits)
    const due = events.filter((event) => event.position > done)
    const fresh = due.filter(({ stream }) => !waits.has(stream))
    const asLikely = first !== null && fresh.length === likely.length && fresh.every((event, i) => event === likely[i])
    const some = asLikely ? first : reading(foldsOf(of), fresh) // what was folded before begins nothing any more
    const read = asLikely ? answered(asked.slice(head.length)) : await atOnce(client, [...some.values()])
    const writes = await folding(client, of, fresh, some, read)
    const last = due.at(-1)
    const moved = [of.name, versionOf(all), String(position), ...placeOf(last), `${of.name} ${position}`]
    await atOnce(client, [
      ...(position > done ? [...appendParked(of.name, due, waits), ...written(of, writes, moved, fresh)] : []),
      { text: 'commit' },
    ])
  })

/** Which streams waited when it was last asked: what they are told is not even looked up. A guess, which the answer proves. */
const parkedStreamsHint = new WeakMap<Projector<any>, Set<string>>()

function attempted<T>(act: () => T): T | null {
  try {
    return act()
  } catch {
    return null // it may be an event that waits; if not, it is met again
  }
}

/**
 * Folds what a parked stream has waited with; the checkpoint stays where it is. `next`: the revision that it waits at from now on; null: it
 * waits no longer. Does nothing when more was passed over meanwhile, or it does not wait any more.
 */
export const projectLate = <E extends TypedMessage>(
  pool: pg.Pool,
  all: Projector<E>,
  events: PersistedEvent<E>[],
  waited: Parked,
  next: number | null,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const asked = reading(foldsOf(all), events)
    const head = [{ text: 'begin' }, locking(all.name), built(all), stillParked(waited)]
    const [, checkpoint, versions, parked, ...read] = await atOnce(client, [...head, ...asked.values()])
    const of = standing(all, versions!.rows as Built[])
    const at = checkpoint!.rows[0]?.position as string | undefined
    if (at === undefined || parked!.rows.length === 0) return void (await atOnce(client, [{ text: 'commit' }]))
    const writes = await folding(client, of, events, asked, read)
    const moved = [of.name, versionOf(all), at, ...placeOf(undefined), `${of.name} ${at}`]
    await atOnce(client, [...written(of, writes, moved, events), resumeStream(waited, next), { text: 'commit' }])
  })

async function inTransaction(pool: pg.Pool, act: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await act(client)
    client.release()
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      (broken) => client.release(broken),
    )
    throw error
  }
}

async function folding<E extends TypedMessage>(
  client: pg.PoolClient,
  of: Projector<E>,
  events: PersistedEvent<E>[],
  asked: Map<Fold<E, any>, Statement>,
  read: Answer[],
): Promise<Write[]> {
  const rows = new Map([...asked.keys()].map((fold, i) => [fold, read[i]!.rows]))
  const writes: Write[] = []
  for (const fold of foldsOf(of)) writes.push(...(await apply(client, fold, events, rows.get(fold) ?? [])))
  return writes
}

const written = <E extends TypedMessage>(of: Projector<E>, writes: Write[], moved: unknown[], events: PersistedEvent<E>[]): Statement[] => [
  writing(writes, moved),
  ...clearing(writes),
  ...foldsOf(of).flatMap((fold) => marking(fold, events)),
]

/** Sends statements one behind another without waiting in between: in a transaction, what stands behind a fault fails too. */
const atOnce = async (client: pg.PoolClient, statements: Statement[]) => answered(await asking(client, statements))
/* All of them in one packet, by a part of `pg` that is none of its contract: a packet each costs half of what an accept does (0.32 of 0.65 ms). */
function asking(client: pg.PoolClient, statements: Statement[]) {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  stream.cork()
  try {
    return Promise.allSettled(statements.map((one) => answerOf(client, one)))
  } finally {
    stream.uncork()
  }
}
type Answer = { rows: Record<string, unknown>[] }
const answerOf = async (client: pg.PoolClient, { text, values = [] }: Statement): Promise<Answer> => ({
  rows: records(await ask(client, text, values)),
})
const answered = (answers: PromiseSettledResult<Answer>[]) =>
  answers.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })

const locking = (name: string): Statement => ({
  // What a crash takes, the log gives again: its commit waits for no disk. And all is read by key: planning that anew takes longer than reading (0.18 of 0.25 ms).
  text: `select position, set_config('synchronous_commit', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)
    from checkpoint where name = $1 for update`,
  values: [name],
})

const built = ({ models }: Projector<any>): Statement => ({
  text: 'select name, version from read_model where name = any($1)',
  values: [models.map(({ name }) => name)],
})
type Built = { name: string; version: number }
/** The read models that are followed: tables that an older version built too, until what is built beside them takes their place. */
function standing<E extends TypedMessage>(of: Projector<E>, rows: Built[]): Projector<E> {
  const stored = new Map(rows.map(({ name, version }) => [name, version]))
  for (const { name, version } of of.models)
    if ((stored.get(name) ?? version) > version)
      throw new Superseded(`${name} was built by version ${stored.get(name)}, this is ${version}`)
  return { ...of, models: of.models.filter(({ name }) => stored.get(name) !== versionUnbuilt) }
}

/** Asks each table for its rows that these events touch, but for those that they begin; a table without any is not asked. */
function reading<E extends TypedMessage>(folds: Fold<E, any>[], events: PersistedEvent<E>[]): Map<Fold<E, any>, Statement> {
  const asked = new Map<Fold<E, any>, Statement>()
  for (const fold of folds) {
    const begun = new Set<string | number>()
    const keys = new Set<string | number>()
    for (const event of concerning(fold, events)) {
      for (const key of fold.begins?.(event) ?? []) begun.add(key)
      for (const key of fold.touches(event)) if (!begun.has(key)) keys.add(key)
    }
    const text = `select * from ${quoted(fold.table)} where ${quoted(fold.key)} = any($1)`
    if (keys.size > 0) asked.set(fold, { text, values: [[...keys]] })
  }
  return asked
}

const concerning = <E extends TypedMessage>(fold: Fold<E, any>, events: PersistedEvent<E>[]) =>
  events.filter(
    ({ type }) => type in fold.on || (fold.clears && type in fold.clears.on) || (fold.tally?.byEvent && type in fold.tally.byEvent),
  )

/** Folds the events of a batch over the rows that stand; rows that go, go here, and what is to be written is answered. */
async function apply<E extends TypedMessage, Row extends object>(
  client: pg.PoolClient,
  fold: Fold<E, Row>,
  events: PersistedEvent<E>[],
  standing: Row[],
): Promise<Write[]> {
  const stored = new Map<string | number, Row | null>(standing.map((row) => [row[fold.key] as string | number, row]))
  const rows = new Map(stored)
  const byEvent: CounterDelta[] = []
  for (const event of concerning(fold, events)) {
    const next = fold.on[event.type as E['type']]
    try {
      if (next) for (const key of fold.touches(event)) rows.set(key, next(rows.get(key) ?? null, event as never, key, rows))
      const adds = fold.tally?.byEvent?.[event.type as E['type']]?.(event as never, rows)
      if (adds) byEvent.push(adds)
    } catch (error) {
      const { type, eventId, stream, revision } = event
      throw new EventCannotBeApplied(`${stream} does not fold into ${fold.table} at revision ${revision}: ${type} ${eventId}`, {
        cause: error,
      })
    }
    const clear = fold.clears?.on[event.type as E['type']]
    if (clear) await clearRows(client, fold, rows, clear(event as never))
  }
  const changed = [...rows].filter(([key, row]) => row !== stored.get(key))
  const gone = changed.flatMap(([key, row]) => (row === null && stored.get(key) ? [key] : []))
  if (gone.length > 0) await client.query(`delete from ${quoted(fold.table)} where ${quoted(fold.key)} = any($1)`, [gone])
  const own: Write = { table: fold.table, keys: [fold.key], rows: changed.flatMap(([, row]) => (row === null ? [] : [row])) }
  const booked = fold.tally
    ? sums(
        fold.tally,
        changed.map(([key, row]) => [stored.get(key) ?? null, row]),
        byEvent,
      )
    : []
  return [...(own.rows.length > 0 ? [own] : []), ...booked]
}

function marking<E extends TypedMessage>({ marks }: Fold<E, any>, events: PersistedEvent<E>[]): Statement[] {
  const marked = marks ? events.flatMap((event) => marks.on[event.type as E['type']]?.(event as never) ?? []) : []
  return marks && marked.length > 0 ? [{ text: marks.text, values: [JSON.stringify(marked)] }] : []
}

async function clearRows<E extends TypedMessage, Row extends object>(
  client: pg.PoolClient,
  fold: Fold<E, Row>,
  rows: Map<string | number, Row | null>,
  value: number,
): Promise<void> {
  const { column } = fold.clears!
  await client.query(`delete from ${quoted(fold.table)} where ${quoted(column)} = $1`, [value])
  for (const [key, row] of rows) if (row?.[column] === value) rows.set(key, null)
}
