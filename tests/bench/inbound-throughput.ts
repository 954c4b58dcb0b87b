import { setTimeout as sleep } from 'node:timers/promises'
import { costs, each, type Figure } from './bench.ts'
import { asker } from './http.ts'
import { bareAppends, seat, writing } from './inbound.ts'
import { round, spread } from './measure.ts'

/** Messages sent and not yet on the socket: what one process handles within the goal's time. */
const window = 112
const connections = 16

export const inboundThroughput: Figure = async (bench) => {
  const { activeTickets, token, webs, seconds, pool, cpu } = bench
  const urls = await webs()
  const { run, path, admin, body, shown, stored } = writing(bench)
  const length = seconds(60)
  const askedAt: number[] = []
  const times: number[] = []
  const seen = new Set<number>()
  let free = window
  let wake = () => {}
  let refused = 0
  let counted = Number.POSITIVE_INFINITY

  const socket = await seat(urls[0]!, token(activeTickets.admins[0]!), (text) => {
    const n = Number(shown.exec(text)?.[1] ?? -1)
    if (n < 0 || seen.has(n)) return
    seen.add(n)
    const now = performance.now()
    if (askedAt[n]! >= counted) times.push(now - askedAt[n]!)
    free++
    wake()
  })
  const askers = await Promise.all(Array.from({ length: connections }, (_, i) => asker(urls[i % urls.length]!)))
  const before = await cpu()
  const began = performance.now()
  counted = began + length * 100
  const end = began + length * 1100
  let n = 0
  const taken: number[] = []
  await Promise.all(
    askers.map(async ({ ask }) => {
      while (performance.now() < end) {
        if (free <= 0) {
          await Promise.race([new Promise<void>((resolve) => (wake = resolve)), sleep(20)])
          continue
        }
        free--
        const mine = n++
        askedAt[mine] = performance.now()
        const answered = await ask('POST', path, token(admin(mine)), body(mine))
        if (answered.status !== 202 && refused++ === 0) console.error(`  P5: ${answered.status} ${answered.body()}`)
        taken.push(answered.ms)
      }
    }),
  )
  const late = performance.now() + 15_000
  while (seen.size < n && performance.now() < late) await sleep(50)
  const cost = each(before, await cpu(), n)
  for (const one of askers) one.close()
  socket.terminate()
  const { rows } = await pool.query('select count(distinct body)::int as n from message where words like $1', [stored])
  const lost = n - (rows[0] as { n: number }).n
  const ours = spread(times, length)
  const floor = await bareAppends(bench, window, seconds(4))
  return [
    {
      figure: 'P5',
      what: `sustained inbound for ${round(length)} s, ${window} in flight: journal → decided → appended → projected → on a socket`,
      ours: `${ours.perSecond}/s, p95 ${ours.p95} ms; ${costs(cost)}; lost ${lost}, unseen ${n - seen.size}, refused ${refused}`,
      floor: `${floor.perSecond} appends/s`,
      goal: '≥ 1,000/s, p95 ≤ 150 ms',
      reference: '54/s',
      held: ours.perSecond >= 1000 && ours.p95 <= 150 && lost === 0 && refused === 0,
      raw: { run, ours, cost, taken: spread(taken, length), floor, asked: n, lost, unseen: n - seen.size, refused },
    },
  ]
}
