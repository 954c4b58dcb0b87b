import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openStore, type Store } from '#projections/postgres.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { type Running, signIn, startProcess } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/wait.ts'

let database: FreshDatabase
let store: Store
let dataDir: string
let server: Running
const env = () => ({ DATABASE_URL: database.url, DATA_DIR: dataDir, MASTER_KEY: Buffer.alloc(32, 3).toString('base64'), DEMO: '1' })

beforeAll(async () => {
  database = await freshDatabase({ migrated: true })
  dataDir = await mkdtemp(path.join(tmpdir(), 'guiche-presence-'))
  server = await startProcess(env())
  store = openStore(database.url, 2)
})
afterAll(async () => {
  await server?.stop()
  await store?.db.destroy()
  await database?.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const online = async () =>
  (await store.db.selectFrom('userPresence').select('id').where('online', '=', true).orderBy('id').execute()).map(({ id }) => id)
async function here(email: string): Promise<number> {
  const { token, user } = await signIn(() => server.url, email)
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/live`, ['guiche.v1', `bearer.${token}`])
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return user.id
}

it.each([
  ['killed', () => server.kill()],
  ['stopped', () => server.stop()],
])('no user of a process that was %s stays online, except those who return (A-RT-03)', async (_, ends) => {
  const [ana, bruno] = [await here('ana@demo.test'), await here('bruno@demo.test')]
  await eventually(online, (ids) => ids.includes(ana) && ids.includes(bruno))
  await ends()
  await sql`update user_presence set seen_at = now() - interval '3 minutes'`.execute(store.db) // simulates three minutes
  server = await startProcess(env())
  await eventually(online, (ids) => ids.length === 0)
  await here('bruno@demo.test')
  expect(await eventually(online, (ids) => ids.length > 0)).toEqual([bruno])
})
