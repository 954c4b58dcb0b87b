import type { MessageRow } from '#domain/message/contract.ts'
import { costs, each, type Figure } from './bench.ts'
import { load, steadily } from './measure.ts'

const clients = 8

/**
 * Pages of 40 messages of tickets all over the data set, each read by its owner, including the contact's earlier
 * tickets.
 */
export const messagePage: Figure = async ({ activeTickets, token, server, seconds, pool, cpu }) => {
  const { url } = await server()
  const { seed } = activeTickets.size
  const text = 'select id, user_id as "userId" from ticket where company_id = $1 and user_id is not null order by id limit 100000'
  const { rows } = await pool.query<{ id: number; userId: number }>(text, [activeTickets.companyId])
  const agents = new Map(activeTickets.agents.map((agent) => [agent.userId, agent]))
  const served = rows.filter(({ userId }) => agents.has(userId))
  const at = (n: number) => served[(n * 7919 + seed * 31) % served.length]!
  const pick = (n: number) => at(n).id
  const next = (n: number) => {
    const { id, userId } = at(n)
    const check = (body: string) => {
      const { messages } = JSON.parse(body) as { messages: MessageRow[] }
      return messages.length > 3 && messages.at(-1)?.ticketId === id ? null : `not the page of ${id}: ${body.slice(0, 200)}`
    }
    return { path: `/messages/${id}`, token: token(agents.get(userId)!), check }
  }
  await load(url, clients, seconds(2), next)
  const before = await cpu()
  const ours = await load(url, clients, seconds(8), next)
  const cost = each(before, await cpu(), ours.n * 1.1)
  const floor = await steadily(clients, seconds(4), async (_, n) => {
    const text = 'select * from message where ticket_id = $1 order by revision desc limit 41'
    await pool.query({ name: 'floor-p3', text, values: [pick(n)] })
  })
  return [
    {
      figure: 'P3',
      what: `a ticket's messages page, ${clients} clients`,
      ours: `p95 ${ours.p95} ms, ${ours.perSecond}/s; ${costs(cost)}`,
      floor: `p95 ${floor.p95} ms, ${floor.perSecond}/s (its rows through pg)`,
      goal: 'p95 ≤ 12 ms',
      reference: 'p95 90 ms, 124/s',
      held: ours.p95 <= 12,
      raw: { ours, cost, floor },
    },
  ]
}
