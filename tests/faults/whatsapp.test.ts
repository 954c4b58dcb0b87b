import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { proxyTo } from '#tests/event-store/proxy.ts'
import { byPort } from '#tests/support/postgres.ts'
import { lives, type Running, startProcess } from '#tests/support/processes.ts'
import { type Dice, seededRandom } from '#tests/support/seeded-random.ts'
import type { TestApp } from '#tests/support/server.ts'
import { times } from '#tests/support/soak.ts'
import { eventually } from '#tests/support/wait.ts'
import type { Double } from '#tests/support/whatsapp/double.ts'
import { installationAtDouble, linked } from '#tests/support/whatsapp/linked.ts'
import type { Connection, Contact, Phone, SentStanza } from '#tests/support/whatsapp/world.ts'

/*
 * Two workers with one account, and faults of them, of Postgres and of WhatsApp while customers and an agent
 * write.
 */
type Talk = { who: Contact; said: string[]; told: string[]; ticketId: number }
type Happening = (throws: Dice, all: Talk[]) => Promise<unknown>

let double: Double
let app: TestApp
let postgres: Awaited<ReturnType<typeof proxyTo>>
let id: number
let phone: Phone
const workers = new Map<string, Running>()
let env: Record<string, string>

const begin = async (name: string) =>
  void workers.set(name, await startProcess({ ...env, ROLES: 'worker', WHATSAPP_URL: `${double.url}?${name}` }))
beforeAll(async () => {
  ;({ double, house: app } = await installationAtDouble({ roles: ['web', 'projector'] }))
  const { connectionString, config } = app.ctx
  const way = new URL(connectionString)
  postgres = await proxyTo(way.hostname, Number(way.port))
  const key = config.masterKey!.toString('base64')
  env = {
    DATABASE_URL: byPort(connectionString, postgres.port),
    DATA_DIR: config.dataDir,
    MASTER_KEY: key,
    SANDBOX: '1',
    DEMO: '0',
    WHATSAPP_VERSION_URL: double.versionUrl,
    LOG_LEVEL: 'info',
  }
  await Promise.all([begin('one'), begin('two')])
  ;({ id, phone } = await linked(app, double))
})
afterAll(async () => {
  try {
    await app?.settled()
  } finally {
    await Promise.all([...workers.values()].map((one) => one.stop()))
    await app?.stop()
    await postgres?.close()
    await double?.stop()
  }
})

let people = 0
/** Customers who have just written for the first time, each served by an agent. */
function talks(n: number): Promise<Talk[]> {
  return Promise.all(
    Array.from({ length: n }, async () => {
      const name = `Freguesa ${++people}`
      const who = double.addContact({ pn: `55119100${String(people).padStart(5, '0')}`, name })
      await who.says(phone, 'oi')
      const row = () =>
        app.db
          .selectFrom('ticket')
          .innerJoin('contact', 'contact.id', 'ticket.contactId')
          .select('ticket.id')
          .where('contact.name', '=', name)
          .executeTakeFirst()
      const { id: ticketId } = (await eventually(row, (found) => found !== undefined))!
      const taken = await app.as('admin')('PUT', `/tickets/${ticketId}`, { status: 'open', queueId: app.company.queues.vendas })
      expect(taken.status).toBe(200)
      return { who, said: ['oi'], told: [], ticketId }
    }),
  )
}
async function says(talk: Talk, body: string, at = new Date()): Promise<string> {
  talk.said.push(body)
  return await talk.who.says(phone, body, { at })
}

const met = { kills: 0, heard: 0, bursts: 0, twice: 0, sent: 0 }
/** Writes a message, or ten at once now and then. WhatsApp delivers some of them twice under the same id. */
async function writes(talk: Talk, n: number, throws: Dice): Promise<void> {
  const lines = throws.chance(0.3) ? Array.from({ length: 10 }, (_, i) => `dela ${n}-${i}`) : [`dela ${n}`]
  if (lines.length > 1) met.bursts++
  for (const body of lines) {
    const id = await says(talk, body)
    if (!throws.chance(0.1)) continue
    met.twice++
    await talk.who.says(phone, body, { id })
  }
}

