import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '#app/embedded/database.ts'
import { openPostgresJobStore } from '#app/scheduler/job-store.ts'
import { migrate } from '#projections/migrate.ts'
import { openStore } from '#projections/postgres.ts'
import { buildBundle } from './bundle.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    /** The owner of the test databases: the embedded server's ordinary role. */
    ownerUrl: string
    /** A database with every migration and no rows, which is copied. */
    template: string
  }
}

const prefix = 'guiche-test-'
const memory = '/dev/shm'
/** In memory if there is enough of it, because hundreds of databases with a thousand files each come and go. */
const home = existsSync(memory) && roomIn(memory) > 4 * 2 ** 30 ? memory : tmpdir()
function roomIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/**
 * Starts one cluster for the whole run, without waiting for the disk. GUICHE_TEST_POSTGRES names a server to use
 * instead.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (project.vitest.projects.every(({ name }) => name === 'unit')) return async () => undefined
  process.env.GUICHE_TEST_BUNDLE = await buildBundle()
  const given = process.env.GUICHE_TEST_POSTGRES
  if (given) {
    project.provide('postgresUrl', given)
    project.provide('ownerUrl', given)
    project.provide('template', await migratedTemplate(given, given))
    const { template } = project.getProvidedContext()
    return async () => {
      for (const name of [template, demoOf(template)]) await tell(given, `drop database if exists ${name} with (force)`)
    }
  }
  await sweep()
  const dataDir = mkdtempSync(path.join(home, `${prefix}${process.pid}-`))
  chmodSync(dataDir, 0o755)
  const postgres = await startPostgres({ dataDir, settings })
  project.provide('postgresUrl', postgres.superuserUrl)
  project.provide('ownerUrl', postgres.url)
  project.provide('template', await migratedTemplate(postgres.superuserUrl, postgres.url))
  return async () => {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const quick = {
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', wal_level: 'minimal', max_wal_senders: '0' },
  scram_iterations: '1', // thousands of connections sign in
}
const settings = { ...quick, autovacuum_naptime: '10min', max_connections: '400', shared_buffers: '128MB' }

/** Takes over and stops the Postgres that a killed run left running. */
async function sweep() {
  for (const place of new Set([home, tmpdir()]))
    for (const name of readdirSync(place).filter((entry) => entry.startsWith(prefix))) {
      if (lives(Number(name.slice(prefix.length).split('-')[0]))) continue
      const dataDir = path.join(place, name)
      if (existsSync(path.join(dataDir, 'postgres', 'postmaster.pid'))) await (await startPostgres({ dataDir, settings })).stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export type FreshDatabase = { url: string; drop(): Promise<void> }

async function migratedTemplate(server: string, ownerUrl: string): Promise<string> {
  const name = `template_${randomBytes(8).toString('hex')}`
  const url = new URL(ownerUrl)
  await tell(server, `create database ${name} owner ${url.username}`)
  url.pathname = `/${name}`
  const { db } = openStore(url.href, 1)
  await migrate(db)
  await db.destroy()
  await (await openPostgresJobStore(url.href)).close()
  return name
}

/** An empty database for one test file. `migrated`: with every migration; `copyOf`: a copy of another database. */
export async function freshDatabase({ migrated = false, copyOf = '' } = {}): Promise<FreshDatabase> {
  const server = inject('postgresUrl')
  const name = `t_${randomBytes(8).toString('hex')}`
  const url = new URL(inject('ownerUrl'))
  const from = copyOf || (migrated ? inject('template') : '')
  const copied = from ? ` template ${from} strategy file_copy` : '' // the log strategy costs twice as much
  await tell(server, `create database ${name} owner ${url.username}${copied}`)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => tell(server, `drop database if exists ${name} with (force)`) }
}

/** The address of a database through another port of this machine, instead of any socket. */
export function byPort(connectionString: string, port: number): string {
  const url = new URL(connectionString)
  url.port = String(port)
  url.searchParams.delete('host')
  return url.href
}

/** The address of a database for read-only connections. */
export function readOnly(connectionString: string): string {
  const url = new URL(connectionString)
  url.searchParams.set('options', '-c default_transaction_read_only=on')
  return url.href
}

const demoOf = (template: string) => `${template}_demo`
/**
 * The database of the demo company after its first start, created by the first caller of a run. `make` fills an
 * empty one.
 */
export async function demoTemplate(make: (url: string) => Promise<void>): Promise<string> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  const name = demoOf(inject('template'))
  try {
    await client.query('select pg_advisory_lock(1)') // one file creates it, the others wait
    if ((await client.query('select from pg_database where datname = $1', [name])).rowCount === 0) {
      const { url } = await freshDatabase({ migrated: true })
      await make(url)
      const made = new URL(url).pathname.slice(1)
      await client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [made])
      await client.query(`alter database ${made} rename to ${name}`)
    }
    return name
  } finally {
    await client.end()
  }
}

async function tell(connectionString: string, statement: string) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
