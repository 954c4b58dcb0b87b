import { CompiledQuery, type Kysely, sql, type Transaction } from 'kysely'
import type { Named, Stamped } from '#domain/decider.ts'
import type { Database } from './database.ts'
import { snakeCase } from './names.ts'

/** A fact as projectors and reactors get it: unsealed, with its place in its ticket and in the log. */
export type Recorded<E> = Stamped<E> & { ticketId: number; revision: number; eventId: string; position: bigint }

/**
 * A table as a fold over its rows: event name → the row it touches, before and after. null: no row yet, or none any more.
 * Pure: it never sees a clock, the network or another table, so that a rebuild writes the same rows again.
 */
export type Fold<E extends Named, Row extends object> = {
  table: keyof Database & string
  key: keyof Row & string
  /** The live topic its rows are told under (`make_live` in its migration), so that a rebuilt table is live again. */
  topic?: string
  /** The keys of the rows that an event touches. */
  touches: (event: Recorded<E>) => (string | number)[]
  on: { [N in E['type']]?: (row: Row | null, event: Recorded<Extract<E, { type: N }>>, key: string | number) => Row | null }
  /** Events that write a whole row whatever stood there, so that none has to be read first. */
  begins?: E['type'][]
  /** Events that take away every row with this value in this column. */
  clears?: { column: keyof Row & string; on: { [N in E['type']]?: (event: Recorded<Extract<E, { type: N }>>) => number } }
  /** Sums kept beside the rows: which one a row counts in, and what it adds there. */
  tally?: { table: keyof Database & string; of: (row: Row) => { key: Record<string, unknown>; adds: Record<string, number> } }
}

/** One checkpoint, several tables, one transaction. Raise the version when what a fold writes changes: its tables are built anew beside the old. */
export type Projector<E extends Named> = { name: string; version: number; folds: Fold<E, any>[] }

type Tx = Transaction<Database>

/** Folds a batch into the tables and moves the checkpoint, all in one transaction: exactly once, however often it is delivered. */
export async function project<E extends Named>(
  db: Kysely<Database>,
  of: Projector<E>,
  events: Recorded<E>[],
  position: bigint,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const checkpoint = await tx
      .selectFrom('checkpoint')
      .select(['position', sql`set_config('synchronous_commit', 'off', true)`.as('unawaited')]) // what a crash takes, the log gives again
      .where('name', '=', of.name)
      .forUpdate()
      .executeTakeFirst()
    const done = checkpoint ? BigInt(checkpoint.position) : -1n
    const fresh = events.filter((event) => event.position > done)
    const writes: Write[] = []
    for (const fold of of.folds) writes.push(...(await apply(tx, fold, fresh)))
    if (position <= done) return
    const last = fresh.at(-1)
    const moved = [of.name, of.version, String(position), last?.eventId ?? null, last?.at ?? null, `${of.name} ${position}`]
    await write(tx, writes, moved)
  })
}

/** Folds the events of a batch and answers what is to be written. */
async function apply<E extends Named, Row extends object>(tx: Tx, fold: Fold<E, Row>, events: Recorded<E>[]): Promise<Write[]> {
  const mine = events.filter(({ type }) => type in fold.on || (fold.clears && type in fold.clears.on))
  if (mine.length === 0) return []
  const stored = await load(tx, fold, mine)
  const rows = new Map(stored)
  for (const event of mine) {
    const next = fold.on[event.type as E['type']]
    if (next) for (const key of fold.touches(event)) rows.set(key, next(rows.get(key) ?? null, event as never, key))
    const clear = fold.clears?.on[event.type as E['type']]
    if (clear) await clearRows(tx, fold, rows, clear(event as never))
  }
  const changed = [...rows].filter(([key, row]) => row !== stored.get(key))
  await drop(
    tx,
    fold,
    changed.flatMap(([key, row]) => (row === null && stored.get(key) ? [key] : [])),
  )
  const own: Write = { table: fold.table, keys: [fold.key], rows: changed.flatMap(([, row]) => (row === null ? [] : [row])) }
  const booked = fold.tally
    ? sums(
        fold.tally,
        changed.map(([key, row]) => [stored.get(key) ?? null, row]),
      )
    : []
  return [...(own.rows.length > 0 ? [own] : []), ...booked]
}

