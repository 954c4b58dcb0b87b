import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { entriesOf, headOf, readAll } from '#app/backup/archive.ts'
import { connected, tablesIn } from '#app/backup/tables.ts'
import { createEsdbEventStore } from '#app/event-store/eventstoredb.ts'
import { openStore } from '#projections/postgres.ts'
import { begin, command } from '#tests/support/command.ts'
import { type EventStoreDouble, eventStoreDouble } from '#tests/support/eventstore.ts'
import { type FreshDatabase, freshDatabase, readOnly } from '#tests/support/postgres.ts'
import { client, signIn, startProcess } from '#tests/support/processes.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')
let app: TestApp
let place: string
let archive: string
let fresh: FreshDatabase
let dataDir: string

/** Every row of a store as text, regardless of order. It omits what a restore leaves out or rewrites. */
async function rows(url: string): Promise<Record<string, string[]>> {
  const at = await connected(url)
  try {
    const found: Record<string, string[]> = {}
    const { rows: known } = await at.query<{ name: string }>(`select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all(array['read_model', 'session', 'login_failure', 'user_presence', 'worker', 'connection_lease', 'scheduled_task', 'ticket_chain',
        'kysely_migration', 'kysely_migration_lock', 'checkpoint'])`)
    for (const { name } of known) {
      const { rows: lines } = await at.query<{ line: string }>(`select t::text as line from "${name}" t order by 1`)
      found[name] = lines.map(({ line }) => line).filter((line) => !line.startsWith('(restoredFrom,'))
    }
    const { rows: reactors } = await at.query(`select name, position, event_id from checkpoint where name <> 'tickets' order by name`)
    found.checkpoint = reactors.map((one) => JSON.stringify(one))
    return found
  } finally {
    await at.end()
  }
}
const restore = (file: string, env: Record<string, string> = {}) =>
  command('commands/restore.ts', [file], { DATABASE_URL: fresh.url, DATA_DIR: dataDir, MASTER_KEY, ...env })
const refused = async (file: string, line: string | RegExp, env: Record<string, string> = {}) => {
  const { code, out, err } = await restore(file, env)
  expect({ code, out, lines: err.trim().split('\n') }).toEqual({ code: 2, out: '', lines: [expect.stringMatching(line)] })
}

beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'guiche-backup-'))
  archive = path.join(place, 'one.tar')
  app = await startTestApp()
  const { contacts, connections, queues, tags, companies } = app.company
  const asked = { contactId: contacts.maria, whatsappId: connections.balcao, queueId: queues.vendas }
  const { body: ticket } = await app.as('bruno')('POST', '/tickets', asked)
  const form = new FormData()
  form.set('body', 'segue o arquivo')
  form.set('medias', new Blob(['Olá, um segredo de arquivo'], { type: 'text/plain' }), 'carta.txt')
  expect((await app.as('bruno')('POST', `/messages/${ticket.id}`, form)).status).toBe(200)
  await app.phone.says('5511988887777', 'uma palavra secreta')
  await app.db
    .insertInto('contactTag')
    .values({ companyId: companies.casa, contactId: contacts.maria, tagId: tags.vip })
    .onConflict((row) => row.doNothing())
    .execute()
  await app.settled()
  const { code, out, err } = await command('commands/backup.ts', [archive], {
    ...{ DATABASE_URL: app.ctx.connectionString, DATA_DIR: app.ctx.config.dataDir, MASTER_KEY },
  })
  expect({ code, err, out }).toEqual({ code: 0, err: '', out: expect.stringMatching(/, 1 files of messages, [\s\S]*master key \w{8}/) })
})
afterAll(async () => {
  await app?.stop()
  rmSync(place, { recursive: true, force: true })
})
beforeEach(async () => {
  fresh = await freshDatabase()
  dataDir = mkdtempSync(path.join(place, 'data-'))
})
afterEach(() => fresh.drop())

