import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, Figure, Measured } from './bench.ts'
import { asker } from './http.ts'
import { writing } from './inbound.ts'
import { spread } from './measure.ts'
import type { Person } from './place.ts'
import type { Crowd, Shown } from './sockets.ts'

const perSecond = 40

export const fanOut: Figure = (bench) => crowded(bench, { figure: 'P8', sockets: 2000, agents: bench.activeTickets.agents })

type Crowded = { figure: string; sockets: number; agents: Person[]; meanwhile?: (signal: AbortSignal) => Promise<string> }

/**
 * One socket in ten belongs to an admin and gets every message; an agent's gets those of their tickets.
 * `meanwhile` runs beside it and returns its result.
 */
export async function crowded(bench: Bench, { figure, sockets, agents, meanwhile }: Crowded): Promise<Measured[]> {
  const { activeTickets, token, server, seconds, pool } = bench
  const { url, pid } = await server()
  const { path, admin, body, shown, ticketOf } = writing(bench)
  const crowd = Array.from({ length: sockets }, (_, i) => {
    const some = i % 10 === 0 ? activeTickets.admins : agents
    return some[Math.floor(i / 10) % some.length]!
  })
  const child = fork(new URL('./sockets.ts', import.meta.url))
  const asked = performance.timeOrigin
  try {
    child.send({ origin: url, tokens: crowd.map(token), shown: shown.source } satisfies Crowd)
    await once(child, 'message')
    const askers = await Promise.all(Array.from({ length: 8 }, () => asker(url)))
    const free = [...askers]
    const askedAt: number[] = []
    const total = Math.round(seconds(15) * perSecond)
    const over = new AbortController()
    const beside = meanwhile?.(over.signal)
    const began = performance.now()
    const under: Promise<void>[] = []
    for (let n = 0; n < total; n++) {
      await sleep(Math.max(0, began + (n * 1000) / perSecond - performance.now()))
      const mine = free.pop()
      if (!mine) continue // the sender is behind; a message that was not sent counts as not shown
      askedAt[n] = asked + performance.now()
      const posted = mine.ask('POST', path, token(admin(n)), body(n)).then(({ status }) => {
        if (status !== 202) throw new Error(`inbound: ${status}`)
        free.push(mine)
      })
      under.push(posted)
    }
    await Promise.all(under)
    over.abort()
    const besides = await beside
    await sleep(1500)
    const answer = once(child, 'message') as Promise<[Shown]>
    child.send('done')
    const [told] = await answer
    for (const one of askers) one.close()
    const served = await pool.query<{ id: number; user: number | null }>('select id, user_id as "user" from ticket where id = any($1)', [
      [...new Set(askedAt.keys())].map(ticketOf),
    ])
    const serving = new Map(served.rows.map(({ id, user }) => [id, user]))
    const wanted = (n: number) => crowd.filter((one) => one.admin || one.userId === serving.get(ticketOf(n))).length
    const whole = told.filter(({ n, count }) => count === wanted(n))
    const ours = spread(
      whole.map(({ n, last }) => last - askedAt[n]!),
      total / perSecond,
    )
    const fan = wanted(0)
    return [
      {
        figure,
        what: `inbound message → the last of the ${fan} sockets with access, of ${sockets}; ${perSecond}/s`,
        ours: `p50 ${ours.p50}, p95 ${ours.p95} ms; ${whole.length} of ${total} on all of them${besides ? `; ${besides}` : ''}`,
        floor: 'fan-out alone: 32–38 ms for 2,000 (not measured here)',
        goal: 'p95 ≤ 100 ms',
        reference: '–',
        held: ours.p95 <= 100 && whole.length === total,
        raw: { ours, total, whole: whole.length, fan, rssMb: bench.rssMb(pid) },
      },
    ]
  } finally {
    child.kill()
  }
}
