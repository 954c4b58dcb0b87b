import type { TicketRow } from '#domain/ticket/contract.ts'
import { costs, each, type Figure } from './bench.ts'
import { load, steadily } from './measure.ts'

const clients = 8

/** One user in four is an admin who reads all tickets; agents read their own and unassigned ones. */
export const ticketList: Figure = async ({ activeTickets, token, server, seconds, pool, cpu }) => {
  const { url } = await server()
  const crowd = activeTickets.agents.flatMap((agent, i) => (i % 3 === 0 ? [activeTickets.admins[i]!, agent] : [agent]))
  const next = (n: number) => {
    const person = crowd[n % crowd.length]!
    const path = `/tickets?status=open&pageSize=40${person.admin ? '&showAll=true' : ''}`
    const right = (row: TicketRow) => row.status === 'open' && (person.admin || row.userId === person.userId)
    const check = (body: string) => {
      const { tickets } = JSON.parse(body) as { tickets: TicketRow[] }
      return tickets.length === 40 && tickets.every(right) ? null : `not the 40 rows in sight: ${body.slice(0, 200)}`
    }
    return { path, token: token(person), check }
  }
  await load(url, clients, seconds(3), next)
  const before = await cpu()
  const ours = await load(url, clients, seconds(10), next)
  const cost = each(before, await cpu(), ours.n * 1.1)
  const bare = `
    select t.*, c.name as contact, c.number, w.name as whatsapp, q.name as queue, u.name as "user" from ticket t
    join contact c on c.id = t.contact_id left join connection w on w.id = t.whatsapp_id left join queue q on q.id = t.queue_id
    left join "user" u on u.id = t.user_id where t.company_id = $1 and t.status = 'open' and t.user_id = $2
    order by t.updated_at desc, t.id desc limit 41`
  const floor = await steadily(clients, seconds(5), async (_, n) => {
    const values = [activeTickets.companyId, activeTickets.agents[n % activeTickets.agents.length]!.userId]
    const { rows } = await pool.query({ name: 'floor-p1', text: bare, values })
    if (rows.length !== 41) throw new Error(`the floor read ${rows.length} rows`)
  })
  return [
    {
      figure: 'P1',
      what: `open list of 40, ${clients} clients, signed in, visibility applied`,
      ours: `p95 ${ours.p95} ms, ${ours.perSecond}/s; ${costs(cost)}`,
      floor: `p95 ${floor.p95} ms, ${floor.perSecond}/s (its SQL through pg)`,
      goal: 'p95 ≤ 20 ms, ≥ 1,000/s',
      reference: 'p95 108 ms, 107/s',
      held: ours.p95 <= 20 && ours.perSecond >= 1000,
      raw: { ours, cost, floor },
    },
  ]
}
