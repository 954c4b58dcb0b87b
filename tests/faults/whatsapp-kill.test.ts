import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { client, type Running, signIn, startProcess } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/wait.ts'
import { type Double, whatsappDouble } from '#tests/support/whatsapp/double.ts'
import * as given from './kills.ts'

/* Numbers linked by QR code, each through one socket of the process that is killed. */
const kills = given.kills(2, 20)
const accounts = given.accounts(2)
const seed = 7 + given.otherDice

let double: Double
let dataDir: string
let server: Running
let env: Record<string, string>
beforeAll(async () => {
  double = await whatsappDouble()
  dataDir = await mkdtemp(path.join(tmpdir(), 'guiche-whatsapp-kill-'))
  await chmod(dataDir, 0o755) // Postgres runs as another account if the tests run as root
  env = { DATA_DIR: dataDir, DEMO: '1', WHATSAPP_URL: double.url, WHATSAPP_VERSION_URL: double.versionUrl }
  server = await startProcess(env)
  env.PORT = new URL(server.url).port
})
afterAll(async () => {
  await server?.stop()
  await double?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** The text without its author's name. */
const bare = (text: string | null | undefined) => (text ?? '').replace(/^\*.*?\*:?\s*/s, '')

it(`WhatsApp loses, doubles and reorders nothing during ${kills} kills (seed ${seed})`, async () => {
  const where = () => server.url
  const admin = client(where, (await signIn(where, 'admin@demo.test')).token)
  const customers: given.Customer[] = []
  for (let n = 0; n < accounts; n++) {
    const phone = double.addPhone({ pn: `55119000${String(n).padStart(5, '0')}`, name: `Loja ${n}` })
    const { status, body } = await admin('POST', '/whatsapp', { name: `Loja ${n}`, channel: 'whatsapp' })
    expect(status, JSON.stringify(body)).toBe(200)
    const becomes = (fits: (one: { status: string; qrcode: string }) => boolean) =>
      eventually(
        async () => (await admin('GET', `/whatsapp/${body.id}`)).body,
        (one) => fits(one),
      )
    await phone.scan((await becomes(({ qrcode }) => qrcode !== '')).qrcode)
    await becomes((one) => one.status === 'CONNECTED')
    for (let i = 0; i < given.customersOf(3); i++) {
      const name = `Cliente ${n}-${String(i).padStart(3, '0')}`
      const who = double.addContact({ pn: `5521${n}${String(10_000_000 + i)}`, name })
      async function writes(texts: string[], again: boolean): Promise<void> {
        for (const text of texts) {
          const id = await who.says(phone, text)
          if (again) await who.says(phone, text, { id })
        }
      }
      const received = () => who.received.map(({ message }) => bare(message.extendedTextMessage?.text ?? message.conversation))
      customers.push({ name, writes, received })
    }
  }
  const met = await given.underKills({ env, server, customers, kills, burst: given.burst(4), seed })
  process.stdout.write(`through WhatsApp (seed ${seed}): ${met}\n`)
})
