import { type Kysely, sql, type Transaction } from 'kysely'
import type { TypedMessage } from '#domain/decider.ts'
import type { Database } from './database.ts'
import { snakeCase } from './names.ts'
import { foldsOf, type Projector, tablesOfFold } from './projector.ts'

/** The schema of the shadow tables, and the schema that keeps the replaced tables for one release. */
export const shadowSchema = 'rebuild'
const previousSchema = 'previous'

export type Sum = { table: string; rows: number; checksum: string }
/** `rows`: the number of different rows. */
export type Difference = { table: string; live: Sum; rebuilt: Sum; rows: number }

/** `of`: the projector with the read models that are rebuilt, all or some. */
const tablesOf = (of: Projector<any>) => foldsOf(of).flatMap(tablesOfFold).map(snakeCase)

/**
 * Creates empty shadow tables with their own checkpoint, in a schema that is first in the rebuild
 * connection's search path. Returns the indexes that no fold needs. They are created after the rebuild,
 * because updating them row by row costs more than the rest.
 */
export async function prepareShadowTables<E extends TypedMessage>(db: Kysely<Database>, of: Projector<E>): Promise<string[]> {
  await sql`drop schema if exists ${sql.id(shadowSchema)} cascade`.execute(db)
  await sql`create schema ${sql.id(shadowSchema)}`.execute(db)
  for (const table of [...tablesOf(of), 'checkpoint'])
    await sql`create table ${sql.id(shadowSchema, table)} (like ${sql.id('public', table)} including all)`.execute(db)
  const cleared = foldsOf(of).flatMap(({ table, deletesWhere: clears }) =>
    clears ? [`${snakeCase(table)} ${snakeCase(clears.column)}`] : [],
  )
  const { rows } = await sql<{ indexname: string; indexdef: string }>`
    select i.indexname, i.indexdef from pg_indexes i where schemaname = ${shadowSchema} and indexdef not like 'CREATE UNIQUE%'
      and i.tablename || ' ' || substring(indexdef from '\\((\\w+)') <> all(${cleared})`.execute(db)
  for (const { indexname } of rows) await sql`drop index ${sql.id(shadowSchema, indexname)}`.execute(db)
  return rows.map(({ indexdef }) => indexdef)
}

