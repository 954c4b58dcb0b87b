import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import type { Browser } from 'playwright-core'
import { parseConfig } from '#app/config.ts'
import { demoPassword } from '#app/demo/accounts.ts'
import { serializeError } from '#app/event-store/error-serializer.ts'
import { openStore } from '#projections/postgres.ts'
import { type Look, openBrowser, type Person, person } from './browser.ts'
import { demoTemplate, type FreshDatabase, freshDatabase } from './postgres.ts'
import { startProcess, testEnvironment } from './processes.ts'
import { openProduct } from './product.ts'
import { lightHash } from './seed-companies.ts'

export const masterKey = Buffer.alloc(32, 11)

export async function firstStart(url: string): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'guiche-demo-'))
  await chmod(dataDir, 0o755)
  const env = { DATABASE_URL: url, DATA_DIR: dataDir, MASTER_KEY: masterKey.toString('base64'), DEMO: '1', SANDBOX: '1' }
  const server = await startProcess(env)
  await server.kill() // without the anchors of a clean stop
  const { db } = openStore(url, 1)
  await db
    .updateTable('user')
    .set({ passwordHash: lightHash(demoPassword) })
    .execute()
  await db.destroy()
  await rm(dataDir, { recursive: true, force: true })
}

/** A server for browsers. `output`: its warnings and errors. */
type Served = { url: string; output: () => string; stop: () => Promise<unknown> }

export type Stage = {
  server: Served
  browser: Browser
  dataDir: string
  databaseUrl: string
  masterKey: Buffer
  come: (look?: Look) => Promise<Person>
  people: Person[]
  clear: () => Promise<void>
}
export type KillableStage = Stage & {
  /** Kills the server as a machine crash would, and restarts it at the same address. */
  dieAndReturn: () => Promise<void>
}

/** The app with its demo company in this process, and a browser for any number of people. */
export async function startBrowserEnv(more: Record<string, string> = {}): Promise<Stage> {
  const { env, ...place } = await placeOf(more)
  return openStage(place, await serveHere(env))
}

/** The same with a separate server process. */
export async function killableStage(more: Record<string, string> = {}): Promise<KillableStage> {
  const { env, ...place } = await placeOf(more)
  let server = await startProcess(env)
  const { port } = new URL(server.url)
  const served: Served = { url: server.url, output: () => server.output(), stop: () => server.stop() }
  return {
    ...(await openStage(place, served)),
    async dieAndReturn() {
      await server.kill()
      server = await startProcess({ ...env, PORT: port })
    },
  }
}

type Place = { database: FreshDatabase; dataDir: string }
async function placeOf(more: Record<string, string>): Promise<Place & { env: Record<string, string> }> {
  const database = await freshDatabase({ copyOf: await demoTemplate(firstStart) })
  const dataDir = await mkdtemp(path.join(tmpdir(), 'guiche-stage-'))
  await chmod(dataDir, 0o755)
  const stores = { DATABASE_URL: database.url, DATA_DIR: dataDir, MASTER_KEY: masterKey.toString('base64') }
  return { database, dataDir, env: { ...stores, DEMO: '1', SANDBOX: '1', ...more } }
}

async function serveHere(env: Record<string, string>): Promise<Served> {
  const settings = parseConfig({ ...testEnvironment, ...env })
  let output = ''
  const write = (line: string) => {
    output = (output + line).slice(-20_000)
  }
  const logger = pino({ level: 'warn', serializers: { err: serializeError } }, { write })
  const product = await openProduct({ config: settings, connectionString: env.DATABASE_URL!, logger })
  const { url } = await product.start()
  return { url, output: () => output, stop: product.close }
}

async function openStage({ database, dataDir }: Place, server: Served): Promise<Stage> {
  const browser = await openBrowser()
  const people: Person[] = []
  return {
    ...{ server, browser, dataDir, databaseUrl: database.url, masterKey, people },
    async come(look) {
      const one = await person(browser, server.url, look)
      people.push(one)
      return one
    },
    async clear() {
      await Promise.all(people.map((one) => one.leave()))
      await server.stop()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
