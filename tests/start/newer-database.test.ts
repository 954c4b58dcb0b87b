import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openStore } from '#projections/postgres.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { startProcess } from '#tests/support/processes.ts'

it('a process on the database of a newer release works and logs it', async () => {
  const database = await freshDatabase()
  const place = mkdtempSync(path.join(tmpdir(), 'guiche-newer-'))
  chmodSync(place, 0o755)
  const env = { DATABASE_URL: database.url, MASTER_KEY: randomBytes(32).toString('base64'), DATA_DIR: place, DEMO: '0', LOG_LEVEL: 'warn' }
  const told = (output: string) =>
    output
      .split('\n')
      .filter((line) => line.includes('newer release'))
      .map((line) => JSON.parse(line) as { level: number; migrations: string[] })
  try {
    const first = await startProcess(env)
    expect(await first.stop()).toBe(0)
    expect(told(first.output())).toEqual([])
    const { db } = openStore(database.url, 1)
    await sql`insert into kysely_migration (name, timestamp) values ('9001_of_tomorrow', '2099-01-01')`.execute(db)
    await db.destroy()
    const older = await startProcess(env)
    expect((await fetch(`${older.url}/api/health`)).status).toBe(200)
    expect(await older.stop()).toBe(0)
    expect(told(older.output())).toEqual([expect.objectContaining({ level: 40, migrations: ['9001_of_tomorrow'] })])
  } finally {
    await database.drop()
    rmSync(place, { recursive: true, force: true })
  }
})
