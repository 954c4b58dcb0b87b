import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBackoff, createLoggedBackoff, createLoggedBackoffOnce, type LoggedBackoff } from '#app/concurrency/retry.ts'
import { isTransientEsdbError as passingInEventStore } from '#app/event-store/esdb-errors.ts'
import { Unavailable } from '#app/event-store/event-store.ts'
import { awayMessages, isTransient } from '#app/event-store/transient-errors.ts'
import { Refusal } from '#domain/errors.ts'
import { openPool } from '#projections/postgres.ts'
import { proxyTo } from '#tests/event-store/proxy.ts'
import { byPort, type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database?.drop())

const failing = (more: object, message = 'it failed') => Object.assign(new Error(message), more)

it('a store that is down, full or locked is a transient error', () => {
  for (const code of [
    '40001',
    '40P01',
    '55P03',
    '57014',
    '53300',
    '53100',
    '57P01',
    '25006',
    '08006',
    'ECONNREFUSED',
    'EAI_AGAIN',
    'ENOSPC',
    'EDQUOT',
  ])
    expect([code, isTransient(failing({ code }))]).toEqual([code, true])
  expect(isTransient(new Unavailable('no answer'))).toBe(true)
  for (const code of ['ERR_BUSY', 'ERR_UNAVAILABLE'] as const) expect(isTransient(new Refusal(code))).toBe(true)
})

it('a defect of the app is not transient, whatever its message says', () => {
  const words = ['timeout', 'closed', 'Unavailable', 'terminated', 'connection error']
  for (const word of words) {
    expect([word, isTransient(new Error(word))]).toEqual([word, false])
    expect([word, isTransient(new TypeError(`cannot read 'ratingTimeout' of a TicketClosed: ${word}`))]).toEqual([word, false])
    expect([word, isTransient(failing({ name: 'Unavailable' }, `the ${word} of a ticket`))]).toEqual([word, false])
    expect([word, passingInEventStore(new Error(word))]).toEqual([word, false])
  }
  // A statement with the wrong number of parameters fails with a code of the connection class.
  for (const code of ['08P01', '22P02', '23505', '42P01', '42703', 'P0001', 'ENOENT', 'XX000'])
    expect([code, isTransient(failing({ code }, 'timeout expired'))]).toEqual([code, false])
  expect(isTransient(new Refusal('ERR_INTERNAL'))).toBe(false)
  expect(isTransient(null)).toBe(false)
  expect(isTransient('timeout')).toBe(false)
})

it('the known messages without a code exist in the clients’ sources', () => {
  const modules = path.resolve(import.meta.dirname, '../../node_modules')
  const folders = { pg: 'pg/lib', 'pg-pool': 'pg-pool', ioredis: 'ioredis/built' }
  for (const [name, messages] of Object.entries(awayMessages)) {
    const folder = path.join(modules, folders[name as keyof typeof folders])
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.js') && !file.includes('test'),
    )
    const sources = files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n')
    for (const message of messages)
      expect([message, sources.includes(`'${message}'`) || sources.includes(`"${message}"`)]).toEqual([message, true])
  }
})

it('a connection that is cut in a transaction does not end the process', async () => {
  const pool = openPool({ connectionString: database.url, max: 2 })
  const client = await pool.connect()
  const ended = new Promise((resolve) => client.once('end', resolve))
  await client.query('begin')
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  await pool.query('select pg_terminate_backend($1)', [rows[0]!.pid])
  await ended // without a listener this error would have ended the process
  client.release(true)
  expect((await pool.query('select 1 as n')).rows).toEqual([{ n: 1 }])
  await pool.end()
})

it('every real error of a failing Postgres is transient', async () => {
  const { hostname, port } = new URL(database.url)
  const proxy = await proxyTo(hostname, Number(port))
  const connectionString = byPort(database.url, proxy.port)
  const pool = new pg.Pool({ connectionString, max: 1, connectionTimeoutMillis: 300, query_timeout: 300 })
  pool.on('error', () => undefined)
  const met: unknown[] = []
  const meet = (act: Promise<unknown>) => act.then(() => met.push(null)).catch((error) => met.push(error))

  await meet(pool.query('select pg_sleep(2)'))
  const held = await pool.connect()
  held.on('error', () => undefined)
  await meet(pool.query('select 1')) // no connection is free
  const asked = meet(held.query('select pg_sleep(2)'))
  proxy.cutAll()
  await asked
  await meet(held.query('select 1'))
  held.release(true)
  await meet(pool.query('select pg_terminate_backend(pg_backend_pid())'))
  proxy.down()
  await meet(pool.query('select 1'))
  await proxy.close()
  await meet(pool.query('select 1'))
  await pool.end()
  const nowhere = new pg.Client({ connectionString: `${connectionString}?host=/nowhere` })
  await meet(nowhere.connect())

  expect(met).toHaveLength(8)
  for (const error of met) expect([String(error), isTransient(error)]).toEqual([String(error), true])
})

it('a lasting error is logged once when it starts and once when it ends', async () => {
  const lines: { msg: string; err?: object }[] = []
  const logger = pino({ level: 'debug' }, { write: (line) => void lines.push(JSON.parse(line)) })
  const wait = createLoggedBackoff(createBackoff(1, 2), logger, 'the follower')
  await wait.pause(failing({ code: '40P01' }))
  wait.over()
  expect(lines).toEqual([])
  for (let i = 0; i < 5; i += 1) await wait.pause(failing({ code: '57014' }))
  wait.over()
  wait.over()
  expect(lines.map(({ msg }) => msg)).toEqual(['Operation failing; retrying', 'Operation recovered'])
  expect(lines[0]!.err).toMatchObject({ code: '57014' })
})

it('one log entry covers all who wait, and a waiter that left does not count', async () => {
  const lines: string[] = []
  const waits = createLoggedBackoffOnce(pino({}, { write: (line) => void lines.push(JSON.parse(line).msg) }), 'the log')
  const [one, two, gone] = [1, 2, 3].map(() => waits(createBackoff(1, 2))) as [LoggedBackoff, LoggedBackoff, LoggedBackoff]
  for (let i = 0; i < 3; i += 1) for (const wait of [one, two]) await wait.pause(failing({ code: '57014' }))
  for (let i = 0; i < 3; i += 1) await gone.pause(failing({ code: '57014' }))
  gone.leave()
  one.over()
  expect(lines).toEqual(['Operation failing; retrying'])
  two.over()
  for (let i = 0; i < 2; i += 1) await one.pause(failing({ code: '57014' }))
  expect(lines).toEqual(['Operation failing; retrying', 'Operation recovered', 'Operation failing; retrying'])
})
