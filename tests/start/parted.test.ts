import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openStore } from '#projections/postgres.ts'
import { command } from '#tests/support/command.ts'
import { type EventStoreDouble, eventStoreDouble } from '#tests/support/eventstore.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { type Client, client, type Running, signIn, startProcess } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/wait.ts'

/* Log and tables in two stores, each restored from a copy of a different age (A-OPS-02). */
const MASTER_KEY = Buffer.alloc(32, 13).toString('base64')
let double: EventStoreDouble
let database: FreshDatabase
let dataDir: string
let server: Running | null = null
const others: FreshDatabase[] = []

beforeEach(async () => {
  double = await eventStoreDouble()
  database = await freshDatabase({ migrated: true })
  dataDir = await mkdtemp(path.join(tmpdir(), 'guiche-parted-'))
  await chmod(dataDir, 0o755)
})
afterEach(async () => {
  await server?.stop()
  server = null
  double.kill()
  for (const one of [database, ...others.splice(0)]) await one.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const env = (url: string) => ({ DATABASE_URL: url, EVENTSTORE_URL: double.url, DATA_DIR: dataDir, MASTER_KEY, DEMO: '1', SANDBOX: '1' })
async function start(url: string): Promise<Client> {
  server = await startProcess(env(url))
  const where = () => server!.url
  return client(where, (await signIn(where, 'super@demo.test')).token)
}
async function stop(): Promise<void> {
  await server!.stop()
  server = null
}
/** A copy of the current tables under another name. */
async function copied(): Promise<string> {
  const copy = await freshDatabase({ copyOf: new URL(database.url).pathname.slice(1) })
  others.push(copy)
  return copy.url
}
type Said = { id: string; from: string; name: string; body: string }
async function says(admin: Client, said: Said) {
  expect((await admin('POST', '/sandbox/1/inbound', said)).status).toBe(202)
  return eventually(
    async () => (await admin('GET', `/tickets?status=search&searchParam=${said.name}`)).body.tickets?.[0],
    (ticket) => ticket?.lastMessage === said.body,
  )
}
const words = async (admin: Client, id: number) =>
  (await admin('GET', `/messages/${id}`)).body.messages.map(({ id: n, body }: { id: number; body: string }) => [n, body])

it('older tables catch up with the log, reuse no id and send nothing twice', async () => {
  let admin = await start(database.url)
  const alma = { from: '5511933330001', name: 'Alma' }
  const before = await says(admin, { id: 'a-1', ...alma, body: 'antes da cópia' })
  await stop()
  const older = await copied()

  admin = await start(database.url)
  expect(server!.output()).not.toContain('older copy') // nothing was restored
  await says(admin, { id: 'a-2', ...alma, body: 'depois da cópia' })
  const queue = { status: 'open', queueId: 1 }
  expect((await admin('PUT', `/tickets/${before.id}`, queue)).status).toBe(200)
  expect((await admin('POST', `/messages/${before.id}`, { body: 'já resolvo' })).status).toBe(200)
  await eventually(
    async () => (await admin('GET', `/sandbox/1/outbox?to=${alma.from}`)).body,
    (got) => got.length === 1,
  )
  const lane = (await admin('POST', '/tags', { name: 'Negociação', color: '#123456', kanban: 1 })).body
  expect((await admin('PUT', `/ticket-tags/${before.id}/${lane.id}`)).body).toMatchObject({ id: before.id })
  const newcomer = await says(admin, { id: 'b-1', from: '5511933330002', name: 'Bento', body: 'só o log me conhece' })
  const stood = await words(admin, before.id)
  await stop()

  admin = await start(older)
  expect(server!.output()).toContain('Tables are older than the event store; catching up')
  expect(server!.output()).toMatch(/"contacts":\[\d+\].*Contact keys lost/)
  const stranger = await says(admin, { id: 'c-1', from: '5511933330003', name: 'Cora', body: 'quem sou eu?' })
  expect(stranger.id).toBeGreaterThan(newcomer.id)
  expect(stranger.contact.id).not.toBe(newcomer.contact.id)
  expect(await words(admin, stranger.id)).toEqual([[expect.any(Number), 'quem sou eu?']])
  expect(await words(admin, before.id)).toEqual(stood)
  expect((await admin('GET', `/tickets/u/${before.uuid}`)).body).toMatchObject({ status: 'open', contact: { name: 'Alma' } })
  const another = (await admin('POST', '/tags', { name: 'Outra raia', color: '#654321', kanban: 1 })).body
  expect(another.id).toBeGreaterThan(lane.id) // otherwise Alma’s ticket would be in that lane
  await says(admin, { id: 'a-3', ...alma, body: 'a mesma conversa' })
  expect((await words(admin, before.id)).at(-1)[1]).toBe('a mesma conversa')
  const bodies = (await words(admin, newcomer.id)).map(([, body]: [number, string]) => body)
  expect(bodies).toEqual(['⌫'])
  expect((await admin('GET', `/sandbox/1/outbox?to=${alma.from}`)).body).toEqual([]) // the phone in the older copy got nothing again
})

it('a log older than the tables prevents the start, unless the operator accepts it', async () => {
  let admin = await start(database.url)
  const dora = { from: '5511933330004', name: 'Dora' }
  const ticket = await says(admin, { id: 'd-1', ...dora, body: 'antes' })
  await stop()
  const disk = double.copy()
  admin = await start(database.url)
  await says(admin, { id: 'd-2', ...dora, body: 'perdida com o log' })
  await stop()
  double.put(disk)

  const refused = await startProcess(env(database.url)).then(
    () => 'it started',
    (error: Error) => error.message,
  )
  expect(refused).toMatch(
    /the log is an older copy than the tables, or another log: “\w+” came to event [\w-]+ \(ticket-1-\d+ at \d+, position \d+\), and the log, which ends at position \d+, has none there/,
  )
  expect(refused.split('\n').filter((line) => line !== '')).toHaveLength(2)
  const { out, err } = await command('commands/rebuild.ts', ['--from-log'], env(database.url))
  expect(out + err).toMatch(/the new tables are in place/)

  admin = await start(database.url)
  expect((await words(admin, ticket.id)).map(([, body]: [number, string]) => body)).toEqual(['antes'])
  const now = await says(admin, { id: 'd-3', ...dora, body: 'e agora?' })
  expect(now.id).toBe(ticket.id)
  const { db } = openStore(database.url, 1)
  const last = await db.selectFrom('message').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
  await db.destroy()
  expect((await words(admin, ticket.id)).at(-1)).toEqual([last.id, 'e agora?'])
})
