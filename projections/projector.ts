import type { Writable } from 'node:stream'
import type pg from 'pg'
import type { TypedMessage, WithMetadata } from '#domain/decider.ts'
import type { StreamCategory } from '#domain/stream.ts'
import type { Database } from './database.ts'
import { appendParked, type Parked, resumeStream, stillParked, waiting } from './parked.ts'
import { ask, toRecords } from './postgres.ts'
import {
  batchWrite,
  type CounterDelta,
  deleteRows,
  quoted,
  type RowCounter,
  type Statement,
  sums,
  type Write,
  zeroRowDeletes,
} from './row-writer.ts'

/** A decoded event with its stream, revision and position. `aggregateId` is the number in the stream's name. */
export type PersistedEvent<E> = WithMetadata<E> & EventPlace
export type EventPlace = {
  stream: string
  aggregateId: number
  revision: number
  eventId: string
  position: bigint
  correlationId?: string
}

/** An event that a fold cannot apply: a permanent fault of the event or the fold, never a transient error. */
export class EventCannotBeApplied extends Error {
  override readonly name = 'Unfoldable'
}

/**
 * A table as a fold over its rows: event name → the row before and after; null means no row. A fold is pure:
 * it reads no clock, network or other table, so that a rebuild writes the same rows. Only `marks` selects
 * rows by a condition in Postgres.
 */
export type Fold<E extends TypedMessage, Row extends object> = {
  table: keyof Database & string
  key: keyof Row & string
  /** The live topic of its rows (`make_live` in its migration), so that a rebuilt table sends live updates again. */
  topic?: string
  /** The keys of the rows that an event affects. */
  affectedKeys: (event: PersistedEvent<E>) => (string | number)[]
  on: {
    [N in E['type']]?: (
      row: Row | null,
      event: PersistedEvent<Extract<E, { type: N }>>,
      key: string | number,
      rows: Rows<Row>,
    ) => Row | null
  }
  /** The keys of rows that an event writes completely, so that they need not be read first. */
  upsertsWithoutRead?: (event: PersistedEvent<E>) => (string | number)[]
  /** Events that delete every row with this value in this column. */
  deletesWhere?: { column: keyof Row & string; on: { [N in E['type']]?: (event: PersistedEvent<Extract<E, { type: N }>>) => number } }
  /** Events that update rows by a condition: one statement per batch, after its writes. `$1` is their data as JSON. */
  bulkUpdates?: { text: string; on: { [N in E['type']]?: (event: PersistedEvent<Extract<E, { type: N }>>) => object | null } }
  /** Tables whose rows are computed from a row of this one: they are written when they change, and deleted when they are gone. */
  children?: { table: keyof Database & string; keys: string[]; of: (row: Row) => object[] }[]
  /** `byEvent`: a counter change that belongs to no row. */
  tally?: RowCounter<Row> & {
    table: keyof Database & string
    byEvent?: { [N in E['type']]?: (event: PersistedEvent<Extract<E, { type: N }>>, rows: Rows<Row>) => CounterDelta | null }
  }
}

/** The rows of the other keys that the event affects. */
type Rows<Row> = { get: (key: string | number) => Row | null | undefined }

/** Tables with a single writer. Raise the version when a fold changes; the tables are then rebuilt into shadow tables. */
export type ReadModel<E extends TypedMessage> = { name: string; version: number; folds: Fold<E, any>[] }
/**
 * Read models that share one checkpoint. Their events are read and decoded once, and a batch commits in one
 * transaction, so that a caller who waits for it sees consistent tables. A read model that is being rebuilt
 * is excluded until it has caught up.
 */
export type Projector<E extends TypedMessage> = { name: string; of: StreamCategory<E>; models: ReadModel<E>[] }
/** Every table that a fold writes. */
export const tablesOfFold = ({ table, children = [], tally }: Fold<any, any>): string[] => [
  table,
  ...children.map((child) => child.table),
  ...(tally ? [tally.table] : []),
]
export const foldsOf = <E extends TypedMessage>({ models }: Pick<Projector<E>, 'models'>) => models.flatMap(({ folds }) => folds)
/** Identifies the last applied event, so that a different event store is detected (A-OPS-02). */
const checkpointValues = (last: PersistedEvent<TypedMessage> | undefined): unknown[] =>
  last ? [last.eventId, last.at, last.stream, last.revision] : [null, null, null, null]
const versionOf = ({ models }: Projector<any>) => Math.max(...models.map(({ version }) => version))

/** A newer release has built these tables, so this release must not write to them. */
export class NewerProcessorRunning extends Error {
  override readonly name = 'Superseded'
}
/** The version of a read model that is not built yet and has no projector. */
export const versionUnbuilt = 0

/**
 * Folds a batch and moves the checkpoint in one transaction, so that an event is applied exactly once. It
 * needs two round trips, because callers wait for it: one for all reads and one for all writes. Events of a
 * parked stream are passed over.
 */
