import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { startPostgres } from '#app/embedded/database.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { type Running, startProcess } from '#tests/support/processes.ts'
import { noRedis, startRedis } from '#tests/support/redis.ts'
import { eventually } from '#tests/support/wait.ts'

/** The time that a supervisor waits before it kills (`stop_grace_period`). */
const graceMs = 30_000
const MASTER_KEY = randomBytes(32).toString('base64')
const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

function folder(): string {
  const place = mkdtempSync(path.join(tmpdir(), `guiche-test-${process.pid}-`))
  chmodSync(place, 0o755)
  cleanups.push(async () => rmSync(place, { recursive: true, force: true }))
  return place
}

async function started(env: Record<string, string>): Promise<Running> {
  const server = await startProcess({ MASTER_KEY, DATA_DIR: folder(), DEMO: '1', LOG_LEVEL: 'info', ...env })
  cleanups.push(() => server.kill())
  return server
}

const ended = (server: Running) => Promise.race([server.stop(), sleep(graceMs, 'still there', { ref: false })])
const said = (server: Running) =>
  server
    .output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string; store?: string })
    .map(({ msg, store }) => (store === undefined ? msg : `${store}: ${msg}`))
const received = (server: Running, line: string) =>
  eventually(
    async () => said(server),
    (lines) => lines.includes(line),
  )

it('an outage of Postgres is logged once at start and end, and a stop during it is in time', async () => {
  const postgres = await startPostgres({ dataDir: folder(), settings: { fsync: 'off' } })
  cleanups.push(() => postgres.stop())
  const server = await started({ DATABASE_URL: postgres.url })
  const paused = pause(postgres.pid)
  await received(server, 'Postgres: Store unavailable')
  const asked = async (what: string) => (await fetch(`${server.url}/api/${what}`)).status
  expect([await asked('health'), await asked('ready')]).toEqual([200, 503]) // it is alive but not ready
  paused.goOn()
  await received(server, 'Postgres: Store available again')
  expect([await asked('health'), await asked('ready')]).toEqual([200, 200])
  await postgres.stop()
  await eventually(
    async () => said(server),
    (lines) => lines.filter((line) => line === 'Postgres: Store unavailable').length === 2,
  )
  expect(said(server).filter((line) => line === 'Postgres: Store available again')).toHaveLength(1)
  expect(await ended(server)).not.toBe('still there')
})

it('a call in flight is answered before the process ends', async () => {
  const postgres = await startPostgres({ dataDir: folder(), settings: { fsync: 'off' } })
  cleanups.push(() => postgres.stop())
  const server = await started({ DATABASE_URL: postgres.url })
  const paused = pause(postgres.pid)
  const [email, password] = ['ana@demo.test', 'demo-1234']
  const call = fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  }).then(
    ({ status }) => status,
    (error: Error) => error.message,
  )
  await sleep(300) // the call has arrived and waits for Postgres
  const over = ended(server)
  await received(server, 'Stopping')
  paused.goOn()
  expect([await call, await over]).toEqual([200, 0])
  expect(server.output()).not.toMatch(/"level":50/)
})

it('the process stops in time while Postgres hangs, and at once on a second signal', async () => {
  const postgres = await startPostgres({ dataDir: folder(), settings: { fsync: 'off' } })
  cleanups.push(() => postgres.stop())
  const one = await started({ DATABASE_URL: postgres.url })
  const two = await started({ DATABASE_URL: postgres.url, DEMO: '0' })
  const paused = pause(postgres.pid)
  try {
    await received(one, 'Postgres: Store unavailable')
    const ask = async (path: string) => (await fetch(one.url + path, { signal: AbortSignal.timeout(20_000) })).text()
    expect(await ask('/api/health')).toContain('"followers":[]') // it is alive
    const metrics = await ask('/metrics')
    expect(metrics).toContain('guiche_store_up{store="Postgres"} 0')
    expect(metrics).not.toMatch(/^guiche_(workers|anchor_age_seconds|follower_lag\{.*\}|waiting\{.*\}) /m) // unknown values are left out
    const first = ended(one)
    const second = two.stop()
    await received(two, 'Stopping')
    await sleep(1100) // an earlier signal counts as the same one
    process.kill(two.pid, 'SIGTERM')
    await second
    expect(said(two)).toContain('Second signal received; forcing shutdown')
    expect(await first).not.toBe('still there')
  } finally {
    paused.goOn()
  }
})

it('an outage of Redis is logged once, and a stop during it is in time', async (ctx) => {
  if (noRedis) return ctx.skip(noRedis)
  const redis = await startRedis()
  const database = await freshDatabase()
  cleanups.push(() => database.drop())
  const server = await started({ DATABASE_URL: database.url, REDIS_URL: redis.url })
  const asked = async (what: string) => {
    const answer = await fetch(`${server.url}${what}`)
    return { status: answer.status, text: await answer.text() }
  }
  /* A processor that still adds jobs would also log that it fails. */
  await eventually(
    async () => JSON.parse((await asked('/api/health')).text).followers as { lag: number }[],
    (followers) => followers.length > 0 && followers.every(({ lag }) => lag === 0),
  )
  const saidBefore = said(server).length
  await redis.stop()
  await received(server, 'Redis: Store unavailable')
  // calls work without Redis, and jobs wait
  expect(await asked('/api/ready')).toEqual({ status: 200, text: '{"ready":true,"away":["Redis"]}' })
  const { jobs } = JSON.parse((await asked('/api/health')).text)
  expect(jobs).toEqual({ waiting: null, unsent: 0 })
  const metrics = (await asked('/metrics')).text
  expect(metrics).toMatch(/^guiche_store_up\{store="Redis"\} 0$/m)
  expect(metrics).toMatch(/^guiche_jobs_unsent 0$/m)
  expect(await ended(server)).toBe(0)
  const about = said(server)
    .slice(saidBefore)
    .filter((line) => !/^(Server|Stopping|Stopped)/.test(line))
  expect(about).toEqual(['Redis: Store unavailable'])
})

/** Suspends Postgres: it accepts connections and answers nothing. */
function pause(postmaster: number): { goOn: () => void } {
  process.kill(postmaster, 'SIGSTOP')
  const children = execFileSync('ps', ['--ppid', String(postmaster), '-o', 'pid='], { encoding: 'utf8' })
    .trim()
    .split(/\s+/)
    .map(Number)
  for (const pid of children) process.kill(pid, 'SIGSTOP')
  return {
    goOn() {
      for (const pid of [...children, postmaster]) process.kill(pid, 'SIGCONT')
    },
  }
}
