import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { runningPostgres } from '#app/embedded/database.ts'
import { openStore } from '#projections/postgres.ts'
import { arrived, assertStoresConsistent } from '#tests/support/assert-stores-consistent.ts'
import { lastingClient, type Running, startProcess } from '#tests/support/processes.ts'
import { type Dice, seededRandom } from '#tests/support/seeded-random.ts'
import { times } from '#tests/support/soak.ts'
import { eventually, until } from '#tests/support/wait.ts'

/** A customer of a channel, with functions to write and to read what arrived. */
export type Customer = {
  name: string
  /** Sends the texts at once. `again`: the provider delivers them twice. */
  writes: (texts: string[], again: boolean) => unknown
  received: () => string[] | Promise<string[]>
}
type Course = {
  /** With DATA_DIR, which gives it a Postgres of its own. */
  env: Record<string, string>
  server: Running
  customers: Customer[]
  kills: number
  /** The number of messages that a customer writes at once. */
  burst: number
  seed: number
  /** Resolves when the provider has delivered every message to the app. */
  quiet?: () => Promise<unknown>
  /** Sets what happens to a message on its way out, in addition to the kills. */
  beforeSend?: (throws: Dice) => void
  /** Whether the outcome of a message can stay unknown, so that it is not sent again automatically. */
  doubts?: boolean
}

/** The size of a run, which the environment may set: kills, sent messages, customers and the seed. */
const given = (name: string, usual: number) => times(usual, usual, name)
export const kills = (once: number, soak: number) => times(once, soak, 'GUICHE_KILLS')
export const burst = (usual: number) => given('GUICHE_BURST', usual)
export const otherDice = given('GUICHE_SEED', 0)
const sends = given('GUICHE_SENDS', 0)
export const accounts = (usual: number) => given('GUICHE_ACCOUNTS', usual)
export const customersOf = (usual: number) => given('GUICHE_CUSTOMERS', usual)
/** The number of customers who write at the same time, however many exist. */
const atOnce = 9
/** The maximum of undecided inbound messages, if a channel journals faster than they are processed. */
const mostUndecided = 500
/** The maximum of queued outbound messages per customer, if agents do not pause between answers. */
const ahead = 2

/**
 * Tests C1, C2, C3 and C5 through a channel. Customers write in bursts, an agent answers each of them, and the
 * process is killed repeatedly, sometimes with its Postgres. At the end phones and tickets hold the same messages
 * in order. Returns a summary of what occurred.
 */
