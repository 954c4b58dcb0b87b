import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore, type Store } from '#projections/postgres.ts'
import { arrived, assertStoresConsistent } from '#tests/support/assert-stores-consistent.ts'
import { type EventStoreDouble, eventStoreDouble } from '#tests/support/eventstore.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { type Client, client, lives, type Running, signIn, startProcess } from '#tests/support/processes.ts'
import { noRedis, startRedis } from '#tests/support/redis.ts'
import { isSoak, times } from '#tests/support/soak.ts'
import { eventually, until } from '#tests/support/wait.ts'

const settings = [
  { log: 'Postgres', jobs: 'Postgres' },
  { log: 'EventStoreDB', jobs: noRedis ? 'Postgres' : 'Redis' },
] as const
/** Messages that customers send before the next fault. */
const linesBetweenFaults = 24
const drops = times(6, 40)
describe.each(settings)('two webs, a projector and two workers, with the log on $log and jobs on $jobs', ({ log, jobs }) => {
  let database: FreshDatabase
  let store: Store
  let dataDir: string
  let redis: Awaited<ReturnType<typeof startRedis>> | null = null
  let double: EventStoreDouble | null = null
  let env: Record<string, string>
  const masterKey = randomBytes(32)
  const running = new Map<string, Running>()

  const start = async (name: string, roles: string) => running.set(name, await startProcess({ ...env, ROLES: roles }))
  const where = (name: string) => () => running.get(name)!.url

  beforeAll(async () => {
    database = await freshDatabase()
    dataDir = await mkdtemp(path.join(tmpdir(), 'guiche-many-'))
    await chmod(dataDir, 0o755)
    if (jobs === 'Redis') redis = await startRedis()
    if (log === 'EventStoreDB') double = await eventStoreDouble()
    env = {
      ...{ DATABASE_URL: database.url, DATA_DIR: dataDir, MASTER_KEY: masterKey.toString('base64'), DEMO: '1', SANDBOX: '1' },
      ...(redis && { REDIS_URL: redis.url }),
      ...(double && { EVENTSTORE_URL: double.url }),
    }
    await start('web1', 'web')
    await Promise.all([start('web2', 'web'), start('projector', 'projector')])
    await Promise.all([start('worker', 'worker'), start('worker2', 'worker')])
    store = openStore(database.url, 2)
  })

  afterAll(async () => {
    await Promise.all([...running.values()].map((one) => one.stop()))
    await store?.db.destroy()
    await redis?.stop()
    double?.kill()
    await database?.drop()
    if (dataDir) await rm(dataDir, { recursive: true, force: true })
  })

  /** What does not depend on the event store runs once. A soak run repeats it with both. */
  const onceIt = log === 'Postgres' || isSoak ? it : () => undefined

  onceIt('tells exactly one of five agents that a ticket is theirs, across processes', async () => {
    const admin = await signIn(where('web1'), 'admin@demo.test')
    const says = client(where('web1'), admin.token)
    const agents = await Promise.all(
      ['admin', 'ana', 'bruno', 'carla', 'super'].map(async (name, i) => {
        const at = where(i % 2 ? 'web2' : 'web1')
        const { token, user } = name === 'admin' ? admin : await signIn(at, `${name}@demo.test`)
        return { id: user.id, name: user.name, queueId: name === 'bruno' ? 2 : 1, ask: client(at, token) }
      }),
    )
    const rounds = times(20, 200)
    for (let i = 0; i < rounds; i++)
      expect(
        (
          await says('POST', '/sandbox/1/inbound', {
            id: `race-${i}`,
            from: `55117000${String(i).padStart(5, '0')}`,
            name: `Corrida ${i}`,
            body: 'oi',
          })
        ).status,
      ).toBe(202)
    const waiting = await eventually(
      async () => (await says('GET', `/tickets?status=search&searchParam=Corrida&pageSize=100`)).body.tickets as { id: number }[],
      (found) => found?.length === rounds,
    )
    for (const { id } of waiting) {
      const answers = await Promise.all(
        agents.map(({ id: userId, queueId, ask }) => ask('PUT', `/tickets/${id}`, { status: 'open', userId, queueId })),
      )
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409, 409, 409])
      const first = agents[answers.findIndex(({ status }) => status === 200)]!
      const lost = answers.filter(({ status }) => status === 409)
      expect(lost.map(({ body }) => body.user.name)).toEqual(lost.map(() => first.name)) // each agent gets the owner's name (A-TICKET-04)
    }
  })

  it('an agent can accept and answer during a burst of messages from the same customer', async () => {
    const { token, user } = await signIn(where('web1'), 'admin@demo.test')
    const [agent, phone] = [client(where('web1'), token), client(where('web2'), token)]
    const says = (n: number) =>
      phone('POST', '/sandbox/1/inbound', { id: `burst-${jobs}-${n}`, from: '5511722220000', name: 'Apressada', body: `pressa ${n}` })
    expect((await says(0)).status).toBe(202)
    const found = () => agent('GET', '/tickets?status=search&searchParam=Apressada')
    const { id } = (await eventually(found, ({ body }) => body?.tickets?.length === 1)).body.tickets[0] as { id: number }
    const most = 300
    const numbers = Array.from({ length: most }, (_, n) => n + 1).values()
    const burst = Promise.all(
      Array.from({ length: 8 }, async () => {
        for (const n of numbers) expect((await says(n)).status).toBe(202)
      }),
    )
    const answers = [await agent('PUT', `/tickets/${id}`, { status: 'open', userId: user.id, queueId: 1 })]
    for (let n = 0; n < 20; n++) answers.push(await agent('POST', `/messages/${id}`, { body: `calma ${n}` }))
    expect(answers.map(({ status, body }) => (status === 200 ? status : body))).toEqual(answers.map(() => 200))
    await burst
    const rows = await eventually(
      () => store.db.selectFrom('message').select(['body', 'fromMe']).where('ticketId', '=', id).orderBy('revision').execute(),
      (all) => all.filter(({ fromMe }) => !fromMe).length > most,
    )
    const ours = rows.filter(({ body }) => body.startsWith('calma'))
    expect(ours.map(({ body }) => body)).toEqual(Array.from({ length: 20 }, (_, n) => `calma ${n}`))
    expect(new Set(rows.map(({ body }) => body)).size).toBe(rows.length)
  })

  it('nothing is lost, doubled or reordered while processes are killed under load', async () => {
    const admin = client(where('web1'), (await signIn(where('web1'), 'admin@demo.test')).token)
    const other = client(where('web2'), (await signIn(where('web2'), 'super@demo.test')).token)
    const said = await under(8, [admin, other], async (more) => {
      for (const [name, roles] of [
        ['projector', 'projector'],
        ['worker', 'worker'],
        ['web1', 'web'],
        ['projector', 'projector'],
        ['worker2', 'worker'],
      ] as const) {
        await more(linesBetweenFaults)
        await running.get(name)!.kill()
        if (name !== 'web1') await more(linesBetweenFaults) // while it is down
        await start(name, roles)
      }
      await more(linesBetweenFaults)
    })
    await arrived(store.db)
    await expectThreads(said, store)
    expect(await assertStoresConsistent(database.url, masterKey, double?.url)).toEqual({ differences: [], bad: [] })
  })

  onceIt('comes through a Postgres that drops every connection again and again', async () => {
    const admin = client(where('web1'), (await signIn(where('web1'), 'admin@demo.test')).token)
    const other = client(where('web2'), (await signIn(where('web2'), 'super@demo.test')).token)
    const drop = async (more: More) => {
      const { pool } = openStore(database.url.replace(/\/t_\w+/, '/postgres'), 1)
      const name = new URL(database.url).pathname.slice(1)
      for (let i = 0; i < drops; i++) {
        await more(Math.ceil(Math.random() * linesBetweenFaults))
        await pool.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user', [name])
      }
      await pool.end()
      await more(linesBetweenFaults)
    }
    const said = await under(6, [admin, other], drop, 'p')
    for (const [name, one] of running) expect([name, lives(one)], one.output()).toEqual([name, true])
    await arrived(store.db)
    await expectThreads(said, store)
    expect(await assertStoresConsistent(database.url, masterKey, double?.url)).toEqual({ differences: [], bad: [] })
  })
})

