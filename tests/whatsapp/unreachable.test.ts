import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { becomes } from '#tests/support/whatsapp/linked.ts'

/* A server without a network: nothing listens at the address of WhatsApp. */
let app: TestApp
const lines: { msg: string; connectionId?: number; reason?: string }[] = []
beforeAll(async () => {
  app = await startTestApp({ config: { whatsappUrl: 'ws://127.0.0.1:9/ws/chat' }, log: (line) => lines.push(JSON.parse(line)) })
})
afterAll(() => app?.stop({ faultsExpected: true }))

it('a phone that cannot be linked because WhatsApp is unreachable says so on screen, in the log and in the metrics', async () => {
  const admin = app.as('admin')
  const { body } = await admin('POST', '/whatsapp', { name: 'Sem rede', channel: 'whatsapp' })
  await becomes(app, body.id, 'OPENING')
  expect((await admin('GET', `/whatsapp/${body.id}`)).body).toMatchObject({ status: 'OPENING', reason: 'UNREACHABLE', qrcode: '' })
  expect(lines.find(({ msg, connectionId }) => msg === 'WhatsApp socket ended' && connectionId === body.id)?.reason).toBe('UNREACHABLE')
  expect((await app.stranger('GET', '/metrics')).body).toContain('guiche_connections_away{reason="UNREACHABLE"} 1')
})

it('the client still names expired codes as we recognise them', async () => {
  const client = fileURLToPath(import.meta.resolve('@whiskeysockets/baileys'))
  expect(await readFile(client.replace(/index\.js$/, 'Socket/socket.js'), 'utf8')).toContain("'QR refs attempts ended'")
})