export const project = <E extends TypedMessage>(
  pool: pg.Pool,
  all: Projector<E>,
  events: PersistedEvent<E>[],
  position: bigint,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const likely = events.filter(({ stream }) => !parkedStreamsHint.get(all)?.has(stream))
    const first = attempted(() => rowReads(foldsOf(all), likely))
    const head = [{ text: 'begin' }, locking(all.name), built(all), waiting(all.name)]
    const asked = await sendStatements(client, [...head, ...(first?.values() ?? [])])
    const [, checkpoint, versions, parked] = readResults(asked.slice(0, head.length))
    const of = builtModels(all, versions!.rows as Built[])
    const done = BigInt((checkpoint!.rows[0]?.position as string | undefined) ?? -1)
    const waits = new Set(parked!.rows.map(({ stream }) => stream as string))
    parkedStreamsHint.set(all, waits)
    const due = events.filter((event) => event.position > done)
    const fresh = due.filter(({ stream }) => !waits.has(stream))
    const asLikely = first !== null && fresh.length === likely.length && fresh.every((event, i) => event === likely[i])
    const some = asLikely ? first : rowReads(foldsOf(of), fresh) // events that were already applied have no rows to begin
    const read = asLikely ? readResults(asked.slice(head.length)) : await pipelineStatements(client, [...some.values()])
    const writes = await folding(client, of, fresh, some, read)
    const last = due.at(-1)
    const moved = [of.name, versionOf(all), String(position), ...checkpointValues(last), `${of.name} ${position}`]
    await pipelineStatements(client, [
      ...(position > done ? [...appendParked(of.name, due, waits), ...written(of, writes, moved, fresh)] : []),
      { text: 'commit' },
    ])
  })

/** The parked streams of the last check, so that their events are not even looked up. A wrong guess is detected by the answer. */
const parkedStreamsHint = new WeakMap<Projector<any>, Set<string>>()

function attempted<T>(act: () => T): T | null {
  try {
    return act()
  } catch {
    return null // the event may belong to a parked stream; if not, it is delivered again
  }
}

/**
 * Applies the events of a parked stream; the checkpoint stays. `next`: the revision at which the stream stays
 * parked; null: released. Does nothing if the parked stream has changed since it was read.
 */
export const projectLate = <E extends TypedMessage>(
  pool: pg.Pool,
  all: Projector<E>,
  events: PersistedEvent<E>[],
  waited: Parked,
  next: number | null,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const asked = rowReads(foldsOf(all), events)
    const head = [{ text: 'begin' }, locking(all.name), built(all), stillParked(waited)]
    const [, checkpoint, versions, parked, ...read] = await pipelineStatements(client, [...head, ...asked.values()])
    const of = builtModels(all, versions!.rows as Built[])
    const at = checkpoint!.rows[0]?.position as string | undefined
    if (at === undefined || parked!.rows.length === 0) return void (await pipelineStatements(client, [{ text: 'commit' }]))
    const writes = await folding(client, of, events, asked, read)
    const moved = [of.name, versionOf(all), at, ...checkpointValues(undefined), `${of.name} ${at}`]
    await pipelineStatements(client, [...written(of, writes, moved, events), resumeStream(waited, next), { text: 'commit' }])
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
  batchWrite(writes, moved),
  ...zeroRowDeletes(writes),
  ...foldsOf(of).flatMap((fold) => marking(fold, events)),
]

/** Pipelines statements without waiting in between. In a transaction, the statements after a failed one fail too. */
const pipelineStatements = async (client: pg.PoolClient, statements: Statement[]) => readResults(await sendStatements(client, statements))
/** Sends all statements in one packet through an internal of `pg`. One packet per statement costs half of an accept (0.32 of 0.65 ms). */
function sendStatements(client: pg.PoolClient, statements: Statement[]) {
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
  rows: toRecords(await ask(client, text, values)),
})
const readResults = (answers: PromiseSettledResult<Answer>[]) =>
  answers.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })

const locking = (name: string): Statement => ({
  // The event store repeats what a crash loses, so the commit need not wait for the disk. All reads are by
  // key, and planning takes longer than reading (0.18 of 0.25 ms).
  text: `select position, set_config('synchronous_commit', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)
    from checkpoint where name = $1 for update`,
  values: [name],
})

const built = ({ models }: Projector<any>): Statement => ({
  text: 'select name, version from read_model where name = any($1)',
  values: [models.map(({ name }) => name)],
})
type Built = { name: string; version: number }
/** The read models of the live projector: all that are built. Tables of an older version count until their rebuild replaces them. */
function builtModels<E extends TypedMessage>(of: Projector<E>, rows: Built[]): Projector<E> {
  const stored = new Map(rows.map(({ name, version }) => [name, version]))
  for (const { name, version } of of.models)
    if ((stored.get(name) ?? version) > version)
      throw new NewerProcessorRunning(`${name} was built by version ${stored.get(name)}, this is ${version}`)
  return { ...of, models: of.models.filter(({ name }) => stored.get(name) !== versionUnbuilt) }
}

