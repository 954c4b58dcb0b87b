import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { freePort } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/wait.ts'

/*
 * The answers of a process from its first moment, during migrations and demo seeding, and at the handover of the
 * port.
 */
const main = new URL('../../app/main.ts', import.meta.url).pathname
let database: FreshDatabase
let dataDir: string
beforeAll(async () => {
  database = await freshDatabase()
  dataDir = await mkdtemp(path.join(tmpdir(), 'guiche-porch-'))
  await chmod(dataDir, 0o755)
})
afterAll(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

type Received = { status: number; body: any }
const received = async (url: string): Promise<Received | null> => {
  try {
    const response = await fetch(url)
    const text = await response.text()
    return { status: response.status, body: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text }
  } catch {
    return null
  }
}

it.each(['web,projector,worker', 'worker', 'projector'])(
  'as %s the process is alive while starting, then ready, and refuses no connection',
  async (ROLES) => {
    const held = new pg.Client(database.url)
    await held.connect()
    await held.query('create table if not exists kysely_migration_lock (id varchar(255) primary key, is_locked integer not null default 0)')
    await held.query('begin')
    await held.query('lock table kysely_migration_lock in access exclusive mode') // the migration waits for this lock
    const port = await freePort()
    const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, MASTER_KEY: Buffer.alloc(32, 5).toString('base64'), WHATSAPP_URL: 'off' }
    const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
    const child = spawn(process.execPath, [main], {
      stdio: 'ignore',
      env: { PATH, HOME, NODE_COMPILE_CACHE, PORT: String(port), LOG_LEVEL: 'error', ROLES, ...env },
    })
    const ended = once(child, 'exit')
    try {
      const at = (place: string) => received(`http://127.0.0.1:${port}${place}`)
      expect(
        await eventually(
          () => at('/api/health'),
          (answer) => answer !== null,
        ),
      ).toEqual({ status: 200, body: { alive: true } })
      await eventually(
        () => at('/api/ready'),
        (answer) => answer?.body.waits === 'migrations',
      )
      expect(await at('/api/ready')).toEqual({ status: 503, body: { ready: false, waits: 'migrations' } })
      for (const place of ['/', '/api/auth/login', '/api/tickets', '/metrics', '/docs'])
        expect(await at(place)).toMatchObject({ status: 503, body: { error: 'ERR_UNAVAILABLE' } })
      await held.query('rollback')
      const answers: (Received | null)[] = []
      await eventually(
        async () => {
          const [ready, health] = await Promise.all([at('/api/ready'), at('/api/health')])
          answers.push(health)
          return ready
        },
        (ready) => ready?.status === 200,
      )
      expect(answers.filter((health) => health?.status !== 200)).toEqual([])
      const health = (await at('/api/health'))!.body
      expect(health).toMatchObject({ alive: true, roles: ROLES.split(',') })
      expect((await at('/api/ready'))!.body).toEqual({ ready: true, away: [] })
      expect((await at('/api/tickets'))!.status).toBe(ROLES.includes('web') ? 403 : 404)
    } finally {
      await held.end()
      child.kill('SIGTERM')
      expect((await ended)[0]).toBe(0)
    }
  },
)
