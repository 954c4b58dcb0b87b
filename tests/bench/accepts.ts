import type { TicketRow } from '#domain/ticket/contract.ts'
import { costs, each, type Figure } from './bench.ts'
import { asker } from './http.ts'
import { bareAppends } from './inbound.ts'
import { spread } from './measure.ts'

const hands = Number(process.env.CL ?? 15)

/**
 * Each agent accepts waiting tickets of one of their queues, one after another. A few warm-up tickets are not
 * counted. Afterwards all are returned, so that the benchmark can run again.
 */
export const accepts: Figure = async (bench) => {
  const { activeTickets, token, webs, pool, small, cpu } = bench
  const urls = await webs()
  const agents = activeTickets.agents.slice(0, hands)
  const text = `select id, queue_id as "queueId" from ticket where company_id = $1 and status = 'pending' and user_id is null order by id limit $2`
  const { rows } = await pool.query<{ id: number; queueId: number }>(text, [activeTickets.companyId, small ? 750 : 3000])
  const shared = (tickets: typeof rows) => {
    const shares = agents.map(() => [] as number[])
    for (const { id, queueId } of tickets) {
      const able = agents.flatMap((agent, i) => (agent.queueIds.includes(queueId) ? [i] : []))
      const [least] = able.toSorted((a, b) => shares[a]!.length - shares[b]!.length)
      shares[least!]!.push(id)
    }
    return shares
  }
  const few = shared(rows.slice(0, rows.length / 5))
  const most = shared(rows.slice(rows.length / 5))
  const askers = await Promise.all(agents.map((_, i) => asker(urls[i % urls.length]!)))
  const all = (shares: number[][], body: object, told: (ms: number, ticket: TicketRow, i: number) => void) =>
    Promise.all(
      shares.map(async (ids, i) => {
        for (const id of ids) {
          const answered = await askers[i]!.ask('PUT', `/tickets/${id}`, token(agents[i]!), body)
          if (answered.status !== 200) throw new Error(`PUT /tickets/${id}: ${answered.status} ${answered.body()}`)
          told(answered.ms, JSON.parse(answered.body()), i)
        }
      }),
    )
  for (const status of ['open', 'pending', 'open', 'pending']) await all(few, { status }, () => undefined)
  const times: number[] = []
  const before = await cpu()
  const began = performance.now()
  await all(most, { status: 'open' }, (ms, ticket, i) => {
    if (ticket.status !== 'open' || ticket.userId !== agents[i]!.userId) throw new Error(`ticket ${ticket.id} was not accepted`)
    times.push(ms)
  })
  const ours = spread(times, (performance.now() - began) / 1000)
  const cost = each(before, await cpu(), times.length)
  await all(most, { status: 'pending' }, () => undefined)
  for (const one of askers) one.close()
  const floor = await bareAppends(bench, hands, small ? 2 : 4)
  return [
    {
      figure: 'P7',
      what: `${times.length} accepts by ${hands} agents on distinct tickets, each answered with its row`,
      ours: `${ours.perSecond}/s, p95 ${ours.p95} ms; ${costs(cost)}`,
      floor: `${floor.perSecond} appends/s, p95 ${floor.p95} ms with ${hands} writers`,
      goal: '≥ 800/s, p95 ≤ 25 ms',
      reference: '44/s, p95 521 ms',
      held: ours.perSecond >= 800 && ours.p95 <= 25,
      raw: { ours, cost, floor },
    },
  ]
}