/** `indexes`: the result of `prepareBeside`. */
export async function finishShadowTables(db: Kysely<Database>, indexes: string[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select set_config('statement_timeout', '0', true), set_config('maintenance_work_mem', '256MB', true)`.execute(tx)
    for (const index of indexes) await sql.raw(index).execute(tx)
  })
}

type Db = Kysely<Database> | Transaction<Database>
async function sum(db: Db, schema: string, table: string): Promise<Sum> {
  const at = sql.id(schema, table)
  const { rows } = await sql<{ rows: number; checksum: string }>`
    select count(*) as rows, coalesce(sum(hashtextextended(one::text, 0)::numeric), 0)::text as checksum from ${at} one`.execute(db)
  return { table, rows: Number(rows[0]!.rows), checksum: rows[0]!.checksum }
}

/** The checkpoint and checksums of the live tables in one snapshot. Blocks no writer. */
export const liveSums = (db: Kysely<Database>, of: Projector<any>): Promise<{ position: bigint | null; sums: Sum[] }> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx) // large tables take longer than the usual limit
      return { position: await readCheckpoint(tx, of), sums: await sums(tx, of, 'public') }
    })
export const shadowSums = (db: Kysely<Database>, of: Projector<any>): Promise<Sum[]> =>
  db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    return sums(tx, of, shadowSchema)
  })
async function sums(tx: Transaction<Database>, of: Projector<any>, schema: string): Promise<Sum[]> {
  const all: Sum[] = []
  for (const table of tablesOf(of)) all.push(await sum(tx, schema, table))
  return all
}
/** The tables whose row count or checksum differs between live and rebuilt. */
export const differingTables = (live: Sum[], rebuilt: Sum[]): Omit<Difference, 'rows'>[] =>
  live
    .map((one, i) => ({ table: one.table, live: one, rebuilt: rebuilt[i]! }))
    .filter((pair) => pair.live.rows !== pair.rebuilt.rows || pair.live.checksum !== pair.rebuilt.checksum)

const seenName = 'seen_live'
/**
 * Stores the hashes of a live table's rows and returns the position of that snapshot, for a comparison with
 * the shadow table.
 */
export const copyLiveHashes = (db: Kysely<Database>, of: Projector<any>, table: string): Promise<bigint | null> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx)
      await sql`drop table if exists ${sql.id(shadowSchema, seenName)}`.execute(tx)
      await sql`create table ${sql.id(shadowSchema, seenName)} as
        select hashtextextended(one::text, 0) as hash from ${sql.id('public', table)} one`.execute(tx)
      return readCheckpoint(tx, of)
    })
/** Counts the rows that are in only one of the tables; a changed row counts once. */
export async function differingRows(db: Kysely<Database>, table: string): Promise<number> {
  const seen = sql`select hash from ${sql.id(shadowSchema, seenName)}`
  const rebuilt = sql`select hashtextextended(one::text, 0) from ${sql.id(shadowSchema, table)} one`
  return db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    const { rows } = await sql<{ rows: number }>`
      select greatest((select count(*) from (${seen} except all ${rebuilt}) a), (select count(*) from (${rebuilt} except all ${seen}) b)) as rows`.execute(
      tx,
    )
    return Number(rows[0]!.rows)
  })
}

/** The checkpoint of the live projector; null: it has never run. */
export async function readCheckpoint(db: Db, of: Projector<any>): Promise<bigint | null> {
  const row = await db.selectFrom('checkpoint').select('position').where('name', '=', of.name).executeTakeFirst()
  return row ? BigInt(row.position) : null
}
/** Locks the live checkpoint and returns it. The lock timeout is short, because others wait behind this lock. */
export async function lockLiveCheckpoint(tx: Transaction<Database>, of: Projector<any>): Promise<bigint | null> {
  await sql`set local lock_timeout = ${sql.lit(lockMs)}`.execute(tx)
  const row = await tx.selectFrom('checkpoint').select('position').where('name', '=', of.name).forUpdate().executeTakeFirst()
  return row ? BigInt(row.position) : null
}
/** Less than Postgres' deadlock timeout of one second, so that no reader of two tables is cancelled. */
const lockMs = 300

/**
 * Replaces the live tables by the rebuilt ones in the caller's transaction. Readers use the old tables until
 * it commits. `position`: the new checkpoint of the projector; null: unchanged.
 */
export async function swap(tx: Transaction<Database>, of: Projector<any>, position: bigint | null): Promise<void> {
  await sql`create schema if not exists ${sql.id(previousSchema)}`.execute(tx)
  for (const table of tablesOf(of)) await sql`lock table ${sql.id('public', table)} in access exclusive mode`.execute(tx)
  for (const table of tablesOf(of)) {
    await sql`drop table if exists ${sql.id(previousSchema, table)}`.execute(tx)
    for (const op of ['insert', 'update', 'delete'])
      await sql`drop trigger if exists ${sql.id(`live_${op}`)} on ${sql.id('public', table)}`.execute(tx)
    await sql`alter table ${sql.id('public', table)} set schema ${sql.id(previousSchema)}`.execute(tx)
    await sql`alter table ${sql.id(shadowSchema, table)} set schema public`.execute(tx)
    await keepNames(tx, table)
  }
  for (const { table, topic } of foldsOf(of))
    if (topic) await sql`select make_live(${snakeCase(table)}::regclass, ${topic}::text)`.execute(tx)
  for (const { name, version } of of.models) {
    const row = { version, builtAt: sql<string>`clock_timestamp()` }
    await tx
      .insertInto('readModel')
      .values({ name, ...row })
      .onConflict((known) => known.column('name').doUpdateSet(row))
      .execute()
  }
  if (position !== null) {
    const version = Math.max(...of.models.map((model) => model.version))
    const now = { version, position: String(position), appliedAt: sql<string>`clock_timestamp()` }
    await tx
      .insertInto('checkpoint')
      .values({ name: of.name, eventId: null, eventAt: null, eventStream: null, eventRevision: null, ...now })
      .onConflict((row) => row.column('name').doUpdateSet(now))
      .execute()
  }
  await sql`select pg_notify('changes', '* refresh')`.execute(tx)
}

/** Renames the indexes of a copied table to the live names, because migrations refer to those. */
async function keepNames(tx: Transaction<Database>, table: string): Promise<void> {
  const shape = (of: string) => sql.raw(`regexp_replace(${of}.indexdef, '^CREATE (UNIQUE )?INDEX .*? ON \\S+ ', '\\1')`)
  const { rows } = await sql<{ made: string; named: string }>`
    select made.indexname as made, known.indexname as named from pg_indexes made join pg_indexes known on ${shape('made')} = ${shape('known')}
    where made.schemaname = 'public' and known.schemaname = ${previousSchema} and made.tablename = ${table} and known.tablename = ${table}
      and made.indexname <> known.indexname`.execute(tx)
  const renamed = (from: string, to: string) => sql`alter index ${sql.id('public', from)} rename to ${sql.id(to)}`.execute(tx)
  for (const [n, { made }] of rows.entries()) await renamed(made, `${table}_made_${n}`) // the live name may still belong to another index
  for (const [n, { named }] of rows.entries()) await renamed(`${table}_made_${n}`, named)
}

/**
 * Removes the tables that a rebuild replaced. They would keep the texts of a person who is erased later. The schema
 * stays, because a rebuild may be about to move tables into it.
 */
export async function dropReplacedTables(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = ${previousSchema}`.execute(db)
  for (const { name } of rows) await sql`drop table if exists ${sql.id(previousSchema, name)}`.execute(db)
}
export const dropShadowTables = (db: Kysely<Database>) => sql`drop schema if exists ${sql.id(shadowSchema)} cascade`.execute(db)
