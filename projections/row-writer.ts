import { making, snakeCase } from './names.ts'

export type Statement = { text: string; values?: unknown[] }
export const quoted = (name: string) => `"${snakeCase(name)}"`

/** Rows that replace those with the same keys; where it `adds`, these columns are added to what stands there, and a row of nothing but zeros goes. */
export type Write = { table: string; keys: string[]; rows: object[]; adds?: string[] }

/** Everything that a batch writes, as one statement with the checkpoint: each table's rows are one parameter, their JSON. */
export function writing(writes: Write[], moved: unknown[]): Statement {
  const name = writes.map(({ table, rows, adds }) => [table, !adds, ...Object.keys(rows[0]!)].join()).join(';')
  const text = upserts.get(name) ?? upsertingAll(writes)
  upserts.set(name, text)
  return { text, values: [...moved, ...writes.map(({ rows }) => json(rows))] }
}

/** A sum of nothing is no row, or a rebuild would differ: those that something was taken from are looked at again. */
export const clearing = (writes: Write[]): Statement[] =>
  writes.flatMap(({ table, keys, rows, adds }) => {
    const less = adds ? rows.filter((row) => adds.some((column) => (row as Record<string, number>)[column]! < 0)) : []
    if (less.length === 0) return []
    const same = keys.map((key) => `own.${quoted(key)} = less.${quoted(key)}`).join(' and ')
    const nothing = adds!.map((column) => `own.${quoted(column)} = 0`).join(' and ')
    const text = `delete from ${quoted(table)} own using json_populate_recordset(null::${quoted(table)}, $1::json) less where ${same} and ${nothing}`
    return [{ text, values: [json(less)] }]
  })

/** Half a surrogate pair or a NUL, which Postgres does not take: shown as what stands for a letter that cannot be shown. */
const untold = /\\ud[89a-f]|\\u0000/i
const toldAs = (_: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value)
/** As jsonb takes it. */
export function storable(value: object): string {
  const text = JSON.stringify(value)
  return text.includes('\\u') && untold.test(text) ? JSON.stringify(value, toldAs) : text // most have neither, and are looked through at once
}
/** Rows of one table, all of the same columns. */
const json = (rows: object[]): string => storable(rows.map(forPostgres(Object.keys(rows[0]!))))
const forPostgres = making(snakeCase, (column) => column)
/** Few and always the same: put together once. */
const upserts = new Map<string, string>()
function upsertingAll(writes: Write[]): string {
  const parts = writes.map((one, i) => `w${i} as (${upserting(one, i + 9)})`)
  return `with ${parts.map((part) => `${part},`).join(' ')} moved as (
      insert into checkpoint (name, version, position, event_id, event_at, event_stream, event_revision, event_there, applied_at)
      values ($1, $2, $3, $4::uuid, $5::timestamptz, $6, $7::int, $4::uuid, clock_timestamp())
      on conflict (name) do update set version = excluded.version, position = excluded.position, applied_at = excluded.applied_at,
        event_id = coalesce(excluded.event_id, checkpoint.event_id), event_at = coalesce(excluded.event_at, checkpoint.event_at),
        event_stream = coalesce(excluded.event_stream, checkpoint.event_stream),
        event_revision = coalesce(excluded.event_revision, checkpoint.event_revision),
        event_there = coalesce(excluded.event_there, checkpoint.event_there))
    select pg_notify('projected', $8)`
}

function upserting({ table, keys, rows, adds = [] }: Write, parameter: number): string {
  const at = quoted(table)
  const columns = Object.keys(rows[0]!)
  const list = columns.map(quoted).join()
  const set = columns
    .filter((name) => !keys.includes(name))
    .map((name) => `${quoted(name)} = ${adds.includes(name) ? `${at}.${quoted(name)} + ` : ''}excluded.${quoted(name)}`)
  return `insert into ${at} (${list}) select ${list} from json_populate_recordset(null::${at}, $${parameter}::json)
    on conflict (${keys.map(quoted).join()}) do update set ${set.join()}`
}

/** Which sum is added to, and what; it names each column of the sum. */
export type CounterDelta = { key: Record<string, unknown>; adds: Record<string, number> }
/** Sums kept beside the rows: which one a row counts in, and what it adds there. */
export type RowCounter<Row> = { table: string; of: (row: Row) => CounterDelta }

/** What the rows' changes add to the sums beside them, and what was told without a row. */
export function sums<Row>({ table, of }: RowCounter<Row>, changes: [Row | null, Row | null][], byEvent: CounterDelta[] = []): Write[] {
  const booked = new Map<string, CounterDelta>()
  const book = ({ key, adds }: CounterDelta, sign: 1 | -1) => {
    const name = JSON.stringify(key)
    const sum = booked.get(name) ?? { key, adds: {} }
    for (const [field, value] of Object.entries(adds)) sum.adds[field] = (sum.adds[field] ?? 0) + sign * value
    booked.set(name, sum)
  }
  for (const [before, after] of changes) {
    if (before) book(of(before), -1)
    if (after) book(of(after), 1)
  }
  for (const one of byEvent) book(one, 1)
  const moved = [...booked.values()].filter(({ adds }) => Object.values(adds).some((value) => value !== 0))
  if (moved.length === 0) return []
  const { key, adds } = moved[0]!
  return [{ table, keys: Object.keys(key), adds: Object.keys(adds), rows: moved.map((sum) => ({ ...sum.key, ...sum.adds })) }]
}
