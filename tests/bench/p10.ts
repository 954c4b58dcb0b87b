import { setTimeout as sleep } from 'node:timers/promises'
import { hashPassword } from '#app/session/password.ts'
import type { Figure } from './bench.ts'
import { spread } from './measure.ts'
import { crowded } from './p8.ts'
import { enter } from './place.ts'

const loginsPerSecond = 5
const password = 'uma senha comprida do banco'

/** P8 with 5,000 seats of one company, while five people a second sign in. */
export const p10: Figure = async (bench) => {
  const { db, place } = bench
  const { url } = await bench.server()
  const first = Date.now() % 1e9
  const people = await Promise.all(Array.from({ length: 140 }, (_, i) => enter(db, place.companyId, first + i, place.queueIds)))
  const passwordHash = await hashPassword(password)
  const signing = people.slice(0, 60)
  await db
    .updateTable('user')
    .set({ passwordHash })
    .where(
      'id',
      'in',
      signing.map(({ userId }) => userId),
    )
    .execute()
  const login = async (n: number) => {
    const body = JSON.stringify({ email: `p${first + (n % signing.length)}@bench.test`, password, remember: false })
    const began = performance.now()
    const { status } = await fetch(`${url}/api/auth/login`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    if (status !== 200) throw new Error(`login: ${status}`)
    return performance.now() - began
  }
  return crowded(bench, {
    figure: 'P10',
    sockets: 5000,
    agents: [...place.agents, ...people.slice(60)],
    async meanwhile(signal) {
      const under: Promise<number>[] = []
      const began = performance.now()
      for (let n = 0; !signal.aborted; n++) {
        under.push(login(n))
        await sleep(1000 / loginsPerSecond)
      }
      const { p50, p95 } = spread(await Promise.all(under), (performance.now() - began) / 1000)
      return `${under.length} sign-ins at ${loginsPerSecond}/s: p50 ${p50}, p95 ${p95} ms`
    },
  })
}
