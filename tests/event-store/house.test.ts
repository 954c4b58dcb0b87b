import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contactKeys } from '#app/crypto/contact-keys.ts'
import { createEsdbEventStore } from '#app/event-store/eventstoredb.ts'
import { rebuild } from '#app/event-store/rebuild.ts'
import { streamPrefixes } from '#app/modules.ts'
import { verifyLog } from '#app/verification/verify.ts'
import { openStore } from '#projections/postgres.ts'
import { ticketProjector } from '#projections/ticket/projector.ts'
import { eventStoreDouble } from '#tests/support/eventstore.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { client, type Running, signIn, startProcess } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/wait.ts'

/* The whole product on EventStoreDB: a process started with EVENTSTORE_URL, against the wire double. */
let double: Awaited<ReturnType<typeof eventStoreDouble>>
let database: FreshDatabase
let dataDir: string
let server: Running
const masterKey = randomBytes(32)

beforeAll(async () => {
  double = await eventStoreDouble()
  database = await freshDatabase()
  dataDir = await mkdtemp(path.join(tmpdir(), 'guiche-esdb-'))
  await chmod(dataDir, 0o755)
  server = await startProcess({
    ...{
      DATABASE_URL: database.url,
      EVENTSTORE_URL: double.url,
      DATA_DIR: dataDir,
      MASTER_KEY: masterKey.toString('base64'),
      DEMO: '1',
      SANDBOX: '1',
    },
  })
})
afterAll(async () => {
  await server?.stop()
  await double?.kill()
  await database?.drop()
  if (dataDir) await rm(dataDir, { recursive: true, force: true })
})

it('a customer writes, an agent answers and closes, and the chain is valid, on EventStoreDB', async () => {
  const where = () => server.url
  const admin = client(where, (await signIn(where, 'admin@demo.test')).token)
  const ana = await signIn(where, 'ana@demo.test')
  const agent = client(where, ana.token)
  const found = (name: string) => async () => (await admin('GET', `/tickets?status=search&searchParam=${name}`)).body.tickets?.[0]

  expect(await admin('POST', '/sandbox/1/inbound', { id: 'e-1', from: '5511955550001', name: 'Evento', body: 'bom dia' })).toMatchObject({
    status: 202,
  })
  const ticket = await eventually(found('Evento'), (row) => row?.status === 'pending')
  expect((await agent('PUT', `/tickets/${ticket.id}`, { status: 'open', userId: ana.user.id, queueId: 1 })).body).toMatchObject({
    status: 'open',
    userId: ana.user.id,
  })
  expect((await agent('POST', `/messages/${ticket.id}`, { body: 'Bom dia, Evento!' })).status).toBe(200)
  double.drop('error') // the subscriptions end and resume where they were
  const arrived = await eventually(
    async () => (await admin('GET', '/sandbox/1/outbox?to=5511955550001')).body,
    (rows) => rows.length === 1,
  )
  expect(arrived[0].body).toBe('Bom dia, Evento!')
  expect(
    (await agent('PUT', `/tickets/${ticket.id}`, { status: 'closed', userId: ana.user.id, sendFarewellMessage: false })).body.status,
  ).toBe('closed')
  const history = (await admin('GET', `/ticket-history/${ticket.uuid}`)).body
  expect(history.chain.holds).toBe(true)
  expect(history.events[1].data.body).toBe('bom dia')
  expect(double.calls.batchAppend).toBe(0)

  const log = createEsdbEventStore(double.url)
  const { db, pool } = openStore(database.url, 4)
  expect(
    (await rebuild(ticketProjector, { db, connectionString: database.url, eventStore: log, contactKeys: contactKeys(pool, masterKey) }))
      .differences,
  ).toEqual([])
  const verdict = await verifyLog(log, streamPrefixes)
  expect(verdict.bad).toEqual([])
  expect(verdict.streams).toBeGreaterThan(300)
  await log.close()
  await db.destroy()
})

it('each subscriber logs an outage of the event store once, and nothing confirmed is lost', async () => {
  const where = () => server.url
  const admin = client(where, (await signIn(where, 'admin@demo.test')).token)
  const before = server.output().length
  const receive = (id: string) => admin('POST', '/sandbox/1/inbound', { id, from: '5511955550002', name: 'Ausente', body: id })
  expect((await receive('w-1')).status).toBe(202)
  double.kill()
  expect((await receive('w-2')).status).toBe(202) // the journal has it
  await eventually(
    async () => server.output().slice(before),
    (out) => out.includes('"operation":"event subscription","msg":"Operation failing; retrying"'),
  )
  expect((await admin('GET', '/ready')).status).toBe(503)
  await double.start()
  const thread = async () => {
    const ticket = (await admin('GET', '/tickets?status=search&searchParam=Ausente')).body.tickets?.[0]
    return ticket ? (await admin('GET', `/messages/${ticket.id}`)).body.messages.map(({ body }: { body: string }) => body) : []
  }
  await eventually(thread, (bodies) => bodies.length === 2)
  expect(await thread()).toEqual(['w-1', 'w-2'])
  const lines = () =>
    server
      .output()
      .slice(before)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { msg: string; operation?: string })
  const who = (what: string) => lines().flatMap(({ msg, operation }) => (msg === what ? [operation!] : []))
  const [waits, on] = ['Operation failing; retrying', 'Operation recovered']
  await eventually(
    async () => new Set(who(waits)).difference(new Set(who(on))).size,
    (left) => left === 0,
  )
  expect(who(waits)).toHaveLength(new Set(who(waits)).size) // one line each
  expect(who(on).toSorted()).toEqual(who(waits).toSorted())
  expect(who(waits)).toContain('event subscription')
})
