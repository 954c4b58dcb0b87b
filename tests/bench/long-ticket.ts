import { setTimeout as sleep } from 'node:timers/promises'
import type { MessageRow } from '#domain/message/contract.ts'
import type { Bench, Figure } from './bench.ts'
import { type Asker, asker } from './http.ts'
import { spread } from './measure.ts'

/** An agent's sends in a very long ticket and in a usual one: the first of a new process, and later ones. */
export const longTicket: Figure = async (bench) => {
  const { activeTickets, token, pool, small } = bench
  const endless = await served(bench, activeTickets.size.tickets + 2)
  const { rows } = await pool.query<{ id: number }>(`select id from ticket where company_id = $1 and status = 'open' order by id limit 1`, [
    activeTickets.companyId,
  ])
  const usual = await served(bench, rows[0]!.id)
  const send = async (to: typeof endless, one: Asker, n: number) => {
    const answered = await one.ask('POST', `/messages/${to.id}`, token(to.agent), { body: `recado ${n}` })
    if (answered.status !== 200) throw new Error(`POST /messages/${to.id}: ${answered.status} ${answered.body()}`)
    return answered.ms
  }
  /** A new process that has handled other tickets and never this one. */
  async function cold(): Promise<{ one: Asker; ms: number }> {
    await bench.aside(async () => undefined)
    const one = await asker((await bench.server()).url)
    for (let n = 0; n < 30; n++) await send(usual, one, n)
    return { one, ms: await send(endless, one, 0) }
  }
  const bare = await cold()
  bare.one.close()
  const { one, ms: first } = await cold()
  const times = { long: [] as number[], short: [] as number[] }
  for (let n = 0; n < (small ? 100 : 300); n++) {
    times.long.push(await send(endless, one, n))
    times.short.push(await send(usual, one, n))
  }
  const [long, short] = [spread(times.long, 1), spread(times.short, 1)]
  await sent(bench)
  const pages: number[] = []
  const deepest = Math.floor(activeTickets.size.endless / 3 / 40)
  for (let n = 0; n < 80; n++) {
    const answered = await one.ask(
      'GET',
      `/messages/${endless.id}?pageNumber=${1 + ((n * 7919) % deepest)}`,
      token(activeTickets.admins[0]!),
    )
    const { messages } = JSON.parse(answered.body()) as { messages: MessageRow[] }
    if (messages.length < 40) throw new Error(`a page of ${messages.length} messages`)
    if (n >= 20) pages.push(answered.ms) // Postgres plans the first executions of a statement each time
  }
  const page = spread(pages, 1)
  const replay: number[] = []
  for (let n = 0; n < 5; n++)
    replay.push((await one.ask('GET', `/ticket-history/${endless.uuid}?from=${n * 3000}`, token(activeTickets.admins[0]!))).ms)
  const chain = await one.ask('GET', `/ticket-history/${endless.uuid}/chain`, token(activeTickets.admins[0]!))
  one.close()
  const walk = JSON.parse(chain.body()) as { chain: { holds: boolean } }
  return [
    {
      figure: 'P20',
      what: `a send in a ticket of ${activeTickets.size.endless} events; a page of its messages at any depth; its replay`,
      ours: `cold ${first.toFixed(1)} ms (without a snapshot ${bare.ms.toFixed(0)}), then p50 ${long.p50}, p95 ${long.p95} ms; page p95 ${page.p95} ms; 5,000 facts of the replay ${spread(replay, 1).p50} ms, its chain ${chain.ms.toFixed(0)} ms, ${walk.chain.holds ? 'holds' : 'BROKEN'}`,
      floor: `a usual ticket p50 ${short.p50}, p95 ${short.p95} ms`,
      goal: 'cold ≤ 50 ms; page p95 ≤ 12 ms',
      reference: '–',
      held: first <= 50 && page.p95 <= 12 && walk.chain.holds,
      raw: { bare: bare.ms, first, long, short, page, replay, chain: chain.ms },
    },
  ]
}

/** Waits until the messages above are sent, so that nothing runs beside the page reads. */
async function sent({ pool }: Bench): Promise<void> {
  for (const late = performance.now() + 60_000; performance.now() < late; await sleep(200)) {
    const { rows } = await pool.query(`select from outbox where state = 'waiting' limit 1`)
    if (rows.length === 0) return
  }
}

async function served({ pool, activeTickets }: Bench, id: number) {
  const { rows } = await pool.query<{ uuid: string; userId: number }>(`select uuid, user_id as "userId" from ticket where id = $1`, [id])
  const { uuid, userId } = rows[0]!
  return { id, uuid, agent: activeTickets.agents.find((agent) => agent.userId === userId)! }
}
