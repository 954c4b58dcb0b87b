import { CompiledQuery, type Kysely, sql, type Transaction } from 'kysely'
import type { Named, Stamped } from '#domain/decider.ts'
import type { Database } from './database.ts'

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
  clears?: { [N in E['type']]?: (event: Recorded<Extract<E, { type: N }>>) => [keyof Row & string, number] }
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
    for (const fold of of.folds) await apply(tx, fold, fresh)
    if (position <= done) return
    const last = fresh.at(-1)
    const now = {
      version: of.version,
      position: String(position),
      ...(last && { eventId: last.eventId, eventAt: last.at }),
      appliedAt: sql<string>`clock_timestamp()`,
    }
    const moved = tx
      .insertInto('checkpoint')
      .values({ name: of.name, eventId: null, eventAt: null, ...now })
      .onConflict((row) => row.column('name').doUpdateSet(now))
    await sql`with moved as (${moved}) select pg_notify('projected', ${`${of.name} ${position}`})`.execute(tx)
  })
}

async function apply<E extends Named, Row extends object>(tx: Tx, fold: Fold<E, Row>, events: Recorded<E>[]): Promise<void> {
  const mine = events.filter(({ type }) => type in fold.on || (fold.clears && type in fold.clears))
  if (mine.length === 0) return
  const stored = await load(tx, fold, mine)
  const rows = new Map(stored)
  for (const event of mine) {
    const next = fold.on[event.type as E['type']]
    if (next) for (const key of fold.touches(event)) rows.set(key, next(rows.get(key) ?? null, event as never, key))
    const clear = fold.clears?.[event.type as E['type']]
    if (clear) await clearRows(tx, fold, rows, clear(event as never))
  }
  const changed = [...rows].filter(([key, row]) => row !== stored.get(key))
  await drop(
    tx,
    fold,
    changed.flatMap(([key, row]) => (row === null && stored.get(key) ? [key] : [])),
  )
  await upsert(
    tx,
    fold.table,
    [fold.key],
    changed.flatMap(([, row]) => (row === null ? [] : [row])),
  )
  if (fold.tally)
    await count(
      tx,
      fold.tally,
      changed.map(([key, row]) => [stored.get(key) ?? null, row]),
    )
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
  [column, value]: [keyof Row & string, number],
): Promise<void> {
  await sql`delete from ${sql.table(fold.table)} where ${sql.ref(column)} = ${value}`.execute(tx)
  for (const [key, row] of rows) if (row?.[column] === value) rows.set(key, null)
}

async function drop<E extends Named, Row extends object>(tx: Tx, fold: Fold<E, Row>, keys: (string | number)[]): Promise<void> {
  if (keys.length > 0) await sql`delete from ${sql.table(fold.table)} where ${sql.ref(fold.key)} in (${sql.join(keys)})`.execute(tx)
}

/** Any number of rows in one statement with one parameter: their JSON. */
async function upsert(tx: Tx, table: string, keys: string[], rows: object[], add = false): Promise<void> {
  if (rows.length === 0) return
  const columns = Object.keys(rows[0]!)
  const name = [table, add, ...columns].join()
  const text = written.get(name) ?? writing(snake(table), keys.map(snake), columns.map(snake), add)
  written.set(name, text)
  const names = columns.map((column) => [column, snake(column)] as const)
  const json = JSON.stringify(rows.map((row: any) => Object.fromEntries(names.map(([column, stored]) => [stored, row[column]]))))
  await tx.executeQuery(CompiledQuery.raw(text, [json]))
}

/** Few and always the same: put together once. */
const written = new Map<string, string>()
function writing(table: string, keys: string[], columns: string[], add: boolean): string {
  const at = `"${table}"`
  const quoted = (names: string[]) => names.map((name) => `"${name}"`).join()
  const set = columns
    .filter((name) => !keys.includes(name))
    .map((name) => `"${name}" = ${add ? `${at}."${name}" + ` : ''}excluded."${name}"`)
  return `insert into ${at} (${quoted(columns)}) select ${quoted(columns)} from jsonb_populate_recordset(null::${at}, $1::jsonb)
    on conflict (${quoted(keys)}) do update set ${set.join()}`
}

async function count<Row>(tx: Tx, { table, of }: NonNullable<Fold<any, any>['tally']>, changes: [Row | null, Row | null][]): Promise<void> {
  const sums = new Map<string, { key: Record<string, unknown>; adds: Record<string, number> }>()
  const book = (row: Row | null, sign: 1 | -1) => {
    if (row === null) return
    const { key, adds } = of(row)
    const name = JSON.stringify(key)
    const sum = sums.get(name) ?? { key, adds: {} }
    for (const [field, value] of Object.entries(adds)) sum.adds[field] = (sum.adds[field] ?? 0) + sign * value
    sums.set(name, sum)
  }
  for (const [before, after] of changes) {
    book(before, -1)
    book(after, 1)
  }
  const moved = [...sums.values()].filter(({ adds }) => Object.values(adds).some((value) => value !== 0))
  if (moved.length === 0) return
  const { key, adds } = moved[0]!
  await upsert(
    tx,
    table,
    Object.keys(key),
    moved.map((sum) => ({ ...sum.key, ...sum.adds })),
    true,
  )
  if (!moved.some((sum) => Object.values(sum.adds).some((value) => value < 0))) return
  const empty = sql.join(
    Object.keys(adds).map((field) => sql`${sql.ref(field)} = 0`),
    sql` and `,
  )
  await sql`delete from ${sql.table(table)} where ${empty}`.execute(tx) // a sum of nothing is no row, or a rebuild would differ
}

const snaked = new Map<string, string>()
function snake(name: string): string {
  const known = snaked.get(name) ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  snaked.set(name, known)
  return known
}
