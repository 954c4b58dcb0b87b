import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Running, startProcess } from '#tests/support/processes.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { times } from '#tests/support/soak.ts'
import { eventually } from '#tests/support/wait.ts'

const kills = times(3, 40, 'GUICHE_KILLS')
const customers = 8
let app: TestApp
let env: Record<string, string>
const workers: Promise<Running>[] = []

beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'] })
  const { db, connectionString, config } = app.ctx
  const { companies, queues, connections } = app.company
  env = {
    ...{ DATABASE_URL: connectionString, DATA_DIR: config.dataDir, MASTER_KEY: config.masterKey!.toString('base64') },
    ...{ DEMO: '0', SANDBOX: '1', ROLES: 'worker' },
  }
  await db.updateTable('connection').set({ greetingMessage: 'Início' }).where('id', '=', connections.loja).execute()
  await db.updateTable('queue').set({ greetingMessage: 'Fila' }).where('id', '=', queues.vendas).execute()
  const option = { companyId: companies.casa, queueId: queues.vendas, queueType: 'text' as const, closeTicket: false, optQueueId: null }
  const none = { optUserId: null, optIntegrationId: null, optFileId: null }
  const add = async (name: string, chatBotId: number | null) => {
    const row = { ...option, ...none, name, position: 0, chatBotId, greetingMessage: name }
    return (await db.insertInto('menuOption').values(row).returning('id').executeTakeFirstOrThrow()).id
  }
  const parent = await add('Nível', null)
  for (const [name, below] of [
    ['Outro', null],
    ['Um fim', parent],
    ['Outro fim', parent],
  ] as const)
    await add(name, below)
  for (let n = 0; n < 3; n++) workers.push(startProcess(env))
  await Promise.all(workers)
})
afterAll(async () => {
  await app?.settled() // the app itself has no worker
  await Promise.all(workers.map(async (worker) => (await worker).kill()))
  await app?.stop()
})

/** An answer of the customer and the bot's reply to it, in a cycle through three menu levels. */
const rounds = [
  ['1', 'Fila'],
  ['1', 'Nível'],
  ['0', 'Fila'],
  ['#', 'Início'],
] as const

it('the bot repeats, loses and reorders no message while its processes are killed', async () => {
  const line = app.company.connections.loja
  let on = true
  const told = new Map<string, string[]>()
  const talk = async (i: number) => {
    const from = `5511955500${String(i).padStart(3, '0')}`
    const expected = ['Início']
    told.set(from, expected)
    await app.phone.says(from, 'oi', { connection: line })
    for (let n = 0; on && n < 40; n++) {
      await sleep(Math.random() * 900)
      const [says, hears] = rounds[n % rounds.length]!
      await app.phone.says(from, says, { connection: line })
      expected.push(hears)
    }
  }
  const killing = async () => {
    for (let n = 0; n < kills; n++) {
      const worker = await workers.shift()!
      await sleep(Math.random() * 300)
      workers.push(startProcess(env)) // another worker continues while this one starts
      await worker.kill()
    }
    on = false
  }
  await Promise.all([killing(), ...Array.from({ length: customers }, (_, i) => talk(i))])
  const heard = async (from: string) => {
    const { body } = await app.as('admin')('GET', `/sandbox/${line}/outbox?to=${from}`)
    return (body as { body: string }[]).map((one) => one.body.split('\n')[0]!)
  }
  for (const [from, expected] of told) {
    const all = await eventually(
      () => heard(from),
      (found) => found.length >= expected.length,
    )
    expect(all).toEqual(expected)
  }
  expect([...told.values()].flat().length).toBeGreaterThan(kills)
})
