import pg from 'pg'
import { from, to } from 'pg-copy-streams'
import { snakeCase } from '#projections/names.ts'
import { foldsOf, tablesOfFold } from '#projections/projector.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import { projectors } from '../modules.ts'
import { presence } from '../postgres/notification-bus.ts'

/** Tables that are not saved, because a restored installation creates their rows again: read models, sessions, leases, snapshots. */
const excluded = new Set([
  ...projectors.flatMap(foldsOf).flatMap(tablesOfFold).map(snakeCase),
  ...[
    'read_model',
    'session',
    'login_failure',
    'user_presence',
    'worker',
    'connection_lease',
    'ticket_chain',
    'snapshot',
    'snapshot_past',
    'snapshot_key',
    'scheduled_task',
    'kysely_migration',
    'kysely_migration_lock',
  ],
])
/** Tables with processing progress. They are saved before an external event store, so that they are never ahead of it (A-OPS-02). */
export const progress = ['checkpoint', 'parked_stream', 'inbound_event', 'outbox', 'deadline', 'anchor', 'ticket_anchor']

export const quoted = (name: string): string => pg.escapeIdentifier(name)

/** A separate connection without the timeouts of ordinary queries. */
export async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, application_name: 'guiche backup', keepAlive: true })
  client.on('error', () => undefined)
  await client.connect()
  await client.query(`select set_config(name, setting, false) from (values ('statement_timeout', '0'), ('lock_timeout', '0'), ('TimeZone', 'UTC'),
    ('DateStyle', 'ISO'), ('bytea_output', 'hex'), ('client_encoding', 'UTF8'), ('search_path', 'public')) as s(name, setting)`)
  return client
}

/** The tables to save with their columns, each after the tables it references. */
export async function tablesIn(client: pg.Client): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; refers: string[] }>(`
    select c.relname as name,
      (select array_agg(attname::text order by attnum) from pg_attribute a
        where a.attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      coalesce((select array_agg(distinct f.relname::text) from pg_constraint k join pg_class f on f.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid), '{}') as refers
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`)
  const waiting = rows.filter(({ name }) => !excluded.has(name))
  const placed: typeof waiting = []
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ refers }) => !waiting.some(({ name }) => refers.includes(name)))
    if (next < 0) throw new Error(`Tables reference each other in a cycle: ${waiting.map(({ name }) => name).join(', ')}`)
    placed.push(...waiting.splice(next, 1))
  }
  return placed.map(({ name, columns }) => ({ name, columns }))
}

const listed = ({ name, columns }: { name: string; columns: string[] }) => `${quoted(name)} (${columns.map(quoted).join()})`

export const copyOut = (client: pg.Client, table: { name: string; columns: string[] }): AsyncIterable<Buffer> =>
  client.query(to(`copy ${listed(table)} to stdout`))

/** Restores the rows of a table with its triggers disabled, because their effects are already part of the backup. */
export async function copyIn(client: pg.Client, table: { name: string; columns: string[] }) {
  await client.query(`alter table ${quoted(table.name)} disable trigger user`)
  await client.query(`delete from ${quoted(table.name)}`) // rows that a migration inserted
  const sink = client.query(from(`copy ${listed(table)} from stdin`))
  const over = Promise.withResolvers<void>()
  void ignoreErrors(over.promise, 'thrown where the end is awaited')
  sink.once('error', over.reject)
  sink.once('finish', over.resolve)
  return {
    name: table.name,
    async write(chunk: Buffer): Promise<void> {
      if (!sink.write(chunk)) await Promise.race([new Promise<void>((go) => sink.once('drain', go)), over.promise])
    },
    async end(): Promise<void> {
      sink.end()
      await over.promise
      await client.query(`alter table ${quoted(table.name)} enable trigger user`)
    },
  }
}

export type Sequences = Record<string, string>

/** Read last, so that the values are not below any saved id. */
export async function sequencesIn(client: Pick<pg.Client, 'query'>): Promise<Sequences> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public' and last_value is not null`,
  )
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
}

/** Raises sequences to these values; never lowers one. */
export async function raise(client: Pick<pg.Client, 'query'>, to: Sequences): Promise<void> {
  for (const [name, last] of Object.entries(to)) {
    const known = `(select last_value from pg_sequences where schemaname = 'public' and sequencename = $1)`
    await client.query(
      `select setval(quote_ident($1)::regclass, greatest($2::bigint, ${known})) where to_regclass(quote_ident($1)) is not null`,
      [name, last],
    )
  }
}

/** True if the store has no event, no company and no contact key. */
export async function isEmpty(client: pg.Client): Promise<boolean> {
  for (const name of ['event', 'company', 'contact_key']) {
    const { rows } = await client.query('select to_regclass($1) is not null as there', [`public.${name}`])
    if (rows[0].there && (await client.query(`select from ${quoted(name)} limit 1`)).rowCount !== 0) return false
  }
  return true
}

/** Drops everything that migrations or an interrupted restore created. Extensions stay, because others may use them. */
export async function clear(client: pg.Client): Promise<void> {
  for (const schema of ['rebuild', 'previous', 'bullmq']) await client.query(`drop schema if exists ${schema} cascade`)
  const { rows } = await client.query<{ drop: string }>(`
    with own as (select objid from pg_depend where deptype = 'e')
    select format('drop table if exists %s cascade', c.oid::regclass) as drop from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.oid not in (select objid from own)
    union all select format('drop sequence if exists %s cascade', c.oid::regclass) from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' and c.oid not in (select objid from own)
    union all select format('drop routine if exists %s cascade', p.oid::regprocedure) from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.oid not in (select objid from own)`)
  for (const { drop } of rows) await client.query(drop)
}

/** Number of Guichê processes that are connected to this store. */
export async function running(client: pg.Client): Promise<number> {
  const text = 'select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = $1'
  const { rows } = await client.query<{ n: number }>(text, [presence])
  return rows[0]!.n
}
