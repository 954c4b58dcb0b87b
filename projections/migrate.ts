import { readdir } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import { type MigrationProvider, Migrator } from 'kysely/migration'

const folder = new URL('../migrations/', import.meta.url)

const files: MigrationProvider = {
  async getMigrations() {
    const names = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.ts$/.test(name)).sort()
    return Object.fromEntries(await Promise.all(names.map(async (name) => [name.slice(0, -3), await import(new URL(name, folder).href)])))
  },
}

/** Brings the schema up to date. Several processes may ask at once: Kysely's lock lets one do it. */
export async function migrate(db: Kysely<any>): Promise<string[]> {
  const migrator = new Migrator({ db, provider: files })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error) throw error
  return results.map(({ migrationName }) => migrationName)
}