/** Kills a run. A session lasts fifteen minutes, which is enough for fifty kills. */
const kills = times(1, 20, 'GUICHE_KILLS')
const otherDice = Number(process.env.GUICHE_SEED ?? 0)
/** Customers and the agent write in random order, and the given faults happen meanwhile. */
async function under(seed: number, lines: number, happens: Happening[]): Promise<void> {
  const throws = seededRandom(seed + otherDice)
  const all = await talks(3)
  const when = new Map(happens.map((what, i) => [Math.floor(((i + 0.5 + throws.next() / 2) * lines) / (happens.length + 1)), what]))
  let happening: Promise<unknown> = Promise.resolve()
  for (let n = 0; n < lines; n++) {
    const what = when.get(n)
    if (what) happening = happening.then(() => what(throws, all))
    const talk = throws.of(all)
    if (throws.chance(0.6)) await writes(talk, n, throws)
    else {
      talk.told.push(`nossa ${n}`)
      expect((await app.as('admin')('POST', `/messages/${talk.ticketId}`, { body: `nossa ${n}` })).status).toBe(200)
    }
  }
  await happening
  await equal(all)
  for (const { said, told } of all) {
    met.heard += said.length
    met.sent += told.length
  }
}

/** The text without its author's name. */
const bare = (text: string | null | undefined) => (text ?? '').replace(/^\*.*?\*:?\s*/s, '')
async function same<T>(look: () => Promise<T>, wanted: T): Promise<void> {
  await eventually(look, (found) => isDeepStrictEqual(found, wanted)).catch(() => undefined)
  expect(await look()).toEqual(wanted)
}
/** Phones and tickets hold the same messages in the same order, and WhatsApp waits for no confirmation. */
async function equal(all: Talk[]): Promise<void> {
  for (const { who, said, told } of all) {
    const rows = () =>
      app.db
        .selectFrom('message')
        .innerJoin('ticket', 'ticket.id', 'message.ticketId')
        .innerJoin('contact', 'contact.id', 'ticket.contactId')
        .select(['message.body', 'message.fromMe', 'message.ack'])
        .where('contact.name', '=', who.name)
        .orderBy('message.ticketId')
        .orderBy('message.revision')
        .execute()
    const side = async (fromMe: boolean) => (await rows()).filter((one) => one.fromMe === fromMe)
    await same(async () => (await side(false)).map(({ body }) => body), said)
    await same(async () => who.received.map(({ message }) => bare(message.extendedTextMessage?.text ?? message.conversation)), told)
    const arrived = told.map((body) => ({ body, arrived: true }))
    await same(async () => (await side(true)).map(({ body, ack }) => ({ body: bare(body), arrived: ack >= 2 })), arrived)
  }
  await same(async () => [...double.companions(phone)[0]!.pending].map(([key, { tag, attrs }]) => ({ key, tag, attrs })), [])
  expect(double.world.unhandled).toEqual([])
}

/** The socket of the account; its path names the worker. */
const socket = (): Promise<Connection> =>
  eventually(
    async () => double.companions(phone)[0]!.connection!,
    (now) => now?.active === true,
  )
const heldBy = () => app.db.selectFrom('connectionLease').select('holder').where('connectionId', '=', id).executeTakeFirstOrThrow()
const output = async () => [...workers.values()].map((each) => each.output()).join('\n')
/** Makes the session start at once, however often it failed. */
async function starts(): Promise<void> {
  const { promise: back, resolve } = Promise.withResolvers<void>()
  double.world.events.once('online', () => resolve())
  expect((await app.as('admin')('POST', `/whatsappsession/${id}`)).status).toBe(200)
  await back
}

