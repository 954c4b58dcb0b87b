import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runningPostgres } from '#app/embedded/database.ts'
import { openStore } from '#projections/postgres.ts'
import { lastingClient, type Running, startProcess } from '#tests/support/processes.ts'
import { until } from '#tests/support/wait.ts'
import * as given from './kills.ts'

const kills = given.kills(2, 40)
const seed = 5 + given.otherDice

let dataDir: string
let env: Record<string, string>
let server: Running
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'guiche-kill-'))
  await chmod(dataDir, 0o755) // Postgres runs as another account if the tests run as root
  env = { DATA_DIR: dataDir, DEMO: '1' }
  server = await startProcess(env)
  env.PORT = new URL(server.url).port
})
afterAll(async () => {
  await server?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

it(`the sandbox loses, doubles and reorders nothing during ${kills} kills (seed ${seed})`, async () => {
  const { ask } = await lastingClient(() => server.url, 'super@demo.test') // the admin answers, and has only one session
  /** Each message is confirmed before the next, and repeated under its id until it is. */
  async function says(from: string, name: string, body: string, id: string): Promise<void> {
    const { status } = await until(() => ask('POST', '/sandbox/1/inbound', { id, from, name, body }))
    expect(status).toBe(202)
  }
  async function received(phone: string): Promise<string[]> {
    const { db } = openStore((await runningPostgres(dataDir))!, 1)
    const rows = await db
      .selectFrom('sandboxMessage')
      .select('body')
      .where('phone', '=', phone)
      .where('fromPhone', '=', false)
      .orderBy('n')
      .execute()
    await db.destroy()
    return rows.map(({ body }) => body ?? '')
  }
  const customers = Array.from({ length: given.customersOf(10) }, (_, i) => {
    const phone = `5511970${String(i).padStart(6, '0')}`
    const name = `Cliente ${String(i).padStart(3, '0')}`
    let lines = 0
    async function writes(texts: string[], again: boolean): Promise<void> {
      for (const body of texts) {
        const id = `k-${i}-${lines++}`
        await says(phone, name, body, id)
        if (again) await says(phone, name, body, id)
      }
    }
    return { name, writes, received: () => received(phone) }
  })
  const met = await given.underKills({ env, server, customers, kills, burst: given.burst(4), seed })
  process.stdout.write(`through the sandbox (seed ${seed}): ${met}\n`)
})