describe('a backup', () => {
  it('restores into an empty store with every row unchanged, and ends with a verification', async () => {
    const before = await rows(app.ctx.connectionString)
    expect(await restore(archive)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Restored from \S+\. 2 streams, [1-9]\d* events: every event fits behind the one before it\.\nIts /),
    })
    expect(await rows(fresh.url)).toEqual(before)
    for (const said of [/^This installation is live[^\n]+\n$/, /^$/]) expect((await restore('--go-live')).out).toMatch(said)
    const files = (folder: string) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile())
        .map((one) => readFileSync(path.join(one.parentPath, one.name), 'utf8'))
    expect(files(path.join(dataDir, 'media'))).toEqual(files(path.join(app.ctx.config.dataDir, 'media')))
    expect(files(path.join(dataDir, 'media'))).toEqual(['Olá, um segredo de arquivo'])
    expect((await command('commands/verify.ts', [], { DATABASE_URL: fresh.url, DATA_DIR: dataDir, MASTER_KEY })).code).toBe(0)

    /* It continues as the same store: users sign in, ids are not reused, triggers and live updates work. */
    const { db } = openStore(fresh.url, 2)
    try {
      const { rows: next } = await sql<{ id: number }>`select nextval('ticket_id') as id`.execute(db)
      const { rows: last } = await sql<{ id: number }>`select max(id) as id from ticket`.execute(db)
      expect(next[0]!.id).toBeGreaterThan(last[0]!.id)
      const { rows: off } = await sql`select tgname from pg_trigger where not tgisinternal and tgenabled <> 'O'`.execute(db)
      expect(off).toEqual([])
    } finally {
      await db.destroy()
    }
    await refused(archive, /^the store is not empty/)
  })

  it('contains neither the master key nor a session, and keeps encrypted data encrypted', async () => {
    const parts: string[] = []
    for await (const { name, content } of entriesOf(archive)) {
      parts.push(name)
      const bytes = await readAll(content)
      if (name.startsWith('tables/event/')) expect(bytes.toString()).not.toContain('uma palavra secreta')
    }
    const all = readFileSync(archive)
    expect([all.includes(MASTER_KEY), all.includes(Buffer.alloc(32, 7)), all.includes(Buffer.alloc(32, 7).toString('hex'))]).toEqual([
      ...[false, false, false],
    ])
    expect(parts.some((name) => /session|login_failure|tables\/(ticket|message)\//.test(name))).toBe(false)
    expect(parts.some((name) => name.startsWith('tables/event/'))).toBe(true)
    expect(statSync(archive).mode & 0o077).toBe(0)
  })

  it('contains every table that no projector builds', async () => {
    const at = await connected(app.ctx.connectionString)
    const { tables } = await headOf(archive)
    expect(tables).toEqual(await tablesIn(at))
    await at.end()
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['company', 'contact_key', 'event', 'security_event', 'media']))
  })
})

