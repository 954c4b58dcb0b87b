import type pg from 'pg'
import type { Named, Stamped } from '#domain/decider.ts'
import type { Database } from './database.ts'
import { snakeCase } from './names.ts'
import { goingOn, holding, type Parked, still, waiting } from './parked.ts'
import { together } from './postgres.ts'

/** A fact as projectors and reactors get it: unsealed, with its place in its ticket and in the log. */
export type Recorded<E> = Stamped<E> & { ticketId: number; revision: number; eventId: string; position: bigint; correlationId?: string }

/** An event that no fold of ours can take: a fault of the event or of the fold, never one that passes by itself. */
export class Unfoldable extends Error {
  override readonly name = 'Unfoldable'
}

/**
 * A table as a fold over its rows: event name → the row it touches, before and after. null: no row yet, or none any more.
 * Pure: it never sees a clock, the network or another table, so that a rebuild writes the same rows again; `marks` alone names rows by
 * a condition, and leaves them to Postgres.
 */
export type Fold<E extends Named, Row extends object> = {
  table: keyof Database & string
  key: keyof Row & string
  /** The live topic its rows are told under (`make_live` in its migration), so that a rebuilt table is live again. */
  topic?: string
  /** The keys of the rows that an event touches. */
  touches: (event: Recorded<E>) => (string | number)[]
  on: { [N in E['type']]?: (row: Row | null, event: Recorded<Extract<E, { type: N }>>, key: string | number) => Row | null }
  /** The keys of the rows that an event writes whole, whatever stood there, so that they need not be read first. */
  begins?: (event: Recorded<E>) => (string | number)[]
  /** Events that take away every row with this value in this column. */
  clears?: { column: keyof Row & string; on: { [N in E['type']]?: (event: Recorded<Extract<E, { type: N }>>) => number } }
  /** Events that mark rows which they do not name: by one statement a batch, behind what it writes; `$1` is what they tell it, as JSON. */
  marks?: { text: string; on: { [N in E['type']]?: (event: Recorded<Extract<E, { type: N }>>) => object | null } }
  /** Sums kept beside the rows: which one a row counts in, and what it adds there. */
  tally?: { table: keyof Database & string; of: (row: Row) => { key: Record<string, unknown>; adds: Record<string, number> } }
}

/** One checkpoint, several tables, one transaction. Raise the version when what a fold writes changes: its tables are built anew beside the old. */
export type Projector<E extends Named> = { name: string; version: number; folds: Fold<E, any>[] }

/**
 * Folds a batch into the tables and moves the checkpoint, all in one transaction: exactly once, however often it is delivered. Two trips to
 * Postgres, for those who wrote an event wait for it: what is needed is asked for at once, and what came of it is written at once.
 * Events of a ticket that is parked are passed over: they wait behind the one that could not be folded.
 */
export const project = <E extends Named>(pool: pg.Pool, of: Projector<E>, events: Recorded<E>[], position: bigint): Promise<void> =>
  inTransaction(pool, async (client) => {
    const likely = events.filter(({ ticketId }) => !waitedLast.get(of)?.has(ticketId))
    const first = attempted(() => reading(of.folds, likely))
    const asked = await asking(client, [{ text: 'begin' }, locking(of.name), waiting(of.name), ...(first?.values() ?? [])])
    const [, checkpoint, parked] = answered(asked.slice(0, 3))
    const done = BigInt(checkpoint!.rows[0]?.position ?? -1)
    const waits = new Set(parked!.rows.map(({ ticketId }) => ticketId as number))
    waitedLast.set(of, waits)
    const due = events.filter((event) => event.position > done)
    const fresh = due.filter(({ ticketId }) => !waits.has(ticketId))
    const asLikely = first !== null && fresh.length === likely.length && fresh.every((event, i) => event === likely[i])
    const some = asLikely ? first : reading(of.folds, fresh) // what was folded before begins nothing any more
    const read = asLikely ? answered(asked.slice(3)) : await atOnce(client, [...some.values()])
    const writes = await folding(client, of, fresh, some, read)
    const last = due.at(-1)
    const moved = [of.name, of.version, String(position), last?.eventId ?? null, last?.at ?? null, `${of.name} ${position}`]
    await atOnce(client, [
      ...(position > done ? [...holding(of.name, due, waits), ...written(of, writes, moved, fresh)] : []),
      { text: 'commit' },
    ])
  })

/** Which tickets waited when it was last asked: what they are told is not even looked up. A guess, which the answer proves. */
const waitedLast = new WeakMap<Projector<any>, Set<number>>()

function attempted<T>(act: () => T): T | null {
  try {
    return act()
  } catch {
    return null // it may be an event that waits; if not, it is met again
  }
}

