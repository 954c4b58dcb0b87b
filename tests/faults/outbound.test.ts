import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore, type Store } from '#projections/postgres.ts'
import { arrived, assertStoresConsistent } from '#tests/support/assert-stores-consistent.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { type Client, client, type Running, signIn, startProcess } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/wait.ts'

/* Two workers share the connections. One is killed, one is suspended and resumed. It takes two lease periods. */
let database: FreshDatabase
let store: Store
let dataDir: string
let env: Record<string, string>
let admin: Client
let userId: number
const masterKey = randomBytes(32)
const running: Running[] = []

beforeAll(async () => {
  database = await freshDatabase({ migrated: true })
  store = openStore(database.url, 2)
  dataDir = await mkdtemp(path.join(tmpdir(), 'guiche-outbound-'))
  await chmod(dataDir, 0o755)
  env = { DATABASE_URL: database.url, DATA_DIR: dataDir, MASTER_KEY: masterKey.toString('base64'), DEMO: '1', SANDBOX: '1' }
  const front = await startProcess({ ...env, ROLES: 'web,projector' })
  running.push(front)
  const where = () => front.url
  const { token, user } = await signIn(where, 'admin@demo.test')
  admin = client(where, token)
  userId = user.id
})
afterAll(async () => {
  await Promise.all(running.map((one) => one.stop()))
  await store?.db.destroy()
  await database?.drop()
  if (dataDir) await rm(dataDir, { recursive: true, force: true })
})

/** Starts one more worker, waits until it is registered, and returns its id. */
async function worker(): Promise<{ process: Running; id: number }> {
  const before = new Set(await workers())
  const process = await startProcess({ ...env, ROLES: 'worker' })
  running.push(process)
  const ids = await eventually(workers, (now) => now.some((id) => !before.has(id)))
  return { process, id: ids.find((id) => !before.has(id))! }
}
const workers = async () => (await store.db.selectFrom('worker').select('id').orderBy('id').execute()).map(({ id }) => id)
const leases = () =>
  sql<{ id: number; holder: number | null }>`
    select c.id, l.holder from connection c left join connection_lease l on l.connection_id = c.id order by c.id`
    .execute(store.db)
    .then(({ rows }) => rows)
/** Waits until these workers lease all connections, each the same number. */
const spreadOver = (ids: number[]) =>
  eventually(leases, (rows) => {
    const held = ids.map((id) => rows.filter(({ holder }) => holder === id).length)
    return held.reduce((sum, n) => sum + n, 0) === rows.length && Math.max(...held) - Math.min(...held) <= 1
  })

let people = 0
/** A customer of a connection whom an agent serves, the agent's messages, and the phone's content. */
async function conversation(connectionId: number) {
  const from = `55119330000${String(++people).padStart(2, '0')}`
  const name = `Freguesa ${people}`
  const hears = (body: string) => admin('POST', `/sandbox/${connectionId}/inbound`, { id: crypto.randomUUID(), from, name, body })
  expect((await hears('oi')).status).toBe(202)
  const found = () => admin('GET', `/tickets?status=search&searchParam=${encodeURIComponent(name)}`)
  const [ticket] = (await eventually(found, ({ body }) => body?.tickets?.length === 1)).body.tickets
  expect((await admin('PUT', `/tickets/${ticket.id}`, { status: 'open', userId, queueId: 1 })).status).toBe(200)
  const said: string[] = []
  return {
    ...{ said, hears, ticketId: ticket.id as number },
    async say(body: string) {
      expect((await admin('POST', `/messages/${ticket.id}`, { body })).status).toBe(200)
      said.push(body)
    },
    phone: async (): Promise<string[]> =>
      (await admin('GET', `/sandbox/${connectionId}/outbox?to=${from}&limit=1000`)).body.map(({ body }: { body: string }) => body),
  }
}
const waiting = (connectionId: number) =>
  store.db.selectFrom('outbox').select('attempts').where('connectionId', '=', connectionId).where('state', '=', 'waiting').execute()

it('messages survive a killed or suspended worker once and in order, in both directions', async () => {
  const { companyId } = await store.db.selectFrom('connection').select('companyId').where('id', '=', 1).executeTakeFirstOrThrow()
  const row = {
    ...{ companyId, channel: 'whatsapp' as const, provider: 'sandbox', number: null, status: 'CONNECTED' as const, isDefault: false },
    ...{ allowGroup: true, groupAsTicket: 'disabled' as const, color: null, greetingMessage: null, complationMessage: null },
  }
  const rows = Array.from({ length: 3 }, (_, n) => ({ ...row, name: `Linha ${n}` }))
  const added = await store.db.insertInto('connection').values(rows).returning('id').execute()
  const one = await worker()
  const two = await worker()
  await spreadOver([one.id, two.id])

  // killed while messages are under way
  const talks = await Promise.all([1, ...added.map(({ id }) => id)].map(conversation))
  for (let n = 0; n < 24; n++) {
    await Promise.all(talks.map((talk) => talk.say(`linha ${n}`)))
    if (n === 8) {
      await one.process.kill()
      await spreadOver([two.id])
    }
  }
  await arrived(store.db)
  for (const { said, phone } of talks) expect(await phone()).toEqual(said)

  // suspended with waiting messages
  const three = await worker()
  const held = await spreadOver([two.id, three.id])
  const id = held.find(({ id, holder }) => holder === two.id && id !== 1)!.id
  const talk = talks[[1, ...added.map((connection) => connection.id)].indexOf(id)]!
  const status = (to: 'CONNECTED' | 'DISCONNECTED') => store.db.updateTable('connection').set({ status: to }).where('id', '=', id).execute()
  expect((await admin('POST', `/sandbox/${id}/faults`, { count: 1000 })).status).toBeLessThan(300) // counts what is sent
  await status('DISCONNECTED')
  for (let n = 0; n < 20; n++) await talk.say(`depois ${n}`)
  await eventually(
    () => waiting(id),
    (left) => left.length === 20,
  )
  process.kill(two.process.pid, 'SIGSTOP')
  try {
    await status('CONNECTED')
    expect((await talk.hears('ainda aí?')).status).toBe(202)
    await arrived(store.db)
    expect(await talk.phone()).toEqual(talk.said)
    expect((await leases()).map(({ holder }) => holder)).not.toContain(two.id)
  } finally {
    process.kill(two.process.pid, 'SIGCONT')
  }
  const [, again] = await eventually(workers, (ids) => ids.length === 2 && ids[1]! > three.id)
  await spreadOver([three.id, again!])
  await talk.say('por fim')
  await eventually(talk.phone, (all) => all.includes('por fim')) // a query of the outbox may come before the message is in it
  await arrived(store.db)
  expect(await talk.phone()).toEqual(talk.said)
  const { remaining } = await store.db
    .selectFrom('sandboxFault')
    .select('remaining')
    .where('connectionId', '=', id)
    .executeTakeFirstOrThrow()
  expect(1000 - remaining).toBe(21)
  const bodies = await store.db
    .selectFrom('message')
    .select('body')
    .where('ticketId', '=', talk.ticketId)
    .where('fromMe', '=', false)
    .orderBy('revision')
    .execute()
  expect(bodies.map(({ body }) => body)).toEqual(['oi', 'ainda aí?'])
  expect(await assertStoresConsistent(database.url, masterKey)).toEqual({ differences: [], bad: [] })
})