async function load<E extends Named, Row extends object>(
  tx: Tx,
  fold: Fold<E, Row>,
  events: Recorded<E>[],
): Promise<Map<string | number, Row | null>> {
  const begun = new Set<string | number>()
  const keys = new Set<string | number>()
  for (const event of events)
    for (const key of fold.touches(event))
      if (fold.begins?.includes(event.type)) begun.add(key)
      else if (!begun.has(key)) keys.add(key)
  if (keys.size === 0) return new Map()
  const { rows } = await sql<Row>`select * from ${sql.table(fold.table)} where ${sql.ref(fold.key)} = any(${[...keys]})`.execute(tx)
  return new Map(rows.map((row) => [row[fold.key] as string | number, row]))
}

async function clearRows<E extends Named, Row extends object>(
  tx: Tx,
  fold: Fold<E, Row>,
  rows: Map<string | number, Row | null>,
  value: number,
): Promise<void> {
  const { column } = fold.clears!
  await sql`delete from ${sql.table(fold.table)} where ${sql.ref(column)} = ${value}`.execute(tx)
  for (const [key, row] of rows) if (row?.[column] === value) rows.set(key, null)
}

async function drop<E extends Named, Row extends object>(tx: Tx, fold: Fold<E, Row>, keys: (string | number)[]): Promise<void> {
  if (keys.length > 0) await sql`delete from ${sql.table(fold.table)} where ${sql.ref(fold.key)} in (${sql.join(keys)})`.execute(tx)
}

/** Rows that replace those with the same keys; where it `adds`, these columns are added to what stands there, and a row of nothing but zeros goes. */
type Write = { table: string; keys: string[]; rows: object[]; adds?: string[] }

/** Everything that a batch writes in one statement, with the checkpoint: each table's rows are one parameter, their JSON. */
async function write(tx: Tx, writes: Write[], moved: unknown[]): Promise<void> {
  const name = writes.map(({ table, rows, adds }) => [table, !adds, ...Object.keys(rows[0]!)].join()).join(';')
  const text = written.get(name) ?? writing(writes)
  written.set(name, text)
  const { rows } = await tx.executeQuery<{ spent: boolean }>(CompiledQuery.raw(text, [...moved, ...writes.map(({ rows }) => json(rows))]))
  if (!rows[0]!.spent) return
  for (const { table, adds } of writes) // a sum of nothing is no row, or a rebuild would differ
    if (adds) await tx.executeQuery(CompiledQuery.raw(`delete from "${snakeCase(table)}" where ${zeros(adds)}`))
}

/** Half a surrogate pair or a NUL, which Postgres does not take: shown as what stands for a letter that cannot be shown. */
const untold = /\\ud[89a-f]|\\u0000/i
const toldAs = (_: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value)
function json(rows: object[]): string {
  const stored = rows.map((row) => Object.fromEntries(Object.entries(row).map(([column, value]) => [snakeCase(column), value])))
  const text = JSON.stringify(stored)
  return untold.test(text) ? JSON.stringify(stored, toldAs) : text
}
const zeros = (columns: string[]): string => columns.map((column) => `"${snakeCase(column)}" = 0`).join(' and ')

/** Few and always the same: put together once. */
const written = new Map<string, string>()
function writing(writes: Write[]): string {
  const parts = writes.map((one, i) => `w${i} as (${upserting(one, i + 7)})`)
  const spent = writes.flatMap(({ adds }, i) => (adds ? [`exists (select from w${i} where ${zeros(adds)})`] : []))
  return `with ${parts.map((part) => `${part},`).join(' ')} moved as (
      insert into checkpoint (name, version, position, event_id, event_at, applied_at)
      values ($1, $2, $3, $4::uuid, $5::timestamptz, clock_timestamp())
      on conflict (name) do update set version = excluded.version, position = excluded.position, applied_at = excluded.applied_at,
        event_id = coalesce(excluded.event_id, checkpoint.event_id), event_at = coalesce(excluded.event_at, checkpoint.event_at))
    select pg_notify('projected', $6), ${spent.join(' or ') || 'false'} as spent`
}

function upserting({ table, keys, rows, adds = [] }: Write, parameter: number): string {
  const at = `"${snakeCase(table)}"`
  const quoted = (names: string[]) => names.map((name) => `"${snakeCase(name)}"`).join()
  const columns = Object.keys(rows[0]!)
  const set = columns
    .filter((name) => !keys.includes(name))
    .map((name) => `"${snakeCase(name)}" = ${adds.includes(name) ? `${at}."${snakeCase(name)}" + ` : ''}excluded."${snakeCase(name)}"`)
  return `insert into ${at} (${quoted(columns)}) select ${quoted(columns)} from jsonb_populate_recordset(null::${at}, $${parameter}::jsonb)
    on conflict (${quoted(keys)}) do update set ${set.join()}${adds.length > 0 ? ` returning ${quoted(adds)}` : ''}`
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
