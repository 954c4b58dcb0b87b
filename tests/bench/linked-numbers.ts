import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runningPostgres } from '#app/embedded/database.ts'
import { limitOf } from '#app/outbound/limits.ts'
import { openStore } from '#projections/postgres.ts'
import { client, signIn, startProcess } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/wait.ts'
import { whatsappDouble } from '#tests/support/whatsapp/double.ts'
import type { Contact, Phone } from '#tests/support/whatsapp/world.ts'
import { each as costOfEach, costs, cpuOf, type Figure } from './bench.ts'
import { round, spread } from './measure.ts'

const accounts = 20
const customersOf = 10
const timeoutMs = 300_000
/** The interval of messages to the other numbers, beside the flooded one. */
const everyMs = 250
type Account = { id: number; phone: Phone; customers: Contact[] }

/** Numbers linked by QR code to a server of its own, with a WhatsApp double in this process. */
export const linkedNumbers: Figure = async (bench) => {
  const each = bench.small ? 60 : 300
  const double = await whatsappDouble()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'guiche-bench-wa-'))
  const server = await startProcess({
    DATA_DIR: dataDir,
    DEMO: '1',
    SANDBOX: '0',
    WHATSAPP_URL: double.url,
    WHATSAPP_VERSION_URL: double.versionUrl,
    ...bench.profiled,
  })
  const store = openStore((await runningPostgres(dataDir))!, 2)
  try {
    const { token } = await signIn(() => server.url, 'super@demo.test')
    const ask = client(() => server.url, token)
    const asked = async (method: string, at: string, body?: object) => {
      const { status, body: answer } = await ask(method, at, body)
      if (status >= 300) throw new Error(`${method} ${at}: ${status} ${JSON.stringify(answer)}`)
      return answer
    }
    const shown = async (like: string): Promise<number> =>
      Number((await store.pool.query('select count(*) as n from message where body like $1', [like])).rows[0].n)
    const cpu = cpuOf(server.pid, (await store.pool.query('select pg_backend_pid() as pid')).rows[0].pid)
    const late = performance.now() + timeoutMs * 2
    async function until(is: () => boolean | Promise<boolean>, everyMs: number): Promise<void> {
      for (; !(await is()); await sleep(everyMs)) if (performance.now() > late) throw new Error('The expected state was not reached')
    }

    const all: Account[] = []
    let people = 0
    async function link(): Promise<void> {
      const n = all.length
      const phone = double.addPhone({ pn: `55119000${String(n).padStart(5, '0')}`, name: `Loja ${n}` })
      const { id } = await asked('POST', '/whatsapp', { name: `Loja ${n}`, channel: 'whatsapp' })
      const becomes = (fits: (one: { status: string; qrcode: string }) => boolean) =>
        eventually(() => asked('GET', `/whatsapp/${id}`), fits)
      await phone.scan((await becomes(({ qrcode }) => qrcode !== '')).qrcode)
      await becomes(({ status }) => status === 'CONNECTED')
      const customers = Array.from({ length: customersOf }, () => {
        const pn = `5521${String(++people).padStart(9, '0')}`
        return double.addContact({ pn, name: `Cliente ${people}` })
      })
      all.push({ id, phone, customers })
    }

    let replays = 0
    /**
     * Sends `n` messages to each disconnected number. Measures the messages a second that are written, confirmed
     * and shown after the reconnect.
     */
    async function replay(n: number) {
      const body = `volta ${++replays}`
      const many = n * all.length
      for (const { phone } of all) phone.refused = '503'
      double.drop()
      const writing = performance.now()
      for (const { phone, customers } of all)
        for (let i = 0; i < n; i++) await customers[i % customersOf]!.says(phone, `${body} linha ${i}`)
      const written = many / ((performance.now() - writing) / 1000)
      const waiting = () => all.reduce((sum, { phone }) => sum + double.companions(phone)[0]!.pending.size, 0)
      for (const { phone } of all) phone.refused = null
      await asked('POST', '/whatsapp-restart')
      await until(() => waiting() < many, 1)
      const began = performance.now()
      const before = cpu()
      const own = process.cpuUsage()
      const rate = async (is: () => boolean | Promise<boolean>) => {
        await until(is, 20)
        return many / ((performance.now() - began) / 1000)
      }
      const [confirmed, seen] = await Promise.all([
        rate(() => waiting() === 0),
        rate(async () => (await shown(`${body} linha %`)) === many),
      ])
      const { user, system } = process.cpuUsage(own)
      return { many, written, confirmed, seen, cost: costOfEach(before, cpu(), many), double: (user + system) / 1000 / many }
    }

    /** Measures how soon messages to the other numbers are shown while `beside` runs. */
    async function beside(name: string, lasts: Promise<unknown>) {
      const times: number[] = []
      const began = performance.now()
      let on = true
      const ends = lasts.then(() => (on = false))
      for (let n = 0; on; n++) {
        const { phone, customers } = all[1 + (n % (accounts - 1))]!
        const body = `${name} ${n}`
        const said = performance.now()
        await customers[0]!.says(phone, body)
        await until(async () => (await shown(body)) > 0, 5)
        times.push(performance.now() - said)
        await sleep(Math.max(0, everyMs - (performance.now() - said)))
      }
      await ends
      return spread(times, (performance.now() - began) / 1000)
    }
    async function flood(n: number): Promise<number> {
      const [{ phone, customers }] = all as [Account]
      const began = performance.now()
      for (let i = 0; i < n; i++) {
        await customers[i % customersOf]!.says(phone, `enchente ${i}`)
        if (i % 10 === 9) await new Promise(setImmediate) // lets the other messages through in between, as WhatsApp does
      }
      await until(async () => (await shown('enchente %')) === n, 50)
      return n / ((performance.now() - began) / 1000)
    }

    /** An agent answers all customers at once. */
    async function send(n: number) {
      const { id, customers } = all.at(-1)!
      const { rows } = await store.pool.query('select id from ticket where whatsapp_id = $1 order by id', [id])
      for (const { id: ticket } of rows) await asked('PUT', `/tickets/${ticket}`, { status: 'open', queueId: 1 })
      const began = performance.now()
      await Promise.all(
        Array.from({ length: n }, (_, i) => asked('POST', `/messages/${rows[i % rows.length].id}`, { body: `resposta ${i}` })),
      )
      await until(() => customers.reduce((sum, { received }) => sum + received.length, 0) >= n, 10)
      return (performance.now() - began) / 1000
    }

    const empty = bench.rssMb(server.pid)
    await link()
    const one = await replay(each * 3)
    while (all.length < accounts) await link()
    const linked = bench.rssMb(server.pid)
    const twenty = await replay(each)
    const quiet = await beside('calmo', sleep(bench.seconds(15) * 1000))
    const flooding = flood(each * 6)
    const crowded = await beside('apertado', flooding)
    const floodRate = await flooding
    const sent = bench.small ? 22 : 70
    const sending = await send(sent)
    const { burst, perSecond } = limitOf('beta')
    const allowed = (sent - burst) / perSecond
    const peak = bench.rssMb(server.pid, true)
    const told = { figure: 'P23', goal: '', reference: '', held: null }
    const floor = (written: number) => `the double says and encrypts ${round(written)}/s, in another process of the same machine`
    const rates = ({ confirmed, seen, cost, double }: typeof one) =>
      `${round(confirmed)}/s confirmed, ${round(seen)}/s shown, ${costs(cost)} each, and ${double.toFixed(2)} ms of the double’s own`
    return [
      {
        ...told,
        what: `${one.many} messages to one linked number, sent while it was disconnected: the first confirmed → the last`,
        ...{ ours: rates(one), floor: floor(one.written), raw: one },
      },
      {
        ...told,
        what: `${twenty.many} messages to ${accounts} linked numbers, likewise`,
        ...{ ours: rates(twenty), floor: floor(twenty.written), goal: '300/s', held: twenty.seen >= 300, raw: twenty },
      },
      {
        ...told,
        what: `a message to one of ${accounts - 1} numbers while another receives ${each * 6} in a row: sent → shown`,
        ours: `p50 ${crowded.p50} ms, p95 ${crowded.p95} ms, at ${round(floodRate)}/s beside it`,
        floor: `with nothing beside it p50 ${quiet.p50} ms, p95 ${quiet.p95} ms`,
        ...{ goal: 'p95 1 s', held: crowded.p95 <= 1000, raw: { crowded, quiet, floodRate } },
      },
      {
        ...told,
        what: `${sent} answers at once by one number: the first requested → the last on its phone`,
        ours: `${round(sending)} s`,
        floor: `${burst} at once and ${perSecond}/s are allowed: ${round(allowed)} s`,
        ...{ goal: 'as fast as allowed, and a second', held: sending <= allowed + 1, raw: { sending, allowed } },
      },
      {
        ...told,
        what: `memory of a process with ${accounts} linked numbers`,
        ours: `${linked} MB (${linked - empty} MB more than with none), ${peak} MB at the most`,
        ...{ floor: '', raw: { empty, linked, peak } },
      },
    ]
  } finally {
    await store.db.destroy()
    await server.stop()
    await double.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
