import { Kysely, PostgresDialect, type PostgresPool, PostgresQueryCompiler } from 'kysely'
import pg from 'pg'
import { minuteMs } from '#domain/duration/rules.ts'
import type { Database } from './database.ts'
import { camelCase, createRecordBuilder, memoize, snakeCase } from './names.ts'

/** Converts "2026-01-05 12:00:00.12+00" to the contract's format: ISO 8601, UTC, milliseconds. */
function iso(text: string): string {
  const [, day, time, fraction = '', zone] = /^(\S+) (\d\d:\d\d:\d\d)(?:\.(\d+))?(.+)$/.exec(text) ?? []
  return zone === '+00' ? `${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}Z` : new Date(text).toISOString()
}
const parsers: Record<number, (text: string) => unknown> = {
  20: Number, // int8: counts and identities, far below 2^53; positions are numeric and stay text
  1082: (text) => text, // a date is a day without a time
  1184: iso,
}

/** A `like` pattern for a text inside another. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Maximum prepared statements per connection. */
const mostNamed = 200
const namedAfter = 3

/**
 * Names repeated statements, so that each connection parses and plans them once. Planning a list's five joins
 * costs more than running them. Excluded are text searches, whose plan depends on the text, and multi-row
 * inserts, which differ by the number of rows.
 */
function naming() {
  const seen = new Map<string, number>()
  const names = new Map<string, string>()
  return (text: string): string | undefined => {
    const known = names.get(text)
    if (known !== undefined || names.size >= mostNamed) return known
    if (!text.includes('$1') || / like |\), \(\$/i.test(text)) return undefined
    const times = (seen.get(text) ?? 0) + 1
    if (seen.size > 5000) seen.clear()
    seen.set(text, times)
    if (times < namedAfter) return undefined
    seen.delete(text)
    const name = `guiche_${names.size}`
    names.set(text, name)
    return name
  }
}

/** Translates names to snake_case in statements and back to camelCase in rows. */
class Names extends PostgresQueryCompiler {
  readonly #written = memoize((name) => super.sanitizeIdentifier(snakeCase(name)))
  protected override sanitizeIdentifier(name: string): string {
    return this.#written(name)
  }
}
class Dialect extends PostgresDialect {
  override createQueryCompiler(): Names {
    return new Names()
  }
}
const nameOf = naming()
/** Runs a statement as a named prepared statement if it repeats; rows come as arrays. */
export function ask(client: pg.PoolClient, text: string, values: unknown[]): Promise<pg.QueryArrayResult> {
  const name = nameOf(text)
  return client.query({ text, values, rowMode: 'array', ...(name !== undefined && { name }) })
}

const ofCells = createRecordBuilder(camelCase, (_, at) => at)
/** Converts rows to camelCase records. */
export function toRecords<Row = Record<string, any>>({ fields, rows }: pg.QueryArrayResult): Row[] {
  return rows.length === 0 ? [] : (rows.map(ofCells(fields.map(({ name }) => name))) as Row[])
}

/** The pool in the shape that Kysely expects. */
function asKysely(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      const query = async (text: string, parameters: readonly unknown[]) => {
        const result = await ask(client, text, [...parameters])
        return { command: result.command, rowCount: result.rowCount ?? 0, rows: toRecords(result) }
      }
      return { query: query as never, release: (destroy) => client.release(destroy) }
    },
  }
}

/** Serialises arrays and objects for JSON columns. */
export const toCells = <Row extends object>(row: Row): { [N in keyof Row]: Cell<Row[N]> } =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'object' && value ? JSON.stringify(value) : value]),
  ) as { [N in keyof Row]: Cell<Row[N]> }
type Cell<Value> = Value extends object ? string : Value

const session = ['TimeZone=UTC', 'statement_timeout=15000', 'lock_timeout=10000'].map((setting) => `-c ${setting}`).join(' ')

export type Store = { db: Kysely<Database>; pool: pg.Pool }

/** An unused connection is closed after this time. Opening one costs Postgres far more than keeping it. */
const idleMs = minuteMs

/**
 * Opens a connection pool. A broken connection is replaced by the next query. Its error event must not end
 * the process.
 */
export function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ keepAlive: true, idleTimeoutMillis: idleMs, ...config })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/**
 * Opens Postgres with camelCase names and ISO timestamps. `max`: connections of this process; `schemas`: the
 * search path.
 */
export function openStore(connectionString: string, max = 16, schemas = 'public'): Store {
  const pool = openPool({
    connectionString,
    max,
    application_name: 'guiche',
    options: `${session} -c search_path=${schemas}`,
    connectionTimeoutMillis: 10_000,
    pipeline: true, // a projector sends several statements at once
    types: { getTypeParser: (oid: number, format: any) => parsers[oid] ?? pg.types.getTypeParser(oid, format) } as pg.CustomTypesConfig,
  })
  const db = new Kysely<Database>({
    dialect: new Dialect({ pool: asKysely(pool) }),
  })
  return { db, pool }
}
