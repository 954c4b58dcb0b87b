import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { eventStoreDouble } from '#tests/support/eventstore.ts'
import { freshDatabase, readOnly } from '#tests/support/postgres.ts'
import { startProcess } from '#tests/support/processes.ts'
import { s3Double } from '#tests/support/s3.ts'

const main = new URL('../../app/main.ts', import.meta.url).pathname
const MASTER_KEY = randomBytes(32).toString('base64')
let place: string
beforeAll(() => {
  place = mkdtempSync(path.join(tmpdir(), 'guiche-refusals-'))
  chmodSync(place, 0o755)
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** Root may write anywhere. Without these capabilities a closed folder stops root too. */
const overrides = ['-dac_override', '-dac_read_search'].join(',')
const withoutOverrides = process.getuid?.() === 0 ? ['setpriv', `--bounding-set=${overrides}`, `--inh-caps=${overrides}`] : []
const cannotDrop = withoutOverrides.length > 0 && spawnSync('setpriv', [...withoutOverrides.slice(1), 'true']).status !== 0

/** A start that must fail, with its exit code and each line of stderr. `wrapper`: the command that runs it. */
function refusedStart(env: Record<string, string>, wrapper: string[] = []): Promise<{ code: number | null; lines: string[] }> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const [program = '', ...args] = [...wrapper, process.execPath, main]
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH, NODE_COMPILE_CACHE, PORT: '0', ...env },
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, lines: said.split('\n').filter(Boolean) })))
}

async function taken<T>(act: (port: number) => Promise<T>): Promise<T> {
  const server = createServer()
  const port = await new Promise<number>((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))
  try {
    return await act(port)
  } finally {
    server.close()
  }
}

it('a taken port and an invalid folder are reported together, before anything is created', () =>
  taken(async (port) => {
    writeFileSync(path.join(place, 'file'), '')
    const DATA_DIR = path.join(place, 'file', 'data')
    expect(await refusedStart({ PORT: String(port), DATA_DIR })).toEqual({
      code: 78,
      lines: [`PORT: ${port} on 127.0.0.1 is in use by another process`, `DATA_DIR: ${path.join(place, 'file')} is no folder`],
    })
    const fresh = path.join(place, 'fresh')
    const { code, lines } = await refusedStart({ PORT: String(port), DATA_DIR: fresh })
    expect({ code, lines: lines.length }).toEqual({ code: 1, lines: 1 }) // the other process may end, so a supervisor tries again
    expect(existsSync(fresh)).toBe(false)
  }))

it('an invalid folder, address and variable name are reported with all other errors', async () => {
  const { code, lines } = await refusedStart({ ...{ LOG_LEVEL: 'loud', ROELS: 'web', HOST: '999.1.1.1' }, DATA_DIR: '/proc/nope' })
  expect({ code, lines }).toEqual({
    code: 78,
    lines: [
      expect.stringMatching(/^LOG_LEVEL: must be /),
      expect.stringMatching(/^HOST: 999\.1\.1\.1 is no address of this machine \(\w+\)$/),
      expect.stringMatching(/^DATA_DIR: \/proc cannot be written by this user \(\w+\)$/),
      'ROELS: is no setting; ROLES is',
    ],
  })
  const port = await refusedStart({ PORT: 'x', DATA_DIR: '/proc/nope', DATABASE_URL: 'postgres://a:hush@127.0.0.1:1/b' })
  expect(port.lines.map((line) => line.split(':')[0])).toEqual(['PORT', 'MASTER_KEY', 'DATA_DIR'])
})

it('an unwritable folder is reported in one line, and nothing is created in it', async ({ skip }) => {
  skip(cannotDrop, 'root cannot drop its rights here')
  const closed = path.join(place, 'closed')
  mkdirSync(closed)
  chmodSync(closed, 0o555)
  const { code, lines } = await refusedStart({ DATA_DIR: path.join(closed, 'data') }, withoutOverrides)
  expect({ code, lines }).toEqual({ code: 78, lines: [`DATA_DIR: ${closed} cannot be written by this user (EACCES)`] })
  expect(readdirSync(closed)).toEqual([])
})

