import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { costs, each, type Figure } from './bench.ts'
import { asker } from './http.ts'
import { round } from './measure.ts'

const connections = 16
/** Longer than what is waited for, so that all of it is due at once. */
const waitsMs = 61_000

/** Customers who wait for nobody on a connection of their own, which is then told to pass them on after a minute that is over. */
export const p22: Figure = async (bench) => {
  const { place, token, webs, pool, cpu, small } = bench
  const many = small ? 1000 : 10_000
  const admin = token(place.admins[0]!)
  const urls = await webs()
  const askers = await Promise.all(Array.from({ length: connections }, (_, i) => asker(urls[i % urls.length]!)))
  const called = async (method: string, path: string, body?: object) => {
    const one = await asker(urls[0]!) // of its own: the others are given up while nothing is said
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
  const until = async (where: string, patienceMs: number) => {
    for (const end = performance.now() + patienceMs; (await counted(where)) < many; await sleep(250))
      if (performance.now() > end) throw new Error(`${await counted(where)} of ${many} tickets: ${where}`)
  }
  await until('queue_id is null', 120_000)
  await sleep(waitsMs)
  const before = await cpu()
  const began = performance.now()
  await called('PUT', `/whatsapp/${id}`, { sendIdQueue: place.queueIds[0], timeSendQueue: '1' })
  await until('queue_id is not null', 300_000)
  const took = (performance.now() - began) / 1000
  const cost = each(before, await cpu(), many)
  for (const one of askers) one.close()
  return [
    {
      figure: 'P22',
      what: `${many} deadlines due at once, each of which passes a ticket on to a queue: due → shown there`,
      ours: `all after ${round(took)} s, ${round(many / took)}/s; ${costs(cost)}`,
      floor: '',
      goal: `${many} in 60 s`,
      reference: '',
      held: took <= 60,
      raw: { many, took, cost },
    },
  ]
}