it('a worker killed after journaling, or evicted alive, loses and doubles nothing (seed 1)', async () => {
  const kill = async () => {
    met.kills++
    const { promise: died, resolve } = Promise.withResolvers<void>()
    const name = (await socket()).via.slice(1)
    const confirms = ({ stanza }: SentStanza) => {
      if (stanza.attrs.type === 'retry') return
      double.world.events.off('receipt', confirms)
      void workers.get(name)!.kill().then(resolve)
    }
    double.world.events.on('receipt', confirms)
    await died
    await begin(name)
  }
  const bury = async () => {
    await socket()
    const { holder } = await heldBy()
    await app.db.deleteFrom('worker').where('id', '=', holder!).execute()
    await eventually(heldBy, (now) => now.holder !== null && now.holder !== holder)
  }
  for (let n = 0; n < kills; n++) await under(1 + n, 30, [kill, bury])
})

it('a Postgres outage of five seconds loses no message under way (seed 2)', async () => {
  const away = async () => {
    postgres.down()
    await sleep(5000)
    postgres.up()
  }
  await under(2, 20, [away])
})

it('connections ended by Postgres again and again end no worker and lose nothing (seed 5)', async () => {
  const ends = async (throws: Dice) => {
    for (let n = 0; n < 8; n++) {
      await sleep(100 + throws.next() * 700)
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where client_port = any(${postgres.ports()}::int[])`.execute(app.db)
    }
  }
  await under(5, 40, [ends, ends])
  for (const [name, one] of workers) expect([name, lives(one)], one.output()).toEqual([name, true])
})

it('early and late receipts, and a number that becomes an id and back, change nothing (seed 3)', async () => {
  const become = (addressing: Contact['addressing']) => async (throws: Dice, all: Talk[]) => {
    for (const { who } of all) {
      who.addressing = addressing
      who.markMs = throws.of([0, 250])
    }
  }
  await under(3, 24, [become('pn'), become('lid'), become('pn')])
  expect(await app.db.selectFrom('contactDuplicate').selectAll().execute()).toEqual([])
})

it('a session recovers from every way WhatsApp ends it (seed 4: 515, 428, 503, 500, 405)', async () => {
  const ends = (code: string) => async () => (await socket()).fail({ code })
  const drops = async () => (await socket()).drop()
  const refused = async () => {
    const stands = await socket() // reconnected after the previous end
    phone.refused = '405'
    stands.drop()
    await eventually(output, (all) => all.includes('"code":405'))
    phone.refused = null
    await starts()
  }
  await under(4, 30, [ends('515'), drops, ends('503'), ends('500'), refused])
})

it('an account used by another program (440) gets 500 missed messages in order after 30 s', async () => {
  const [talk] = (await talks(1)) as [Talk]
  ;(await socket()).fail({}, [{ tag: 'conflict', attrs: { type: 'replaced' } }])
  await eventually(output, (all) => all.includes('"code":440,"afterMs":30000'))
  const since = Math.floor(Date.now() / 1000) * 1000 - 86_400_000
  for (let n = 0; n < 500; n++) await says(talk, `ontem ${n}`, new Date(since + n * 1000))
  expect(double.companions(phone)[0]!.connection).toBeNull()
  await starts()
  for (let n = 0; n < 5; n++) await says(talk, `hoje ${n}`)
  await equal([talk])
  const times = await app.db
    .selectFrom('message')
    .select('createdAt')
    .where('ticketId', '=', talk.ticketId)
    .where('body', 'like', 'ontem %')
    .orderBy('revision')
    .execute()
  expect(times.map(({ createdAt }) => Date.parse(createdAt) - since)).toEqual(Array.from({ length: 500 }, (_, n) => n * 1000))
})

it('the account has one socket at any time, except after its worker was evicted', () =>
  expect(double.world.replaced).toBeLessThan(kills + 1))

it('every fault occurs at least once', () => {
  const told = `${met.heard} received with ${met.bursts} bursts of 10, ${met.twice} of them delivered twice, ${met.sent} sent`
  process.stdout.write(`through WhatsApp (GUICHE_SEED=${otherDice}): ${met.kills} kills, ${told}\n`)
  expect(Math.min(...Object.values(met))).toBeGreaterThan(0)
})