/**
 * Folds what a parked ticket has waited with; the checkpoint stays where it is. `next`: the revision that it waits at from now on; null: it
 * waits no longer. Does nothing when more was passed over meanwhile, or it does not wait any more.
 */
export const projectLate = <E extends Named>(
  pool: pg.Pool,
  of: Projector<E>,
  events: Recorded<E>[],
  waited: Parked,
  next: number | null,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const asked = reading(of.folds, events)
    const [, checkpoint, parked, ...read] = await atOnce(client, [{ text: 'begin' }, locking(of.name), still(waited), ...asked.values()])
    const at = checkpoint!.rows[0]?.position as string | undefined
    if (at === undefined || parked!.rows.length === 0) return void (await atOnce(client, [{ text: 'commit' }]))
    const writes = await folding(client, of, events, asked, read)
    const moved = [of.name, of.version, at, null, null, `${of.name} ${at}`]
    await atOnce(client, [...written(of, writes, moved, events), goingOn(waited, next), { text: 'commit' }])
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

async function folding<E extends Named>(
  client: pg.PoolClient,
  of: Projector<E>,
  events: Recorded<E>[],
  asked: Map<Fold<E, any>, Statement>,
  read: pg.QueryResult[],
): Promise<Write[]> {
  const standing = new Map([...asked.keys()].map((fold, i) => [fold, read[i]!.rows]))
  const writes: Write[] = []
  for (const fold of of.folds) writes.push(...(await apply(client, fold, events, standing.get(fold) ?? [])))
  return writes
}

const written = <E extends Named>(of: Projector<E>, writes: Write[], moved: unknown[], events: Recorded<E>[]): Statement[] => [
  writing(writes, moved),
  ...clearing(writes),
  ...of.folds.flatMap((fold) => marking(fold, events)),
]

type Statement = { text: string; values?: unknown[] }
/** Sends statements one behind another without waiting in between: in a transaction, what stands behind a fault fails too. */
const atOnce = async (client: pg.PoolClient, statements: Statement[]) => answered(await asking(client, statements))
const asking = (client: pg.PoolClient, statements: Statement[]) =>
  Promise.allSettled(together(client, () => statements.map(({ text, values }) => client.query(text, values))))
const answered = (answers: PromiseSettledResult<pg.QueryResult>[]) =>
  answers.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })

const locking = (name: string): Statement => ({
  // What a crash takes, the log gives again: its commit waits for no disk.
  text: `select position, set_config('synchronous_commit', 'off', true) from checkpoint where name = $1 for update`,
  values: [name],
})

