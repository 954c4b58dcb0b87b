import { createRecordBuilder, snakeCase } from './names.ts'

export type Statement = { text: string; values?: unknown[] }
export const quoted = (name: string) => `"${snakeCase(name)}"`

/**
 * Rows that replace those with the same keys. The columns in `adds` are added to the stored values instead,
 * and a row of zeros is deleted.
 */
export type Write = { table: string; keys: string[]; rows: object[]; adds?: string[] }

/**
 * Builds one statement for all writes of a batch and the checkpoint. The rows of each table are one JSON
 * parameter.
 */
export function batchWrite(writes: Write[], moved: unknown[]): Statement {
  const name = writes.map(({ table, rows, adds }) => [table, !adds, ...Object.keys(rows[0]!)].join()).join(';')
  const text = upserts.get(name) ?? upsertingAll(writes)
  upserts.set(name, text)
  return { text, values: [...moved, ...writes.map(({ rows }) => json(rows))] }
}

/**
 * Deletes counters that reached zero, because a rebuild would not create them. Only decreased counters are
 * checked.
 */
export const zeroRowDeletes = (writes: Write[]): Statement[] =>
  writes.flatMap(({ table, keys, rows, adds }) => {
    const less = adds ? rows.filter((row) => adds.some((column) => (row as Record<string, number>)[column]! < 0)) : []
    if (less.length === 0) return []
    const same = keys.map((key) => `own.${quoted(key)} = less.${quoted(key)}`).join(' and ')
    const nothing = adds!.map((column) => `own.${quoted(column)} = 0`).join(' and ')
    const text = `delete from ${quoted(table)} own using json_populate_recordset(null::${quoted(table)}, $1::json) less where ${same} and ${nothing}`
    return [{ text, values: [json(less)] }]
  })

/** Deletes the rows with these keys. */
export function deleteRows(table: string, keys: string[], rows: object[]): { text: string; values: unknown[] } {
  const same = keys.map((key) => `own.${quoted(key)} = gone.${quoted(key)}`).join(' and ')
  const text = `delete from ${quoted(table)} own using json_populate_recordset(null::${quoted(table)}, $1::json) gone where ${same}`
  return { text, values: [json(rows)] }
}

/** Lone surrogates and NUL, which Postgres rejects; they are replaced by the replacement character. */
const rejectedByPostgres = /\\ud[89a-f]|\\u0000/i
const replaceRejected = (_: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value)
/** JSON text that jsonb accepts. */
export function storable(value: object): string {
  const text = JSON.stringify(value)
  // most texts have neither, so one check of the whole text suffices
  return text.includes('\\u') && rejectedByPostgres.test(text) ? JSON.stringify(value, replaceRejected) : text
}
/** Rows of one table, all of the same columns. */
const json = (rows: object[]): string => storable(rows.map(forPostgres(Object.keys(rows[0]!))))
const forPostgres = createRecordBuilder(snakeCase, (column) => column)
/** Cached statements: there are few, and they repeat. */
const upserts = new Map<string, string>()
function upsertingAll(writes: Write[]): string {
  const parts = writes.map((one, i) => `w${i} as (${upserting(one, i + 9)})`)
  return `with ${parts.map((part) => `${part},`).join(' ')} moved as (
      insert into checkpoint (name, version, position, event_id, event_at, event_stream, event_revision, applied_at)
      values ($1, $2, $3, $4::uuid, $5::timestamptz, $6, $7::int, clock_timestamp())
      on conflict (name) do update set version = excluded.version, position = excluded.position, applied_at = excluded.applied_at,
        event_id = coalesce(excluded.event_id, checkpoint.event_id), event_at = coalesce(excluded.event_at, checkpoint.event_at),
        event_stream = coalesce(excluded.event_stream, checkpoint.event_stream),
        event_revision = coalesce(excluded.event_revision, checkpoint.event_revision))
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

/** A change of one counter row; it names each counter column. */
export type CounterDelta = { key: Record<string, unknown>; adds: Record<string, number> }
/** Counters of rows: which counter row a row belongs to, and what it adds. */
export type RowCounter<Row> = { table: string; of: (row: Row) => CounterDelta }

/** Returns the counter changes of the changed rows and of events without a row. */
export function sums<Row>({ table, of }: RowCounter<Row>, changes: [Row | null, Row | null][], byEvent: CounterDelta[] = []): Write[] {
  const deltas = new Map<string, CounterDelta>()
  const addDelta = ({ key, adds }: CounterDelta, sign: 1 | -1) => {
    const name = JSON.stringify(key)
    const sum = deltas.get(name) ?? { key, adds: {} }
    for (const [field, value] of Object.entries(adds)) sum.adds[field] = (sum.adds[field] ?? 0) + sign * value
    deltas.set(name, sum)
  }
  for (const [before, after] of changes) {
    if (before) addDelta(of(before), -1)
    if (after) addDelta(of(after), 1)
  }
  for (const one of byEvent) addDelta(one, 1)
  const moved = [...deltas.values()].filter(({ adds }) => Object.values(adds).some((value) => value !== 0))
  if (moved.length === 0) return []
  const { key, adds } = moved[0]!
  return [{ table, keys: Object.keys(key), adds: Object.keys(adds), rows: moved.map((sum) => ({ ...sum.key, ...sum.adds })) }]
}
