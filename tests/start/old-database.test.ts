import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore, type Store } from '#projections/postgres.ts'
import { command } from '#tests/support/command.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'

/* A database whose migrations are older than the baseline: nothing was released with it, and nothing in it may be changed. */
const refusal = 'The database was made before the first release; this release needs an empty one. Nothing in it was changed.'
let database: FreshDatabase
let store: Store
let env: Record<string, string>
const dataDir = mkdtempSync(path.join(tmpdir(), 'guiche-old-'))

beforeAll(async () => {
  chmodSync(dataDir, 0o755)
  database = await freshDatabase()
  store = openStore(database.url, 1)
  await sql`create table kysely_migration (name text primary key, timestamp text not null)`.execute(store.db)
  await sql`insert into kysely_migration values ('0001_event_log', '2026-01-01'), ('0002_contact_key', '2026-01-01')`.execute(store.db)
  await sql`create table event (position bigint primary key, stream text)`.execute(store.db)
  env = { DATABASE_URL: database.url, MASTER_KEY: randomBytes(32).toString('base64'), DATA_DIR: dataDir, DEMO: '0', PORT: '0' }
})
afterAll(async () => {
  await store.db.destroy()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

it.each([
  ['main.ts', [], 78],
  ['commands/verify.ts', [], 2],
  ['commands/rebuild.ts', ['inbox'], 2],
  ['commands/parked.ts', [], 2],
])('%s %j refuses it in one line with exit code %i and changes nothing', async (program, args, expected) => {
  const { code, out, err } = await command(program, args, env)
  expect({ code, said: `${out}${err}`.trim().split('\n').at(-1) }).toEqual({ code: expected, said: refusal })
  const tables = await store.db.introspection.getTables({ withInternalKyselyTables: true })
  expect(tables.map(({ name }) => name).toSorted()).toEqual(['event', 'kysely_migration'])
})