describe('a restore refuses in one line and creates nothing', () => {
  afterEach(async () => {
    const at = new pg.Client({ connectionString: fresh.url })
    await at.connect()
    const { rows: made } = await at.query(`select relname from pg_class where relnamespace = 'public'::regnamespace`)
    await at.end()
    expect(made).toEqual([])
  })

  it('without the master key, or with another', async () => {
    await refused(archive, /^MASTER_KEY: is key \w{8}, and \S+ opens with key \w{8}/, { MASTER_KEY: randomBytes(32).toString('base64') })
    const { DATABASE_URL, ...embedded } = { DATABASE_URL: fresh.url, DATA_DIR: path.join(dataDir, 'new') }
    expect(await command('commands/restore.ts', [archive], embedded)).toEqual({
      ...{ code: 2, out: '', err: expect.stringMatching(/^MASTER_KEY: is missing, and [^\n]+\n$/) },
    })
    expect(readdirSync(dataDir)).toEqual([])
  })

  it('if the file was altered, is cut off or is no backup', async () => {
    const other = path.join(place, 'other.tar')
    copyFileSync(archive, other)
    const bytes = readFileSync(archive)
    const body = bytes.indexOf('segredo de arquivo')
    expect(body).toBeGreaterThan(0)
    bytes[body] = bytes[body]! ^ 1
    writeFileSync(other, bytes)
    await refused(other, /is not as it was written: media\/\S+ differs$/)
    copyFileSync(archive, other)
    truncateSync(other, statSync(archive).size - 4096)
    await refused(other, /is not as it was written/)
    writeFileSync(other, 'once upon a time')
    await refused(other, /is no backup of Guichê$/)
    await refused(path.join(place, 'none.tar'), /cannot be read \(ENOENT\)$/)
  })

  it('if the backup is of a newer release', async () => {
    const other = path.join(place, 'newer.tar')
    const bytes = readFileSync(archive)
    const { migration } = await headOf(archive)
    bytes.write(migration.replace(/^\d{4}/, '9999'), bytes.indexOf(migration))
    writeFileSync(other, bytes)
    await refused(other, /was made by a newer release \(9999_/)
  })

  it('into the other event store engine', () =>
    refused(archive, /^EVENTSTORE_URL: is set, and the log/, { EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' }))

  it.each([[[]], [['a', 'b']], [['--quickly']]])('with unknown arguments: %j', async (args) => {
    for (const name of ['backup', 'restore']) {
      const { code, out, err } = await command(`commands/${name}.ts`, args, { DATABASE_URL: fresh.url, DATA_DIR: dataDir, MASTER_KEY })
      expect({ code, out, lines: err.trim().split('\n').length }).toEqual({ code: 2, out: '', lines: 1 })
    }
  })
})

it('a backup needs no write permission on the store', async () => {
  const file = path.join(place, 'read-only.tar')
  const env = { DATABASE_URL: readOnly(app.ctx.connectionString), DATA_DIR: app.ctx.config.dataDir, MASTER_KEY }
  expect(await command('commands/backup.ts', [file], env)).toMatchObject({ code: 0, err: '' })
  expect((await restore(file)).code).toBe(0)
})

it('a backup overwrites no file', async () => {
  const env = { DATABASE_URL: app.ctx.connectionString, DATA_DIR: app.ctx.config.dataDir, MASTER_KEY }
  expect(await command('commands/backup.ts', [archive], env)).toEqual({
    code: 2,
    out: '',
    err: `${archive} is there already: name another\n`,
  })
})

it('an interrupted restore keeps the store closed, is reported, and can be repeated', async () => {
  const { child, told } = begin('commands/restore.ts', [archive], { DATABASE_URL: fresh.url, DATA_DIR: dataDir, MASTER_KEY })
  const at = new pg.Client({ connectionString: fresh.url })
  await at.connect()
  await eventually(
    async () => (await at.query(`select from pg_namespace where nspname = 'restoring'`)).rowCount,
    (count) => count === 1,
  )
  child.kill('SIGKILL')
  expect((await told).code).toBe(null)
  await at.end()
  const env = { DATABASE_URL: fresh.url, DATA_DIR: dataDir, MASTER_KEY, PORT: '0' }
  expect(await command('main.ts', [], env)).toMatchObject({
    code: 78,
    err: expect.stringMatching(/^a restore into this store was not finished[^\n]+\n$/),
  })
  expect(await command('commands/backup.ts', [path.join(place, 'half.tar')], env)).toMatchObject({ code: 2 })
  const { code, err } = await restore(archive)
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('was not finished; it starts again') })
  expect(await rows(fresh.url)).toEqual(await rows(app.ctx.connectionString))
})

describe('a backup with the log in EventStoreDB', () => {
  let first: EventStoreDouble
  let second: EventStoreDouble
  let source: FreshDatabase
  beforeAll(async () => {
    first = await eventStoreDouble()
    second = await eventStoreDouble()
    source = await freshDatabase()
  })
  afterAll(async () => {
    first?.kill()
    second?.kill()
    await source?.drop()
  })

  it('restores log and tables together, and the server continues from there', async () => {
    const from = mkdtempSync(path.join(place, 'esdb-'))
    const env = { DATABASE_URL: source.url, EVENTSTORE_URL: first.url, DATA_DIR: from, MASTER_KEY, DEMO: '1', SANDBOX: '1' }
    const server = await startProcess(env)
    const file = path.join(place, 'esdb.tar')
    const saved = await command('commands/backup.ts', [file], env) // while the server runs
    expect(saved).toMatchObject({ code: 0, err: '' })
    await server.stop()
    second.strangers('$stats', 7) // different positions than in the first log
    const into = { DATABASE_URL: fresh.url, EVENTSTORE_URL: second.url, DATA_DIR: dataDir, MASTER_KEY, DEMO: '1', SANDBOX: '1' }
    const told = await command('commands/restore.ts', [file], into)
    expect(told).toMatchObject({ code: 0, out: expect.stringMatching(/[1-9]\d* streams, [1-9]\d* events: every event fits/) })

    const [there, here] = [createEsdbEventStore(first.url), createEsdbEventStore(second.url)]
    const { db } = openStore(fresh.url, 2)
    try {
      const checkpoints = await db.selectFrom('checkpoint').select(['name', 'position', 'eventId']).execute()
      const head = await here.readHeadPosition()
      for (const { position } of checkpoints) expect(BigInt(position) <= head!).toBe(true)
      const streams = await db.selectFrom('ticket').select(['id', 'companyId']).execute()
      expect(streams.length).toBeGreaterThan(0)
      for (const { id, companyId } of streams) {
        const facts = async (log: typeof here) =>
          (await log.read(`ticket-${companyId}-${id}`)).events.map(({ position: _, ...event }) => ({
            ...event,
            revision: String(event.revision),
          }))
        expect(await facts(here)).toEqual(await facts(there))
      }
    } finally {
      await db.destroy()
      await there.close()
      await here.close()
    }
    const again = await startProcess(into)
    try {
      const { token, user } = await signIn(() => again.url, 'admin@demo.test')
      expect(user.companyId).toBe(1)
      const { status, body } = await client(() => again.url, token)('GET', '/tickets?status=open&pageNumber=1')
      expect([status, body.tickets.length > 0]).toEqual([200, true])
    } finally {
      await again.stop()
    }
    const third = await freshDatabase()
    const { code, err } = await command('commands/restore.ts', [file], { ...into, DATABASE_URL: third.url })
    await third.drop()
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/^EVENTSTORE_URL: the log is not empty[^\n]*\n$/) })
  })
})
