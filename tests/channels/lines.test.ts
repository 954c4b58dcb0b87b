import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { Channel } from '#app/channels/channel.ts'
import { hearing } from '#app/channels/hear.ts'
import { limitOf } from '#app/channels/limits.ts'
import { switchboard, type Work } from '#app/channels/switchboard.ts'
import { follow } from '#app/eventlog/follower.ts'
import { reacting } from '#app/eventlog/reactor.ts'
import { sending, slots } from '#app/message/sending.ts'
import { attend } from '#app/ticket/reactions.ts'
import { eventually } from '#tests/kit/processes.ts'
import { startHouse, type TestHouse } from '#tests/kit/server.ts'

/* Who holds which connection, and what one connection may do to another. The worker's parts run here by hand. */
let house: TestHouse
const done = new AbortController()
const nothing = async () => undefined
const brisk = { beatMs: 50, leaseMs: 5000, sweepMs: 100 }
const boards: { over: AbortController; ended: Promise<void> }[] = []
beforeAll(async () => {
  house = await startHouse({ roles: ['web', 'projector'] })
  void follow(reacting(attend, { ...house.house, later: nothing }, house.db), house.house, done.signal)
}, 30_000)
afterEach(async () => {
  for (const { over, ended } of boards.splice(0)) {
    over.abort()
    await ended
  }
})
afterAll(async () => {
  done.abort()
  await house?.stop()
}, 30_000)

function board<D extends typeof house.house>(works: Work<D>[], deps: D, pace = brisk) {
  const over = new AbortController()
  const ended = switchboard(works, deps, over.signal, pace)
  boards.push({ over, ended })
  return {
    async stop() {
      over.abort()
      await ended
    },
  }
}
/** A provider of which a test knows what is sent by which connection. */
function provider(send: (connectionId: number, body: string) => Promise<void> | void) {
  const channel: Channel = {
    sameIdIsSafe: false,
    send: async ({ connectionId }, _, { body }) => {
      await send(connectionId, body)
      return null
    },
    ...{ edit: nothing, react: nothing, remove: nothing, read: nothing },
  }
  return { ...house.house, channel: () => channel }
}

