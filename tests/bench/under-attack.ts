import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Figure } from './bench.ts'
import { load } from './measure.ts'
import type { Attack, Attacked } from './stranger.ts'

const clients = 4

/** The list of open tickets for users, alone and during the attacks of a stranger. */
export const underAttack: Figure = async ({ activeTickets, token, server, seconds }) => {
  const { url } = await server()
  const next = (n: number) => ({
    path: '/tickets?status=open&pageSize=40',
    token: token(activeTickets.agents[n % activeTickets.agents.length]!),
  })
  await load(url, clients, seconds(3), next)
  const alone = await load(url, clients, seconds(10), next)
  const child = fork(new URL('./stranger.ts', import.meta.url))
  try {
    child.send({ origin: url } satisfies Attack)
    await sleep(2000)
    const ours = await load(url, clients, seconds(10), next)
    const answer = once(child, 'message') as Promise<[Attacked]>
    child.send('done')
    const [told] = await answer
    return [
      {
        figure: 'C12',
        what: `open list of 40, ${clients} clients, while a stranger floods (${told.knocks} calls, ${told.bodies} large bodies, ${told.slow} slow ones, ${told.upgrades} upgrades answered)`,
        ours: `p95 ${ours.p95} ms, worst ${ours.max} ms, ${ours.perSecond}/s`,
        floor: `p95 ${alone.p95} ms, worst ${alone.max} ms, ${alone.perSecond}/s (nobody else there)`,
        goal: 'p95 at most 2 × the undisturbed one',
        reference: 'every agent stopped for 4.4 s',
        held: ours.p95 <= 2 * alone.p95,
        raw: { ours, alone, told },
      },
    ]
  } finally {
    child.kill('SIGKILL')
  }
}
