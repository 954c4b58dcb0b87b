import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { firstStart, masterKey } from '#tests/support/browser-env.ts'
import { demoTemplate, freshDatabase } from '#tests/support/postgres.ts'
import { client, freePort, type Running, signIn, startProcess } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/wait.ts'

let demo: Running
let clear: () => Promise<void>
beforeAll(async () => {
  const database = await freshDatabase({ copyOf: await demoTemplate(firstStart) })
  const dataDir = await mkdtemp(path.join(tmpdir(), 'guiche-demo-'))
  clear = async () => {
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  const stores = { DATABASE_URL: database.url, DATA_DIR: dataDir, MASTER_KEY: masterKey.toString('base64') }
  const file = new URL('../support/whatsapp/demo.ts', import.meta.url).pathname
  demo = await startProcess({ ...stores, PORT: `${await freePort()}`, PHONES_PORT: '0' }, file)
})
afterAll(async () => {
  await demo?.kill()
  await clear?.()
})

it('npm run demo:whatsapp links one of three phones and carries messages both ways', async () => {
  const said = await eventually(
    async () => demo.output(),
    (text) => text.includes('Phones: http'),
  )
  const [, phones] = /Phones: (http:\S+)/.exec(said)!
  expect(await (await fetch(phones!)).text()).toContain('<title>Três celulares</title>')
  const tell = async (at: string, body: object) => (await fetch(new URL(at, phones), { method: 'POST', body: JSON.stringify(body) })).status
  expect(await tell('/scan', {})).toBe(400) // no connection shows a code
  expect(await tell('/say', { number: '5511900000002', text: ' ' })).toBe(400)

  const { token } = await signIn(() => demo.url, 'admin@demo.test')
  const ask = client(() => demo.url, token)
  const { body: made } = await ask('POST', '/whatsapp', { name: 'Vitrine', channel: 'whatsapp' })
  await eventually(
    () => tell('/scan', {}),
    (status) => status === 200,
  )
  await eventually(
    async () => (await ask('GET', `/whatsapp/${made.id}`)).body.status,
    (status) => status === 'CONNECTED',
  )
  expect(await tell('/say', { number: '5511900000002', text: 'tem alguém?' })).toBe(200)
  const { id } = await eventually(
    async () => (await ask('GET', '/tickets?status=search&searchParam=Ana')).body.tickets,
    (found) => found?.some(({ lastMessage }: { lastMessage: string }) => lastMessage === 'tem alguém?'),
  ).then((found) => found.find(({ lastMessage }: { lastMessage: string }) => lastMessage === 'tem alguém?'))
  const [{ id: queueId }] = (await ask('GET', '/queue')).body
  expect((await ask('PUT', `/tickets/${id}`, { status: 'open', queueId })).status).toBe(200)
  expect((await ask('POST', `/messages/${id}`, { body: 'tem sim' })).status).toBe(200)
  await eventually(
    async () => (await (await fetch(new URL('/phones', phones))).json()).customers[0].said,
    (lines) => lines.some(({ text }: { text: string }) => text.includes('tem sim')),
  )

  const { kinds } = await (await fetch(new URL('/phones', phones))).json()
  expect(await tell('/send', { number: '5511900000002', kind: 'constructor' })).toBe(400)
  const messages = async () =>
    (await ask('GET', `/messages/${id}?pageNumber=1`)).body.messages as { fromMe: boolean; body: string; mediaType: string }[]
  const before = (await messages()).filter(({ fromMe }) => !fromMe).length
  for (const kind of kinds) expect(await tell('/send', { number: '5511900000002', kind })).toBe(200)
  const received = await eventually(
    async () => (await messages()).filter(({ fromMe }) => !fromMe),
    (list) => list.length === before + kinds.length,
  )
  expect(received.map(({ body }) => body).join('\n')).toContain('Praça da Sé')
  expect(await demo.stop()).toBe(0)
})
