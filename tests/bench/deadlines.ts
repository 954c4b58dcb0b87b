import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, costs, each, type Figure, type Measured } from './bench.ts'
import { asker } from './http.ts'
import { round } from './measure.ts'

const connections = 16
/** Longer than the configured wait, so that all deadlines are due at once. */
const waitsMs = 61_000

/** Milliseconds of processor time a second without any activity. */
async function idle({ cpu, seconds }: Bench): Promise<{ server: number; postgres: number }> {
  const lasts = seconds(20)
  const before = await cpu()
  await sleep(lasts * 1000)
  return each(before, await cpu(), lasts)
}

/** The idle cost of the app with deadlines of next year, and without. */
async function pending(bench: Bench): Promise<Measured> {
  const { pool, activeTickets, webs } = bench
  const many = 100_000
  await webs()
  await sleep(5000) // the work that the start began
  const without = await idle(bench)
  await pool.query(
    `insert into deadline (company_id, aggregate_id, kind, due_at)
     select $1, 2000000000 + n, 'inactivity', now() + interval '1 year' from generate_series(1, $2::int) n`,
    [activeTickets.companyId, many],
  )
  await pool.query('vacuum analyze deadline')
  const within = await idle(bench)
  await pool.query('delete from deadline where aggregate_id > 2000000000')
  const sum = (one: typeof without) => one.server + one.postgres
  return {
    figure: 'P22 idle',
    what: `${many} deadlines not due yet: an idle second with and without them`,
    ours: `${costs(within)}; without ${costs(without)}`,
    floor: 'the same house without them, in the same run',
    goal: 'at most 10 ms more',
    reference: '',
    held: sum(within) - sum(without) <= 10,
    raw: { many, within, without },
  }
}

/**
 * Customers wait on a connection of their own, which is then set to pass them on after a minute that is already
 * over.
 */
export const deadlines: Figure = async (bench) => {
  const { activeTickets, token, webs, pool, cpu, small } = bench
  const idly = await pending(bench)
  const many = small ? 1000 : 10_000
  const admin = token(activeTickets.admins[0]!)
  const urls = await webs()
  const askers = await Promise.all(Array.from({ length: connections }, (_, i) => asker(urls[i % urls.length]!)))
  const called = async (method: string, path: string, body?: object) => {
    const one = await asker(urls[0]!) // a new connection, because idle ones are closed
    const { status, body: answer } = await one.ask(method, path, admin, body)
    one.close()
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${answer()}`)
    return JSON.parse(answer() || 'null')
  }
  const run = String(randomInt(100_000)).padStart(5, '0')
  const { id } = (await called('POST', '/whatsapp', { name: `Prazos ${run}`, channel: 'whatsapp', provider: 'sandbox' })) as { id: number }
  await called('POST', `/sandbox/${id}/scan`, {})
  let n = 0
  await Promise.all(
    askers.map(async ({ ask }) => {
      for (let mine = n++; mine < many; mine = n++) {
        const from = `55${run}${String(mine).padStart(6, '0')}`
        const { status } = await ask('POST', `/sandbox/${id}/inbound`, admin, {
          id: `${run}-${mine}`,
          from,
          name: `Cliente ${mine}`,
          body: 'oi',
        })
        if (status !== 202) throw new Error(`inbound: ${status}`)
      }
    }),
  )
  const counted = async (where: string): Promise<number> =>
    Number(
      (await pool.query(`select count(*) as n from ticket where whatsapp_id = $1 and status = 'pending' and ${where}`, [id])).rows[0].n,
    )
  const until = async (where: string, timeoutMs: number) => {
    for (const end = performance.now() + timeoutMs; (await counted(where)) < many; await sleep(250))
      if (performance.now() > end) throw new Error(`${await counted(where)} of ${many} tickets: ${where}`)
  }
  await until('queue_id is null', 120_000)
  await sleep(waitsMs)
  const before = await cpu()
  const began = performance.now()
  await called('PUT', `/whatsapp/${id}`, { sendIdQueue: activeTickets.queueIds[0], timeSendQueue: '1' })
  await until('queue_id is not null', 300_000)
  const took = (performance.now() - began) / 1000
  const cost = each(before, await cpu(), many)
  for (const one of askers) one.close()
  return [
    {
      figure: 'P22',
      what: `${many} deadlines due at once, each moving a ticket to a queue: due → shown there`,
      ours: `all after ${round(took)} s, ${round(many / took)}/s; ${costs(cost)}`,
      floor: '',
      goal: `${many} in 60 s`,
      reference: '',
      held: took <= 60,
      raw: { many, took, cost },
    },
    idly,
  ]
}
