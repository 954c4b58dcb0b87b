import { readdir } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import { type MigrationProvider, Migrator } from 'kysely/migration'

const folder = new URL('../migrations/', import.meta.url)

/** Every migration of this release, in order. */
export async function migrationNames(): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.ts$/.test(name))
  return files.map((name) => name.slice(0, -3)).sort()
}

/**
 * Our migrations, and placeholders for those of a newer release. Migrations only add
 * (tests/architecture/migrations), so an older release can run beside them.
 */
const provider = (newer: string[]): MigrationProvider => ({
  async getMigrations() {
    const own = await Promise.all((await migrationNames()).map(async (name) => [name, await import(new URL(`${name}.ts`, folder).href)]))
    return Object.fromEntries([...own, ...newer.map((name) => [name, { up: async () => undefined }])])
  },
})

/** Migrations that a newer release has already run on this database. */
export async function newerMigrations(db: Kysely<any>): Promise<string[]> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('public.kysely_migration') is not null as there`.execute(db)
  if (!rows[0]!.there) return []
  const own = new Set(await migrationNames())
  const done = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return done.rows.map(({ name }) => name).filter((name) => !own.has(name))
}

const baseline = '0001_functions'

/** The database was made by a version before the first release, whose migrations are no longer here. */
export class UnsupportedSchema extends Error {
  override readonly name = 'UnsupportedSchema'
  constructor() {
    super('The database was made before the first release; this release needs an empty one. Nothing in it was changed.')
  }
}

/** Refuses a database whose migrations do not begin with the baseline; an empty one is accepted. */
export async function assertSupportedSchema(db: Kysely<any>): Promise<void> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('public.kysely_migration') is not null as there`.execute(db)
  if (!rows[0]!.there) return
  const applied = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  if (applied.rows.length > 0 && !applied.rows.some(({ name }) => name === baseline)) throw new UnsupportedSchema()
}

/**
 * Migrates to the newest schema, or to the given migration. Kysely's lock lets one of several concurrent
 * processes run.
 */
export async function migrate(db: Kysely<any>, upTo?: string): Promise<string[]> {
  await assertSupportedSchema(db)
  const migrator = new Migrator({ db, provider: provider(await newerMigrations(db)), allowUnorderedMigrations: true })
  const { error, results = [] } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo))
  if (error) throw error
  return results.map(({ migrationName }) => migrationName)
}