/** Resolves when customers have sent this many more messages. */
type More = (lines: number) => Promise<unknown>

/** Customers write until `happens` ends, alternately through two webs, each message confirmed before the next. */
async function under(
  customers: number,
  webs: [Client, Client],
  happens: (more: More) => Promise<void>,
  prefix = 'w',
): Promise<Map<string, string[]>> {
  const said = new Map<string, string[]>()
  let on = true
  let count = 0
  const write = async (i: number) => {
    const name = `${prefix}${i} Carga`
    const lines: string[] = []
    said.set(name, lines)
    while (on) {
      const body = `${name} line ${lines.length}`
      const inbound = {
        id: `${prefix}-${i}-${lines.length}`,
        from: `55116${prefix.charCodeAt(0)}000${String(i).padStart(3, '0')}`,
        name,
        body,
      }
      const answer = await until(() => webs[lines.length % 2]!('POST', '/sandbox/1/inbound', inbound))
      expect(answer.status, JSON.stringify(answer.body)).toBe(202)
      lines.push(body)
      count++
      await sleep(60 + Math.random() * 100)
    }
  }
  const more: More = async (lines) => {
    const wanted = count + lines
    await eventually(
      async () => count,
      (now) => now >= wanted || !on,
    )
  }
  const stopped = () => {
    on = false
  }
  await Promise.all([
    happens(more).finally(stopped),
    ...Array.from({ length: customers }, (_, i) =>
      write(i).catch((error) => {
        stopped()
        throw error
      }),
    ),
  ])
  return said
}

async function expectThreads(said: Map<string, string[]>, { db }: Store): Promise<void> {
  for (const [name, lines] of said) {
    const rows = await eventually(
      () =>
        db
          .selectFrom('message')
          .innerJoin('ticket', 'ticket.id', 'message.ticketId')
          .innerJoin('contact', 'contact.id', 'ticket.contactId')
          .select(['message.body', 'message.ticketId'])
          .where('contact.name', '=', name)
          .orderBy('message.ticketId')
          .orderBy('message.revision')
          .execute(),
      (found) => found.length >= lines.length,
    )
    expect(rows.map(({ body }) => body)).toEqual(lines)
    expect(new Set(rows.map(({ ticketId }) => ticketId)).size).toBe(1)
  }
}