let made = 0
async function connections(n: number, provider = 'sandbox'): Promise<number[]> {
  const row = {
    ...{ companyId: house.company.companies.casa, channel: 'whatsapp' as const, provider, number: null, status: 'CONNECTED' as const },
    ...{
      isDefault: false,
      allowGroup: true,
      groupAsTicket: 'disabled' as const,
      color: null,
      greetingMessage: null,
      complationMessage: null,
    },
  }
  const rows = Array.from({ length: n }, () => ({ ...row, name: `Linha ${++made}` }))
  const ids = await house.db.insertInto('connection').values(rows).returning('id').execute()
  return ids.map(({ id }) => id)
}
/** Conversations of a connection, and how to say something in one. */
async function conversations(whatsappId: number, n: number) {
  const bruno = house.as('bruno')
  const tickets: number[] = []
  for (let i = 0; i < n; i++) {
    const number = `55119${String(40_000_000 + ++made)}`
    const row = { companyId: house.company.companies.casa, channel: 'whatsapp', number, numberKey: number, name: number, isGroup: false }
    const { id: contactId } = await house.db
      .insertInto('contact')
      .values({ ...row, whatsappId, extraInfo: '[]', lgpdAcceptedAt: null, urlPicture: null, deletedAt: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { status, body } = await bruno('POST', '/tickets', { contactId, whatsappId, queueId: house.company.queues.vendas })
    expect([status, body]).toEqual([200, expect.anything()])
    tickets.push(body.id)
  }
  return { say: async (i: number, body: string) => expect((await bruno('POST', `/messages/${tickets[i]}`, { body })).status).toBe(200) }
}
const waiting = (connectionId: number) =>
  house.db
    .selectFrom('outbox')
    .select('attempts')
    .where('connectionId', '=', connectionId)
    .where('state', '=', 'waiting')
    .orderBy('n')
    .execute()

it('a connection whose channel hangs takes its own slots, and no other waits for it', async () => {
  const [slow, quick] = (await connections(2)) as [number, number]
  const stuck = await conversations(slow, slots + 2)
  const free = await conversations(quick, 1)
  for (let i = 0; i < slots + 2; i++) for (const line of ['a', 'b']) await stuck.say(i, `${i}${line}`)
  await eventually(
    () => waiting(slow),
    (rows) => rows.length === 2 * (slots + 2),
  )
  const answer = Promise.withResolvers<void>()
  const asked: string[] = []
  const arrived: string[] = []
  board(
    [sending],
    provider(async (connectionId, body) => {
      asked.push(body)
      if (connectionId === slow) await answer.promise
      arrived.push(body)
    }),
  )
  await eventually(
    async () => asked.length,
    (n) => n === slots,
  )
  await free.say(0, 'adiante')
  await free.say(0, 'e mais')
  await eventually(
    async () => arrived.length,
    (n) => n === 2,
  )
  expect(arrived).toEqual(['adiante', 'e mais'])
  const theirFirst = asked.filter((body) => /^\d/.test(body))
  expect(theirFirst.every((body) => body.endsWith('a'))).toBe(true)
  expect(new Set(theirFirst).size).toBe(slots) // the first of as many conversations
  answer.resolve()
  await eventually(
    () => waiting(slow),
    (rows) => rows.length === 0,
  )
  const theirs = arrived.filter((body) => /^\d/.test(body))
  expect(theirs).toHaveLength(2 * (slots + 2))
  for (let i = 0; i < slots + 2; i++) expect(theirs.filter((body) => Number.parseInt(body, 10) === i)).toEqual([`${i}a`, `${i}b`])
}, 30_000)

it('what waits for a connection that is away is asked nothing, and leaves in order when it is back', async () => {
  const [id] = (await connections(1)) as [number]
  const set = (status: 'CONNECTED' | 'DISCONNECTED') => house.db.updateTable('connection').set({ status }).where('id', '=', id).execute()
  const { say } = await conversations(id, 1)
  const arrived: string[] = []
  board(
    [sending],
    provider((_, body) => void arrived.push(body)),
    { beatMs: 60_000, leaseMs: 120_000, sweepMs: 60_000 }, // so that nothing but the change of its status wakes it
  )
  await say(0, 'antes')
  await eventually(
    async () => arrived.length,
    (n) => n === 1,
  )
  await set('DISCONNECTED')
  const lines = Array.from({ length: 12 }, (_, i) => `linha ${i}`)
  for (const line of lines) await say(0, line)
  await eventually(
    () => waiting(id),
    (rows) => rows.length === lines.length,
  )
  expect((await waiting(id)).every(({ attempts }) => attempts === 0)).toBe(true)
  expect(arrived).toEqual(['antes'])
  await set('CONNECTED')
  await eventually(
    async () => arrived.length,
    (n) => n === 1 + lines.length,
  )
  expect(arrived).toEqual(['antes', ...lines])
}, 30_000)

it('sends no faster than the provider bears', async () => {
  const [id] = (await connections(1, 'beta')) as [number]
  const { burst, perSecond } = limitOf('beta')
  const { say } = await conversations(id, 2)
  for (let i = 0; i < burst + 3; i++) await say(i % 2, `linha ${i}`)
  await eventually(
    () => waiting(id),
    (rows) => rows.length === burst + 3,
  )
  const began = performance.now()
  const sent: number[] = []
  board(
    [sending],
    provider(() => void sent.push(performance.now() - began)),
  )
  await eventually(
    async () => sent.length,
    (n) => n === burst + 3,
  )
  for (const [i, at] of sent.entries()) expect(i + 1).toBeLessThanOrEqual(burst + (at / 1000) * perSecond)
}, 30_000)

it('connections are spread evenly, move when a process comes or goes, and are never held by two', async () => {
  await connections(10)
  const holders = new Map<number, string[]>()
  const twice: number[] = []
  const work =
    (name: string): Work<typeof house.house> =>
    async ({ now: { id } }, _, signal) => {
      const now = holders.get(id) ?? []
      holders.set(id, [...now, name])
      if (now.length > 0) twice.push(id)
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      holders.set(
        id,
        holders.get(id)!.filter((one) => one !== name),
      )
    }
  const { length: all } = await house.db.selectFrom('connection').select('id').execute()
  const shares = () => Object.values(Object.groupBy([...holders.values()].flat(), (name) => name)).map((held) => held!.length)
  const spread = (processes: number) =>
    eventually(
      async () => shares(),
      (held) => held.length === processes && held.reduce((sum, n) => sum + n, 0) === all && Math.max(...held) - Math.min(...held) <= 1,
    )
  const one = board([work('one')], house.house)
  await spread(1)
  board([work('two')], house.house)
  await spread(2)
  board([work('three')], house.house)
  await spread(3)
  await one.stop()
  expect([...holders.values()].flat()).not.toContain('one')
  await spread(2)
  expect(twice).toEqual([])
}, 30_000)

it('two hundred connections where nothing happens cost no more statements than three, and none of their own', async () => {
  const said: string[] = []
  const { query } = pg.Client.prototype
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: any[]) {
    const text = typeof args[0] === 'string' ? args[0] : (args[0]?.text ?? '')
    if (/journal|outbox|connection|worker/.test(text) && !/listen|bullmq/.test(text)) said.push(text)
    return (query as any).apply(this, args)
  } as never)
  try {
    /** What is said in so many rounds, by what it is. */
    const rounds = async (most: number) => {
      said.length = 0
      const beats = () => said.filter((text) => text.includes('with lives as')).length
      await eventually(
        async () => beats(),
        (n) => n >= most,
      )
      const window = said.slice(0, said.findLastIndex((text) => text.includes('with lives as')) + 1)
      const counts = new Map<string, number>()
      for (const text of window) counts.set(text, (counts.get(text) ?? 0) + 1)
      return [...counts.values()].map((n) => n / beats())
    }
    await sql`delete from connection where name like 'Linha %'`.execute(house.db)
    const over = new AbortController()
    boards.push({
      over,
      ended: switchboard([hearing, sending], provider(nothing), over.signal, { ...brisk, sweepMs: 0 }),
    })
    const held = (n: number) =>
      eventually(
        async () =>
          Number(
            (await sql<{ n: number }>`select count(*) as n from connection_lease where holder is not null`.execute(house.db)).rows[0]!.n,
          ),
        (found) => found === n,
      )
    await held(3)
    await rounds(5)
    const few = await rounds(20)
    await connections(200)
    await held(203)
    await rounds(10) // what each begins with
    const many = await rounds(20)
    expect(few).toHaveLength(4)
    expect(many).toHaveLength(4)
    for (const each of [...few, ...many]) expect(each).toBeLessThanOrEqual(1.1)
  } finally {
    spy.mockRestore()
  }
}, 30_000)