it('an address of another machine is reported', async () =>
  expect(await refusedStart({ HOST: '192.0.2.1', PORT: '18080', DATA_DIR: place })).toEqual({
    code: 78,
    lines: ['HOST: 192.0.2.1 is no address of this machine (EADDRNOTAVAIL)'],
  }))

it('refusals of database, Redis and log are reported together, without their passwords', async () => {
  const { url, drop } = await freshDatabase()
  try {
    const wrong = url.replace(/:[^:@/]+@/, ':hush-hush@')
    const { code, lines } = await refusedStart({
      ...{ DATABASE_URL: wrong, MASTER_KEY, DATA_DIR: place },
      ...{ REDIS_URL: 'redis://:hush-hush@127.0.0.1:1', EVENTSTORE_URL: 'esdb://me:hush-hush@127.0.0.1:2113?tlsCAFile=/nowhere/ca.crt' },
    })
    expect(code).toBe(78)
    expect(lines).toEqual([
      expect.stringMatching(/^DATABASE_URL: password authentication failed for user .* \(28P01\)$/),
      'REDIS_URL: connect ECONNREFUSED 127.0.0.1:1',
      'EVENTSTORE_URL: Failed to load certificate file. File was not found.',
    ])
    expect(lines.join()).not.toContain('hush')
  } finally {
    await drop()
  }
})

it('an unusable log is reported in one line: certificate, account or permission', async () => {
  const { url, drop } = await freshDatabase()
  const [plain, secured] = [await eventStoreDouble(), await eventStoreDouble({ tls: true })]
  const nowhere = 'esdb://127.0.0.1:1?tls=false&maxDiscoverAttempts=1'
  const said = async (log: string) => {
    const { code, lines } = await refusedStart({ DATABASE_URL: url, MASTER_KEY, DATA_DIR: place, EVENTSTORE_URL: log })
    expect(code).toBe(log === nowhere ? 1 : 78)
    return lines
  }
  try {
    expect(await said(secured.url)).toEqual([
      'EVENTSTORE_URL: its certificate is not trusted here (self-signed certificate): tlsCAFile names the file of its authority',
    ])
    for (const [denies, line] of [
      ['account', 'its account is not known there, or the password is wrong'],
      ['read', 'its account may not read $all'],
      ['append', 'its account may not append'],
    ] as const) {
      plain.faults.denies = denies
      expect(await said(plain.url)).toEqual([`EVENTSTORE_URL: ${line}`])
    }
    expect(await said(nowhere)).toEqual([expect.stringMatching(/^EVENTSTORE_URL: /)])
  } finally {
    for (const double of [plain, secured]) double.kill()
    await drop()
  }
})

it('an unusable bucket is reported in one line: secret, name or connection', async () => {
  const { url, drop } = await freshDatabase()
  const double = await s3Double()
  let isClosed = false
  const said = async (more: Record<string, string> = {}) => {
    const { code, lines } = await refusedStart({ DATABASE_URL: url, MASTER_KEY, DATA_DIR: place, ...double.env, ...more })
    expect(code).toBe(isClosed ? 1 : 78)
    expect(lines.join()).not.toContain(more.S3_SECRET_ACCESS_KEY ?? double.account.secretAccessKey)
    return lines
  }
  try {
    expect(await said({ S3_SECRET_ACCESS_KEY: 'hush-hush' })).toEqual(['S3_SECRET_ACCESS_KEY: does not belong to S3_ACCESS_KEY_ID'])
    expect(await said({ S3_BUCKET: 'nowhere' })).toEqual(['S3_BUCKET: there is no such bucket'])
    double.close()
    isClosed = true
    expect(await said()).toEqual([`S3_ENDPOINT: connect ECONNREFUSED ${new URL(double.endpoint).host}`])
  } finally {
    double.close()
    await drop()
  }
})

