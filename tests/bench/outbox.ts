import { setTimeout as sleep } from 'node:timers/promises'
import { limitOf } from '#app/outbound/limits.ts'
import { costs, each, type Figure } from './bench.ts'
import { asker } from './http.ts'
import { round } from './measure.ts'

const hands = 15
const timeoutMs = 120_000

/**
 * Agents write while their connection is down. Measures from its return until the last message is sent at the rate
 * limit.
 */
export const outbox: Figure = async ({ activeTickets, token, webs, pool, small, cpu }) => {
  const urls = await webs()
  const { connectionId, companyId } = activeTickets
  const n = small ? 1500 : 4000
  const admin = await asker(urls[0]!)
  const stands = async (status: 'CONNECTED' | 'DISCONNECTED') => {
    const answered = await admin.ask('POST', `/sandbox/${connectionId}/session`, token(activeTickets.admins[0]!), { status })
    if (answered.status !== 202) throw new Error(`the session: ${answered.status} ${answered.body()}`)
  }
  const waiting = async () => {
    const text = `select count(*)::int as n from outbox where connection_id = $1 and state = 'waiting' and kind = 'send'`
    return (await pool.query<{ n: number }>(text, [connectionId])).rows[0]!.n
  }
  const until = async (enough: (n: number) => boolean) => {
    for (const end = performance.now() + timeoutMs; !enough(await waiting()); await sleep(20))
      if (performance.now() > end) throw new Error(`${await waiting()} messages are still waiting`)
  }
  const agents = activeTickets.agents.slice(0, hands)
  const text = `select id from ticket where company_id = $1 and user_id = $2 and status = 'open' and whatsapp_id = $3 order by id limit 100`
  const askers = await Promise.all(agents.map((_, i) => asker(urls[i % urls.length]!)))
  const write = async (i: number) => {
    const { rows } = await pool.query<{ id: number }>(text, [companyId, agents[i]!.userId, connectionId])
    for (let k = 0; k < n / hands; k++) {
      const { id } = rows[k % rows.length]!
      const answered = await askers[i]!.ask('POST', `/messages/${id}`, token(agents[i]!), { body: `mensagem ${k}` })
      if (answered.status >= 300) throw new Error(`POST /messages/${id}: ${answered.status} ${answered.body()}`)
    }
  }
  try {
    await until((left) => left === 0)
    await stands('DISCONNECTED')
    await Promise.all(agents.map((_, i) => write(i)))
    await until((left) => left >= n)
    const all = await waiting()
    const before = await cpu()
    const began = performance.now()
    await stands('CONNECTED')
    await until((left) => left === 0)
    const seconds = (performance.now() - began) / 1000
    const cost = each(before, await cpu(), all)
    const { burst, perSecond } = limitOf('sandbox')
    const least = Math.max(0, (all - burst) / perSecond)
    const cloud = limitOf('cloud')
    return [
      {
        figure: 'P24',
        what: `${all} messages are sent by one reconnected connection`,
        ours: `${round(all / seconds)}/s, ${round(seconds)} s; ${costs(cost)}`,
        floor: `${round(least)} s by its bucket of ${perSecond}/s`,
        goal: `≥ ${cloud.perSecond}/s, the fastest bucket of a WhatsApp number`,
        reference: '–',
        held: all / seconds >= cloud.perSecond,
        raw: { all, seconds, cost, bucket: { burst, perSecond } },
      },
    ]
  } finally {
    await stands('CONNECTED')
    for (const one of [admin, ...askers]) one.close()
  }
}
