import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { demoPassword } from '#app/demo/accounts.ts'
import { openStore } from '#projections/postgres.ts'
import { type Look, openBrowser, type Person, person } from './browser.ts'
import { lightHash } from './company.ts'
import { demoTemplate, freshDatabase } from './postgres.ts'
import { type Running, startProcess } from './processes.ts'

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

export type Stage = {
  server: Running
  browser: Browser
  dataDir: string
  databaseUrl: string
  masterKey: Buffer
  come: (look?: Look) => Promise<Person>
  /** Killed as a machine dies, and started again where it was. */
  dieAndReturn: () => Promise<void>
  people: Person[]
  clear: () => Promise<void>
}

/** The product as it is started, with its demo company, and a browser that any number of people sit at. */
export async function stage(more: Record<string, string> = {}): Promise<Stage> {
  const database = await freshDatabase({ copyOf: await demoTemplate(firstStart) })
  const dataDir = await mkdtemp(path.join(tmpdir(), 'guiche-stage-'))
  await chmod(dataDir, 0o755)
  const stores = { DATABASE_URL: database.url, DATA_DIR: dataDir, MASTER_KEY: masterKey.toString('base64') }
  const env = { ...stores, DEMO: '1', SANDBOX: '1', ...more }
  let server = await startProcess(env)
  const browser = await openBrowser()
  const people: Person[] = []
  return {
    get server() {
      return server
    },
    ...{ browser, dataDir, databaseUrl: database.url, masterKey, people },
    async come(look) {
      const one = await person(browser, server.url, look)
      people.push(one)
      return one
    },
    async dieAndReturn() {
      const { port } = new URL(server.url)
      await server.kill()
      server = await startProcess({ ...env, PORT: port })
    },
    async clear() {
      await Promise.all(people.map((one) => one.leave()))
      await server.stop()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