/** Starts on a database of its own that `prepare` has created, and returns how the start was refused. */
async function refusedOn(prepare: (admin: pg.Client, name: string, owner: string) => Promise<unknown>) {
  const name = `refused_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: inject('postgresUrl') })
  await admin.connect()
  const url = new URL(inject('ownerUrl'))
  try {
    await prepare(admin, name, url.username)
    url.pathname = `/${name}`
    return await refusedStart({ DATABASE_URL: url.href, MASTER_KEY, DATA_DIR: place })
  } finally {
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.end()
  }
}

it('a database in another encoding than UTF-8 is refused in one line', async () => {
  const { code, lines } = await refusedOn((admin, name, owner) =>
    admin.query(`create database ${name} owner ${owner} template template0 encoding 'LATIN1' locale_provider libc locale 'C'`),
  )
  expect({ code, lines }).toEqual({
    code: 78,
    lines: [`DATABASE_URL: the database is encoded in LATIN1; create one with: create database … encoding 'UTF8'`],
  })
})

it('a database without ICU collations is refused in one line', async () => {
  const { code, lines } = await refusedOn(async (admin, name, owner) => {
    await admin.query(`create database ${name} owner ${owner} template template0`)
    const inside = new URL(inject('postgresUrl'))
    inside.pathname = `/${name}`
    const client = new pg.Client({ connectionString: inside.href })
    await client.connect()
    await client.query(`drop collation pg_catalog."und-x-icu"`)
    await client.end()
  })
  expect({ code, lines }).toEqual({
    code: 78,
    lines: ['DATABASE_URL: this Postgres was built without ICU, whose collations sort the names'],
  })
})

it('a read-only database is reported in one line', async () => {
  const { url, drop } = await freshDatabase()
  try {
    const { code, lines } = await refusedStart({ DATABASE_URL: readOnly(url), MASTER_KEY, DATA_DIR: place })
    expect({ code, lines }).toEqual({
      code: 1,
      lines: [expect.stringMatching(/^DATABASE_URL: cannot execute .* in a read-only transaction \(25006\)$/)],
    })
  } finally {
    await drop()
  }
})

it('a second start in one folder fails with one line and leaves the first running', async () => {
  const DATA_DIR = path.join(place, 'shared')
  mkdirSync(DATA_DIR, { mode: 0o755 })
  const first = await startProcess({ DATA_DIR, DEMO: '0', HOME: place })
  const { code, lines } = await refusedStart({ DATA_DIR, DEMO: '0' })
  expect({ code, lines }).toEqual({ code: 1, lines: [expect.stringMatching(/^DATA_DIR: Another process runs the database in /)] })
  expect((await fetch(`${first.url}/api/health`)).status).toBe(200)
  expect(await first.stop()).toBe(0)
  expect(readdirSync(DATA_DIR)).toContain('postgres')
})

it('without a terminal all output is JSON', async () => {
  const { url, drop } = await freshDatabase()
  try {
    const server = await startProcess({
      DATABASE_URL: url,
      MASTER_KEY,
      DATA_DIR: place,
      DEMO: '1',
      SANDBOX: '1',
      LOG_LEVEL: 'info',
      ROELS: 'web',
    })
    expect(await server.stop()).toBe(0)
    const lines = server.output().trim().split('\n')
    const entries = lines.map((line) => JSON.parse(line) as { msg: string; remark?: string })
    const said = entries.map(({ msg }) => msg)
    expect(entries.map(({ remark }) => remark)).toContain('ROELS: is no setting; ROLES is')
    const begun = said.indexOf('The demo company is being made; it answers when that is done.')
    expect(said.findIndex((line) => line.startsWith('The demo company was made'))).toBeGreaterThan(begun)
    expect(begun).toBeGreaterThan(-1)
    expect(said.map((line) => /^(Migrations applied|The demo company|Guichê| {2}customers| {2}sign in|Stopping)/.exec(line)?.[1])).toEqual(
      expect.arrayContaining(['Migrations applied', 'The demo company', 'Guichê', '  customers', '  sign in', 'Stopping']),
    )
  } finally {
    await drop()
  }
})
