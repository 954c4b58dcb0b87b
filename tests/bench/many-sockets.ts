import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { hashPassword } from '#app/session/password.ts'
import type { Figure } from './bench.ts'
import { crowded } from './fan-out.ts'
import { spread } from './measure.ts'
import { enter } from './place.ts'

const loginsPerSecond = 5
const password = 'uma senha comprida do banco'

/** P8 with 5,000 socket sessions of one company, while five users a second sign in. */
export const manySockets: Figure = async (bench) => {
  const { db, activeTickets } = bench
  const { url } = await bench.server()
  const first = Date.now() % 1e9
  const people = await Promise.all(
    Array.from({ length: 140 }, (_, i) => enter(db, activeTickets.companyId, first + i, activeTickets.queueIds)),
  )
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
    const status = await posted(`${url}/api/auth/login`, body, `127.0.3.${1 + (n % 200)}`) // calls of strangers are limited per address
    if (status !== 200) throw new Error(`login: ${status}`)
    return performance.now() - began
  }
  return crowded(bench, {
    figure: 'P10',
    sockets: 5000,
    agents: [...activeTickets.agents, ...people.slice(60)],
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

const posted = (url: string, body: string, localAddress: string) =>
  new Promise<number>((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const asked = request(url, { method: 'POST', headers, localAddress, agent: false }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode!))
    })
    asked.once('error', reject).end(body)
  })
