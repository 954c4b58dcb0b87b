import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Meta, startMeta } from '#tests/support/meta/double.ts'
import { appId, appSecret, type Fault } from '#tests/support/meta/world.ts'
import { client, type Running, signIn, startProcess } from '#tests/support/processes.ts'
import type { Dice } from '#tests/support/seeded-random.ts'
import * as given from './kills.ts'

/* A Cloud API number, a page and its Instagram account. */
const kills = given.kills(2, 20)
const seed = 6 + given.otherDice
const verifyToken = 'palavra-da-plataforma'

let meta: Meta
let dataDir: string
let server: Running
let env: Record<string, string>
beforeAll(async () => {
  meta = await startMeta()
  dataDir = await mkdtemp(path.join(tmpdir(), 'guiche-meta-kill-'))
  await chmod(dataDir, 0o755) // Postgres runs as another account if the tests run as root
  const app = { META_APP_ID: appId, META_APP_SECRET: appSecret, META_VERIFY_TOKEN: verifyToken }
  env = { DATA_DIR: dataDir, DEMO: '1', GRAPH_URL: meta.url, META_LOGIN_URL: meta.url, ...app }
  server = await startProcess(env)
  env.PORT = new URL(server.url).port // Meta keeps calling the same port
})
afterAll(async () => {
  await server?.stop()
  await meta?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

it(`Meta channels lose, double and reorder nothing during ${kills} kills (seed ${seed})`, async () => {
  const where = () => server.url
  const admin = client(where, (await signIn(where, 'admin@demo.test')).token)
  const accessToken = meta.whatsapp.account('9001', '1001', 'Loja', '+55 11 4000-1000', 'their-own-secret')
  const cloud = { phoneNumberId: '1001', businessId: '9001', accessToken, appSecret: 'their-own-secret', verifyToken: 'palavra' }
  const made = await admin('POST', '/whatsapp', { name: 'Oficial', channel: 'whatsappapi', provider: 'cloud', queueIds: [], cloud })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  meta.page.account('2001', 'Loja na página')
  meta.instagram.account('3001', 'loja.insta', '2001')
  expect((await admin('POST', '/facebook', { facebookUserToken: meta.world.grant('user', []), addInstagram: true })).body).toEqual({
    created: 2,
    renewed: 0,
    taken: [],
    left: [],
  })
  const own = { url: `${server.url}/api/webhooks/whatsappapi/${made.body.account.hook}`, secret: cloud.appSecret, verifyToken: 'palavra' }
  expect(await meta.hooks.subscribe({ object: 'whatsapp_business_account', ...own })).toBe(true)
  for (const [object, channel] of [
    ['page', 'facebook'],
    ['instagram', 'instagram'],
  ] as const)
    expect(await meta.hooks.subscribe({ object, url: `${server.url}/api/webhooks/${channel}`, secret: appSecret, verifyToken })).toBe(true)

  /** The delivered messages of each customer, sorted on arrival because there are many. */
  const reached = new Map<string, string[]>()
  let known = 0
  function received(id: string): string[] {
    for (; known < meta.world.arrived.length; known++) {
      const { to, body } = meta.world.arrived[known]!
      const before = reached.get(to)
      if (before) before.push(body)
      else reached.set(to, [body])
    }
    return reached.get(id) ?? []
  }
  const each = given.customersOf(3)
  const products = ['whatsapp', 'page', 'instagram'] as const
  const customers = products.flatMap((product, p) =>
    Array.from({ length: each }, (_, i) => {
      const name = `Cliente ${product} ${String(i).padStart(3, '0')}`
      const person = product === 'whatsapp' ? meta.whatsapp.person(name, `5511984${p}${100_000 + i}`) : meta[product].person(name)
      function writes(texts: string[], again: boolean): void {
        meta.hooks.courses.push({ duplicate: again, loseAnswer: again })
        if (product === 'whatsapp') meta.whatsapp.says('1001', person, ...texts.map((body) => ({ type: 'text', text: { body } })))
        else meta[product].texts(product === 'page' ? '2001' : '3001', person, texts)
      }
      return { name, writes, received: () => received(person.id) }
    }),
  )
  function beforeSend(throws: Dice): void {
    const fault = throws.of<Fault>([{ lost: 'answer' }, { lost: 'all' }, { code: 2, status: 500 }])
    if (throws.chance(0.01)) meta.world.faults.push({ on: '/messages', method: 'POST', ...fault })
  }
  const quiet = () => meta.hooks.quiet()
  const met = await given.underKills({ env, server, customers, kills, burst: given.burst(4), seed, quiet, beforeSend, doubts: true })
  process.stdout.write(`through Meta (seed ${seed}): ${met}\n`)
})
