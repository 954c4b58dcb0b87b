import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runningPostgres } from '#app/embedded/database.ts'
import { openStore } from '#projections/postgres.ts'
import { dice } from '#tests/kit/dice.ts'
import { type Meta, startMeta } from '#tests/kit/meta/double.ts'
import { appId, appSecret, type Person } from '#tests/kit/meta/world.ts'
import { client, eventually, type Running, signIn, startProcess, until } from '#tests/kit/processes.ts'
import { arrived, recheck } from '#tests/kit/recheck.ts'

/* C1, C2 and C3 through Meta: a number of the Cloud API, a page and its Instagram account, customers who write in bursts, an agent who answers them, and a process that dies. */
const kills = Number(process.env.GUICHE_KILLS ?? 5)
const each = 3
const burst = Number(process.env.GUICHE_BURST ?? 4)
const verifyToken = 'palavra-da-plataforma'
vi.setConfig({ testTimeout: Math.max(600_000, kills * 30_000) })

let meta: Meta
let dataDir: string
let server: Running
let env: Record<string, string>
const where = () => server.url
beforeAll(async () => {
  meta = await startMeta()
  dataDir = await mkdtemp(path.join(tmpdir(), 'guiche-meta-kill-'))
  await chmod(dataDir, 0o755) // Postgres runs as another account where the tests run as root
  const app = { META_APP_ID: appId, META_APP_SECRET: appSecret, META_VERIFY_TOKEN: verifyToken }
  env = { DATA_DIR: dataDir, DEMO: '1', GRAPH_URL: meta.url, META_LOGIN_URL: meta.url, ...app }
  server = await startProcess(env)
  env.PORT = new URL(server.url).port // Meta goes on calling where it called
}, 90_000)
afterAll(async () => {
  await server?.stop()
  await meta?.stop()
  await rm(dataDir, { recursive: true, force: true })
}, 30_000)

type Customer = { name: string; person: Person; says: (texts: string[]) => unknown; said: string[]; answered: string[] }