/** Asks each table for its rows that these events touch, but for those that they begin; a table without any is not asked. */
function reading<E extends Named>(folds: Fold<E, any>[], events: Recorded<E>[]): Map<Fold<E, any>, Statement> {
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

const concerning = <E extends Named>(fold: Fold<E, any>, events: Recorded<E>[]) =>
  events.filter(({ type }) => type in fold.on || (fold.clears && type in fold.clears.on))

/** Folds the events of a batch over the rows that stand; rows that go, go here, and what is to be written is answered. */
async function apply<E extends Named, Row extends object>(
  client: pg.PoolClient,
  fold: Fold<E, Row>,
  events: Recorded<E>[],
  standing: Row[],
): Promise<Write[]> {
  const stored = new Map<string | number, Row | null>(standing.map((row) => [row[fold.key] as string | number, row]))
  const rows = new Map(stored)
  for (const event of concerning(fold, events)) {
    const next = fold.on[event.type as E['type']]
    try {
      if (next) for (const key of fold.touches(event)) rows.set(key, next(rows.get(key) ?? null, event as never, key))
    } catch (error) {
      const { type, eventId, ticketId, revision } = event
      throw new Unfoldable(`ticket ${ticketId} does not fold into ${fold.table} at revision ${revision}: ${type} ${eventId}`, {
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
      )
    : []
  return [...(own.rows.length > 0 ? [own] : []), ...booked]
}

function marking<E extends Named>({ marks }: Fold<E, any>, events: Recorded<E>[]): Statement[] {
  const told = marks ? events.flatMap((event) => marks.on[event.type as E['type']]?.(event as never) ?? []) : []
  return marks && told.length > 0 ? [{ text: marks.text, values: [JSON.stringify(told)] }] : []
}

async function clearRows<E extends Named, Row extends object>(
  client: pg.PoolClient,
  fold: Fold<E, Row>,
  rows: Map<string | number, Row | null>,
  value: number,
): Promise<void> {
  const { column } = fold.clears!
  await client.query(`delete from ${quoted(fold.table)} where ${quoted(column)} = $1`, [value])
  for (const [key, row] of rows) if (row?.[column] === value) rows.set(key, null)
}

/** Rows that replace those with the same keys; where it `adds`, these columns are added to what stands there, and a row of nothing but zeros goes. */
type Write = { table: string; keys: string[]; rows: object[]; adds?: string[] }

/** Everything that a batch writes, as one statement with the checkpoint: each table's rows are one parameter, their JSON. */
function writing(writes: Write[], moved: unknown[]): Statement {
  const name = writes.map(({ table, rows, adds }) => [table, !adds, ...Object.keys(rows[0]!)].join()).join(';')
  const text = upserts.get(name) ?? upsertingAll(writes)
  upserts.set(name, text)
  return { text, values: [...moved, ...writes.map(({ rows }) => json(rows))] }
}

/** A sum of nothing is no row, or a rebuild would differ: those that something was taken from are looked at again. */
const clearing = (writes: Write[]): Statement[] =>
  writes.flatMap(({ table, keys, rows, adds }) => {
    const less = adds ? rows.filter((row) => adds.some((column) => (row as Record<string, number>)[column]! < 0)) : []
    if (less.length === 0) return []
    const same = keys.map((key) => `own.${quoted(key)} = less.${quoted(key)}`).join(' and ')
    const nothing = adds!.map((column) => `own.${quoted(column)} = 0`).join(' and ')
    const text = `delete from ${quoted(table)} own using jsonb_populate_recordset(null::${quoted(table)}, $1::jsonb) less where ${same} and ${nothing}`
    return [{ text, values: [json(less)] }]
  })

/** Half a surrogate pair or a NUL, which Postgres does not take: shown as what stands for a letter that cannot be shown. */
const untold = /\\ud[89a-f]|\\u0000/i
const toldAs = (_: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value)
function json(rows: object[]): string {
  const stored = rows.map((row) => Object.fromEntries(Object.entries(row).map(([column, value]) => [snakeCase(column), value])))
  const text = JSON.stringify(stored)
  return untold.test(text) ? JSON.stringify(stored, toldAs) : text
}
const quoted = (name: string) => `"${snakeCase(name)}"`

/** Few and always the same: put together once. */
const upserts = new Map<string, string>()
function upsertingAll(writes: Write[]): string {
  const parts = writes.map((one, i) => `w${i} as (${upserting(one, i + 7)})`)
  return `with ${parts.map((part) => `${part},`).join(' ')} moved as (
      insert into checkpoint (name, version, position, event_id, event_at, applied_at)
      values ($1, $2, $3, $4::uuid, $5::timestamptz, clock_timestamp())
      on conflict (name) do update set version = excluded.version, position = excluded.position, applied_at = excluded.applied_at,
        event_id = coalesce(excluded.event_id, checkpoint.event_id), event_at = coalesce(excluded.event_at, checkpoint.event_at))
    select pg_notify('projected', $6)`
}

function upserting({ table, keys, rows, adds = [] }: Write, parameter: number): string {
  const at = quoted(table)
  const columns = Object.keys(rows[0]!)
  const list = columns.map(quoted).join()
  const set = columns
    .filter((name) => !keys.includes(name))
    .map((name) => `${quoted(name)} = ${adds.includes(name) ? `${at}.${quoted(name)} + ` : ''}excluded.${quoted(name)}`)
  return `insert into ${at} (${list}) select ${list} from jsonb_populate_recordset(null::${at}, $${parameter}::jsonb)
    on conflict (${keys.map(quoted).join()}) do update set ${set.join()}`
}

/** What the rows' changes add to the sums beside them. */
function sums<Row>({ table, of }: NonNullable<Fold<any, any>['tally']>, changes: [Row | null, Row | null][]): Write[] {
  const booked = new Map<string, { key: Record<string, unknown>; adds: Record<string, number> }>()
  const book = (row: Row | null, sign: 1 | -1) => {
    if (row === null) return
    const { key, adds } = of(row)
    const name = JSON.stringify(key)
    const sum = booked.get(name) ?? { key, adds: {} }
    for (const [field, value] of Object.entries(adds)) sum.adds[field] = (sum.adds[field] ?? 0) + sign * value
    booked.set(name, sum)
  }
  for (const [before, after] of changes) {
    book(before, -1)
    book(after, 1)
  }
  const moved = [...booked.values()].filter(({ adds }) => Object.values(adds).some((value) => value !== 0))
  if (moved.length === 0) return []
  const { key, adds } = moved[0]!
  return [{ table, keys: Object.keys(key), adds: Object.keys(adds), rows: moved.map((sum) => ({ ...sum.key, ...sum.adds })) }]
}