export async function underKills({ env, server: first, customers, kills, burst, seed, ...course }: Course): Promise<string> {
  const { quiet = async () => undefined, beforeSend, doubts = false } = course
  const dataDir = env.DATA_DIR!
  let server = first
  const { ask: admin, user } = await lastingClient(() => server.url, 'admin@demo.test')
  const talks = customers.map((one) => ({ ...one, said: [] as string[], answered: [] as string[] }))
  type Talk = (typeof talks)[number]
  const throws = seededRandom(seed)
  const met = { heard: 0, bursts: 0, twice: 0, sent: 0, uncertain: 0 }
  let running = true

  /** Each message reaches the channel before the next is written. */
  async function write(): Promise<void> {
    for (let round = 0; running; round++) {
      await Promise.all(
        talks.map(async ({ name, said, writes }) => {
          if (round > 0 && !throws.chance(atOnce / talks.length)) return // all have written once
          const texts = Array.from({ length: burst }, (_, n) => `${name} linha ${round}-${n}`)
          const again = throws.chance(0.2)
          said.push(...texts)
          await writes(texts, again)
          met.bursts++
          if (again) met.twice += burst
        }),
      )
      await quiet()
      while (running && undecided > mostUndecided) await sleep(50)
      await sleep((sends > 0 ? 500 : 50) + throws.next() * 150) // if the run counts answers, customers write less
    }
  }
  async function answer(one: Talk): Promise<void> {
    const found = () => admin('GET', `/tickets?status=search&searchParam=${encodeURIComponent(one.name)}`)
    const its = ({ contact }: { contact: { name: string } }) => contact.name === one.name
    // A process that was killed comes back slowly on a busy machine.
    const ticket = (await eventually(found, ({ body }) => body?.tickets?.some(its))).body.tickets.find(its)
    const taken = await until(() => admin('PUT', `/tickets/${ticket.id}`, { status: 'open', userId: user.id, queueId: 1 }))
    expect(taken.status, JSON.stringify(taken.body)).toBeOneOf([200, 202])
    while (running) {
      const body = `resposta ${one.answered.length} a ${one.name}`
      const id = crypto.randomUUID()
      beforeSend?.(throws)
      const { status, body: said } = await until(() => admin('POST', `/messages/${ticket.id}`, { body }, id))
      expect(status, JSON.stringify(said)).toBeOneOf([200, 202]) // 202: stored, and shown a moment later
      one.answered.push(body)
      met.sent++
      if (sends === 0) await sleep(150 + throws.next() * 200)
      else while (running && waiting > ahead * talks.length) await sleep(50)
    }
  }
  let waiting = 0
  let undecided = 0
  async function count(): Promise<void> {
    for (; running; await sleep(250)) {
      const url = await runningPostgres(dataDir).catch(() => null) // it may be down just now
      if (!url) continue
      const { db } = openStore(url, 1)
      const found = await sql<{ leaves: number; came: number }>`
        select (select count(*) from outbox where state = 'waiting') as leaves, (select count(*) from inbound_event where done_at is null) as came`
        .execute(db)
        .catch(() => null)
      waiting = Number(found?.rows[0]?.leaves ?? waiting)
      undecided = Number(found?.rows[0]?.came ?? undecided)
      await db.destroy()
    }
  }

  try {
    const work = Promise.all([write(), ...(sends > 0 ? [count()] : []), ...talks.map(answer)])
    work.catch(() => {
      running = false
    })
    for (let kill = 0; kill < kills && running; kill++) {
      // Sometimes kills before any message arrived, otherwise once enough messages are under way.
      const before = met.sent
      const share = sends / kills
      if (sends > 0 || kill % 4 !== 1)
        await eventually(
          async () => met.sent,
          (now) => now > before + share || !running,
        )
      await sleep(throws.next() * 1200)
      await server.kill()
      if (kill % 5 === 4 || kill === kills - 1)
        process.kill(Number((await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]), 'SIGKILL')
      server = await startProcess(env)
    }
    await eventually(
      async () => [met.sent, met.bursts] as const,
      ([sent, bursts]) => (sent > kills && bursts > kills) || !running,
    )
    running = false
    await work
    await quiet()

    const url = (await runningPostgres(dataDir))!
    const { db } = openStore(url, 2)
    await arrived(db)
    await quiet()
    await arrived(db)
    for (const { name, said, answered, received } of talks) {
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
      if (!doubts) expect(doubtful.size).toBe(0)
      /*
       * A message with an unknown outcome is not sent again. It arrived once or not at all, and is marked as
       * uncertain.
       */
      const there = await received()
      expect(new Set(there).size).toBe(there.length)
      expect(there.filter((body) => !doubtful.has(body))).toEqual(answered.filter((body) => !doubtful.has(body)))
      met.heard += said.length
      met.uncertain += doubtful.size
    }
    expect(met.heard).toBeGreaterThan(kills * burst)
    expect(met.sent).toBeGreaterThan(kills)
    expect(met.uncertain).toBeLessThanOrEqual(0.02 * met.sent + kills * Math.min(talks.length, 24)) // at most the messages at the channels during each kill
    await db.destroy()
    const key = Buffer.from(await readFile(path.join(dataDir, 'master.key'), 'utf8'), 'base64')
    expect(await assertStoresConsistent(url, key)).toEqual({ differences: [], bad: [] })
    return `${kills} kills, ${met.heard} received in ${met.bursts} bursts of ${burst}, ${met.twice} delivered twice, ${met.sent} sent, ${met.uncertain} uncertain`
  } finally {
    running = false
    await server.stop()
  }
}