it(`loses, doubles and reorders nothing when the process is killed ${kills} times in the middle of it (seed 6)`, async () => {
  const ana = await signIn(where, 'admin@demo.test')
  const admin = client(where, ana.token)
  const accessToken = meta.whatsapp.account('9001', '1001', 'Loja', '+55 11 4000-1000', 'their-own-secret')
  const cloud = { phoneNumberId: '1001', businessId: '9001', accessToken, appSecret: 'their-own-secret', verifyToken: 'palavra' }
  const made = await admin('POST', '/whatsapp', { name: 'Oficial', channel: 'whatsappapi', provider: 'cloud', queueIds: [], cloud })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  meta.page.account('2001', 'Loja na página')
  meta.instagram.account('3001', 'loja.insta', '2001')
  expect((await admin('POST', '/facebook', { facebookUserToken: meta.world.grant('user', []), addInstagram: true })).body).toEqual({
    created: 2,
    renewed: 0,
    taken: [],
    left: [],
  })
  const own = { url: `${server.url}/api/webhooks/whatsappapi/${made.body.account.hook}`, secret: cloud.appSecret, verifyToken: 'palavra' }
  expect(await meta.hooks.subscribe({ object: 'whatsapp_business_account', ...own })).toBe(true)
  for (const [object, channel] of [
    ['page', 'facebook'],
    ['instagram', 'instagram'],
  ] as const)
    expect(await meta.hooks.subscribe({ object, url: `${server.url}/api/webhooks/${channel}`, secret: appSecret, verifyToken })).toBe(true)

  const customers: Customer[] = Array.from({ length: 3 * each }, (_, i) => {
    const product = (['whatsapp', 'page', 'instagram'] as const)[Math.floor(i / each)]!
    const name = `Cliente ${i} ${product}`
    const person = product === 'whatsapp' ? meta.whatsapp.person(name, `55119840000${10 + i}`) : meta[product].person(name)
    const says = (texts: string[]) =>
      product === 'whatsapp'
        ? meta.whatsapp.says('1001', person, ...texts.map((body) => ({ type: 'text', text: { body } })))
        : meta[product].texts(product === 'page' ? '2001' : '3001', person, texts)
    return { name, person, says, said: [], answered: [] }
  })
  let running = true
  let doubled = 0
  const throws = dice(6 + Number(process.env.GUICHE_SEED ?? 0))
  /** All of them at once, in envelopes that are told again until they are taken. */
  async function write(): Promise<void> {
    for (let round = 0; running; round++) {
      for (const one of customers) {
        const texts = Array.from({ length: burst }, (_, n) => `${one.name} linha ${round}-${n}`)
        const course = { duplicate: throws.chance(0.3), loseAnswer: throws.chance(0.2) }
        if (course.duplicate) doubled += 1
        meta.hooks.courses.push(course)
        one.says(texts)
        one.said.push(...texts)
      }
      await meta.hooks.quiet()
      await sleep(50 + throws.next() * 150)
    }
  }
  async function answer(one: Customer): Promise<void> {
    const ticket = await eventually(
      async () => (await admin('GET', `/tickets?status=search&searchParam=${encodeURIComponent(one.name)}`)).body.tickets?.[0],
      (found) => found?.id !== undefined,
      60_000, // a process that was killed comes back slowly on a busy machine
    )
    await until(() => admin('PUT', `/tickets/${ticket.id}`, { status: 'open', userId: ana.user.id, queueId: 1 }))
    while (running) {
      const body = `resposta ${one.answered.length} a ${one.name}`
      const id = crypto.randomUUID()
      const { status, body: answered } = await until(() => admin('POST', `/messages/${ticket.id}`, { body }, id), 180_000) // others may be answered, life after life
      expect(status, JSON.stringify(answered)).toBeOneOf([200, 202]) // 202: stored, and shown in a moment
      one.answered.push(body)
      await sleep(150 + throws.next() * 200)
    }
  }
  const work = Promise.all([write(), ...customers.map(answer)])
  work.catch(() => {
    running = false
  })
  const sent = () => customers.reduce((all, { answered }) => all + answered.length, 0)
  for (let kill = 0; kill < kills && running; kill++) {
    // Now and then while it still comes back, else once something was answered, however slow the machine is.
    const before = sent()
    if (kill % 4 !== 1)
      await eventually(
        async () => sent(),
        (now) => now > before || !running,
        90_000,
      )
    await sleep(600 + throws.next() * 900)
    await server.kill()
    server = await startProcess(env)
  }
  await sleep(500)
  running = false
  await work
  await meta.hooks.quiet()

  const url = (await runningPostgres(dataDir))!
  const { db } = openStore(url, 2)
  await arrived(db)
  await meta.hooks.quiet()
  await arrived(db)
  let doubts = 0
  for (const { name, person, said, answered } of customers) {
    const rows = await db
      .selectFrom('message')
      .innerJoin('ticket', 'ticket.id', 'message.ticketId')
      .innerJoin('contact', 'contact.id', 'ticket.contactId')
      .select(['message.body', 'message.fromMe', 'message.uncertain', 'message.elsewhere', 'message.ticketId'])
      .where('contact.name', '=', name)
      .orderBy('message.ticketId')
      .orderBy('message.revision')
      .execute()
    expect(new Set(rows.map(({ ticketId }) => ticketId)).size).toBe(1)
    expect(rows.filter(({ fromMe }) => !fromMe).map(({ body }) => body)).toEqual(said)
    const ours = rows.filter(({ fromMe }) => fromMe)
    expect(ours.map(({ body }) => body)).toEqual(answered)
    expect(ours.some(({ elsewhere }) => elsewhere)).toBe(false)
    const doubtful = new Set(ours.filter(({ uncertain }) => uncertain).map(({ body }) => body))
    doubts += doubtful.size
    /* What nobody knows of is never sent again by itself: it is there once or not at all, and said to be in doubt. */
    const arrived = meta.world.reached(person.id).map(({ body }) => body)
    expect(new Set(arrived).size).toBe(arrived.length)
    expect(arrived.filter((body) => !doubtful.has(body))).toEqual(answered.filter((body) => !doubtful.has(body)))
  }
  const heard = customers.reduce((all, { said }) => all + said.length, 0)
  expect(heard).toBeGreaterThan(2 * customers.length * burst)
  expect(doubts).toBeLessThanOrEqual(kills * 3 * each) // at most what was at the channel in each of them
  const told = `${heard} heard in bursts of ${burst}, ${doubled} of them told twice, ${sent()} sent, ${doubts} in doubt`
  process.stdout.write(`through Meta: ${kills} kills, ${told}\n`)
  await db.destroy()
  const key = Buffer.from(await readFile(path.join(dataDir, 'master.key'), 'utf8'), 'base64')
  expect(await recheck(url, key)).toEqual({ differences: [], bad: [] })
})