/** Builds the reads of the rows that these events affect, except rows that the events begin. A table without such rows is not read. */
function rowReads<E extends TypedMessage>(folds: Fold<E, any>[], events: PersistedEvent<E>[]): Map<Fold<E, any>, Statement> {
  const asked = new Map<Fold<E, any>, Statement>()
  for (const fold of folds) {
    const begun = new Set<string | number>()
    const keys = new Set<string | number>()
    for (const event of eventsOfFold(fold, events)) {
      for (const key of fold.upsertsWithoutRead?.(event) ?? []) begun.add(key)
      for (const key of fold.affectedKeys(event)) if (!begun.has(key)) keys.add(key)
    }
    const text = `select * from ${quoted(fold.table)} where ${quoted(fold.key)} = any($1)`
    if (keys.size > 0) asked.set(fold, { text, values: [[...keys]] })
  }
  return asked
}

const eventsOfFold = <E extends TypedMessage>(fold: Fold<E, any>, events: PersistedEvent<E>[]) =>
  events.filter(
    ({ type }) =>
      type in fold.on || (fold.deletesWhere && type in fold.deletesWhere.on) || (fold.tally?.byEvent && type in fold.tally.byEvent),
  )

/** Folds the events of a batch over the current rows. Deletes removed rows and returns the writes. */
async function apply<E extends TypedMessage, Row extends object>(
  client: pg.PoolClient,
  fold: Fold<E, Row>,
  events: PersistedEvent<E>[],
  storedRows: Row[],
): Promise<Write[]> {
  const stored = new Map<string | number, Row | null>(storedRows.map((row) => [row[fold.key] as string | number, row]))
  const rows = new Map(stored)
  const byEvent: CounterDelta[] = []
  for (const event of eventsOfFold(fold, events)) {
    const next = fold.on[event.type as E['type']]
    try {
      if (next) for (const key of fold.affectedKeys(event)) rows.set(key, next(rows.get(key) ?? null, event as never, key, rows))
      const adds = fold.tally?.byEvent?.[event.type as E['type']]?.(event as never, rows)
      if (adds) byEvent.push(adds)
    } catch (error) {
      const { type, eventId, stream, revision } = event
      throw new EventCannotBeApplied(`${stream} does not fold into ${fold.table} at revision ${revision}: ${type} ${eventId}`, {
        cause: error,
      })
    }
    const clear = fold.deletesWhere?.on[event.type as E['type']]
    if (clear) await clearRows(client, fold, rows, clear(event as never))
  }
  const changed = [...rows].filter(([key, row]) => row !== stored.get(key))
  const gone = changed.flatMap(([key, row]) => (row === null && stored.get(key) ? [key] : []))
  if (gone.length > 0) await client.query(`delete from ${quoted(fold.table)} where ${quoted(fold.key)} = any($1)`, [gone])
  const children: Write[] = []
  for (const child of fold.children ?? []) {
    const { write, gone: lost } = childWrites(
      child,
      changed.map(([key, row]) => [stored.get(key) ?? null, row]),
    )
    if (lost.length > 0) await client.query(deleteRows(child.table, child.keys, lost))
    if (write) children.push(write)
  }
  const own: Write = { table: fold.table, keys: [fold.key], rows: changed.flatMap(([, row]) => (row === null ? [] : [row])) }
  const booked = fold.tally
    ? sums(
        fold.tally,
        changed.map(([key, row]) => [stored.get(key) ?? null, row]),
        byEvent,
      )
    : []
  return [...(own.rows.length > 0 ? [own] : []), ...children, ...booked]
}

/** The rows of a child table that differ after a batch, and those that are gone. */
function childWrites<Row>(
  { table, keys, of }: { table: string; keys: string[]; of: (row: Row) => object[] },
  changes: [Row | null, Row | null][],
): { write: Write | null; gone: object[] } {
  const keyOf = (row: object) => JSON.stringify(keys.map((key) => (row as Record<string, unknown>)[key]))
  const byKey = (row: Row | null) => new Map((row ? of(row) : []).map((one) => [keyOf(one), one]))
  const rows: object[] = []
  const gone: object[] = []
  for (const [before, after] of changes) {
    const [old, now] = [byKey(before), byKey(after)]
    for (const [key, row] of now) if (JSON.stringify(old.get(key)) !== JSON.stringify(row)) rows.push(row)
    for (const [key, row] of old) if (!now.has(key)) gone.push(row)
  }
  return { write: rows.length > 0 ? { table, keys, rows } : null, gone }
}

function marking<E extends TypedMessage>({ bulkUpdates: marks }: Fold<E, any>, events: PersistedEvent<E>[]): Statement[] {
  const marked = marks ? events.flatMap((event) => marks.on[event.type as E['type']]?.(event as never) ?? []) : []
  return marks && marked.length > 0 ? [{ text: marks.text, values: [JSON.stringify(marked)] }] : []
}

async function clearRows<E extends TypedMessage, Row extends object>(
  client: pg.PoolClient,
  fold: Fold<E, Row>,
  rows: Map<string | number, Row | null>,
  value: number,
): Promise<void> {
  const { column } = fold.deletesWhere!
  await client.query(`delete from ${quoted(fold.table)} where ${quoted(column)} = $1`, [value])
  for (const [key, row] of rows) if (row?.[column] === value) rows.set(key, null)
}
