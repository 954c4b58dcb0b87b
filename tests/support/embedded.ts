import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { type EmbeddedPostgres, startPostgres } from '#app/embedded/database.ts'

export const quick = { fsync: 'off', shared_buffers: '16MB' }
export const made: string[] = []
export const started: EmbeddedPostgres[] = []

/** Stops every Postgres that a test started and removes its folders. */
export async function cleared(): Promise<void> {
  for (const postgres of started.splice(0)) await postgres.stop()
  for (const place of made.splice(0)) rmSync(place, { recursive: true, force: true })
}

/** An empty folder that other accounts may enter. */
export function folder(): string {
  const place = mkdtempSync(path.join(tmpdir(), `guiche-test-${process.pid}-`))
  chmodSync(place, 0o755)
  made.push(place)
  return place
}

export async function start(dataDir: string, log?: (line: string) => void): Promise<EmbeddedPostgres> {
  const postgres = await startPostgres({ dataDir, settings: quick, lockTimeoutMs: 300, ...(log && { log }) })
  started.push(postgres)
  return postgres
}

export async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
