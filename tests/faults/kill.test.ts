import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runningPostgres } from '#app/embedded/database.ts'
import { openStore } from '#projections/postgres.ts'
import { client, eventually, type Running, signIn, startProcess, until } from '#tests/kit/processes.ts'
import { arrived, recheck } from '#tests/kit/recheck.ts'

/** So many in every run; who is signed in stays so for a quarter of an hour, in which there is time for fifty. */
const kills = Number(process.env.GUICHE_KILLS ?? 20)
const answeredOnes = Number(process.env.GUICHE_ANSWERED ?? 3)
const customers = Math.max(10, answeredOnes)
const perSecond = 50
vi.setConfig({ testTimeout: Math.max(600_000, kills * 30_000) })

let dataDir: string
let server: Running
const where = () => server.url

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'guiche-kill-'))
  await chmod(dataDir, 0o755) // Postgres runs as another account where the tests run as root
  server = await startProcess({ DATA_DIR: dataDir, DEMO: '1' })
}, 90_000)
afterAll(async () => {
  await server?.stop()
  await rm(dataDir, { recursive: true, force: true })
}, 30_000)

it(`loses, doubles and reorders nothing when the process is killed ${kills} times at about ${perSecond} messages a second`, async () => {
  const admin = client(where, (await signIn(where, 'admin@demo.test')).token)
  const ana = await signIn(where, 'ana@demo.test')
  const agent = client(where, ana.token)
  let running = true
  const said = new Map<number, string[]>()
  const answered = new Map<number, string[]>()
  const count = (of: Map<number, string[]>) => [...of.values()].flat().length
  const confirmed = () => count(said)

  /** One customer writes line after line; each is confirmed before the next, and asked again under its id until it is. */
  async function writes(customer: number): Promise<void> {
    const from = `55119700000${String(customer).padStart(2, '0')}`
    const lines: string[] = []
    said.set(customer, lines)
    while (running) {
      const body = `c${customer} line ${lines.length}`
      const answer = await until(() =>
        admin('POST', '/sandbox/1/inbound', { id: `k-${customer}-${lines.length}`, from, name: `Cliente ${customer}`, body }),
      )
      expect(answer.status).toBe(202)
      lines.push(body)
      await sleep((customers / perSecond) * 1000 * (0.5 + Math.random()))
    }
  }
  /** The agent accepts one of them and answers now and then, under one id an answer. */
  async function answers(customer: number): Promise<void> {
    const lines: string[] = []
    answered.set(customer, lines)
    const ticket = await eventually(
      async () => (await admin('GET', `/tickets?status=search&searchParam=${encodeURIComponent(`Cliente ${customer}`)}`)).body.tickets?.[0],
      (found) => found?.id !== undefined,
      90_000,
    )
    const taken = await until(() => agent('PUT', `/tickets/${ticket.id}`, { status: 'open', userId: ana.user.id, queueId: 1 }))
    expect(taken.status, JSON.stringify(taken.body)).toBeOneOf([200, 202]) // 202: stored, and shown in a moment
    while (running) {
      const body = `a${customer} answer ${lines.length}`
      const id = crypto.randomUUID()
      const answer = await until(() => agent('POST', `/messages/${ticket.id}`, { body }, id))
      expect(answer.status, JSON.stringify(answer.body)).toBeOneOf([200, 202]) // 202: stored, and shown in a moment
      lines.push(body)
      await sleep(150 + Math.random() * 200)
    }
  }

  const work = Promise.all([
    ...Array.from({ length: customers }, (_, i) => writes(i)),
    ...Array.from({ length: answeredOnes }, (_, i) => answers(i)),
  ])
  work.catch(() => {
    running = false
  })
  for (let kill = 0; kill < kills && running; kill++) {
    // Now and then before anything was heard, else once there is enough to lose, however slow the machine is.
    const answersBefore = count(answered)
    if (kill % 4 !== 1)
      await eventually(
        async () => ({ lines: confirmed(), answers: count(answered) }),
        (now) => (now.lines > (kill + 1) * 10 && now.answers > answersBefore) || !running,
        90_000,
      )
    await sleep(Math.random() * 700)
    await server.kill()
    if (kill % 5 === 4)
      process.kill(Number((await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]), 'SIGKILL')
    server = await startProcess({ DATA_DIR: dataDir, DEMO: '1' })
  }
  await sleep(500)
  running = false
  await work

  const url = (await runningPostgres(dataDir))!
  const { db } = openStore(url, 2)
  await arrived(db)
  for (const [customer, lines] of said) {
    const tickets = (
      await admin('GET', `/tickets?status=search&searchParam=${encodeURIComponent(`Cliente ${customer}`)}`)
    ).body.tickets.filter((one: { contact: { name: string } }) => one.contact.name === `Cliente ${customer}`)
    expect(tickets).toHaveLength(1)
    const rows = await db
      .selectFrom('message')
      .select(['body', 'fromMe', 'revision'])
      .where('ticketId', '=', tickets[0].id)
      .orderBy('revision')
      .execute()
    expect(rows.filter(({ fromMe }) => !fromMe).map(({ body }) => body)).toEqual(lines)
    expect(rows.filter(({ fromMe }) => fromMe).map(({ body }) => body)).toEqual(answered.get(customer) ?? [])
    const phone = await db
      .selectFrom('sandboxMessage')
      .select('body')
      .where('phone', '=', `55119700000${String(customer).padStart(2, '0')}`)
      .where('fromPhone', '=', false)
      .orderBy('n')
      .execute()
    expect(phone.map(({ body }) => body)).toEqual(answered.get(customer) ?? [])
  }
  expect(confirmed()).toBeGreaterThan(kills * 10)
  process.stdout.write(`through the sandbox: ${kills} kills, ${confirmed()} heard, ${count(answered)} sent\n`)
  await db.destroy()
  const key = Buffer.from(await readFile(path.join(dataDir, 'master.key'), 'utf8'), 'base64')
  expect(await recheck(url, key)).toEqual({ differences: [], bad: [] })
})
