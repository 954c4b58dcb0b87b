import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import { downloadMediaMessage } from '@whiskeysockets/baileys'
import { fileTypeFromBuffer } from 'file-type'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore } from '#projections/postgres.ts'
import { enterAs } from '#tests/support/browser.ts'
import { type KillableStage, killableStage } from '#tests/support/browser-env.ts'
import { client, signIn } from '#tests/support/processes.ts'
import { seededRandom } from '#tests/support/seeded-random.ts'
import { eventually } from '#tests/support/wait.ts'
import { readOff } from '#tests/support/whatsapp/camera.ts'
import { type Double, whatsappDouble } from '#tests/support/whatsapp/double.ts'
import { accept, write } from './scene.ts'

let double: Double
let on: KillableStage
let folder: string
beforeAll(async () => {
  double = await whatsappDouble()
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), double.certificate])
  folder = await mkdtemp(path.join(tmpdir(), 'guiche-double-'))
  const trusted = path.join(folder, 'double.pem')
  await writeFile(trusted, double.certificate)
  on = await killableStage({ WHATSAPP_URL: double.url, WHATSAPP_VERSION_URL: double.versionUrl, NODE_EXTRA_CA_CERTS: trusted })
})
afterAll(async () => {
  await on?.clear()
  await double?.stop()
  await rm(folder, { recursive: true, force: true })
})

it('a number is linked by QR code and serves through a kill until the phone unlinks it', async () => {
  const phone = double.addPhone({ pn: '5511900000001', name: 'Loja' })
  const ana = double.addContact({ pn: '5511900000002', name: 'Ana Lima' })
  const { token } = await signIn(() => on.server.url, 'super@demo.test')
  const ask = client(() => on.server.url, token)
  const admin = await on.come()
  await enterAs(admin, 'admin@demo.test', '/connections')
  const { page } = admin
  await page.getByRole('button', { name: 'Nova conexão' }).click()
  await page.getByRole('menuitem', { name: 'WhatsApp QR Code', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Nome').fill('Celular da loja')
  await dialog.getByRole('tab', { name: /Importação/ }).click()
  await dialog.getByLabel('Importar mensagens anteriores').check({ force: true })
  await dialog.getByLabel('A partir de').fill('2020-01-01')
  await dialog.getByLabel('Fila das conversas importadas').selectOption({ label: 'Vendas' })
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await dialog.getByText('Escolha um dia dos últimos dois anos, em ordem').waitFor()
  await admin.shot('connection-import')
  await dialog.getByLabel('Importar mensagens anteriores').uncheck({ force: true })
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  const picture = page.getByRole('img', { name: 'Código QR para ler com o celular' })
  await picture.waitFor()
  await admin.shot('whatsapp-code')
  await phone.scan(await readOff(picture))
  const row = page.getByRole('row').filter({ hasText: 'Celular da loja' })
  await row.locator('[data-status=CONNECTED]').waitFor()
  await dialog.waitFor({ state: 'detached' })

  await ana.says(phone, 'bom dia')
  const ticket = await eventually(
    async () => (await ask('GET', '/tickets?status=search&searchParam=Ana%20Lima')).body.tickets?.[0],
    (found) => found?.lastMessage === 'bom dia',
  )
  await page.goto(`/tickets/${ticket.uuid}`)
  await accept(page)
  ana.type(phone)
  await page.locator('[data-part=head]').getByText('digitando…').waitFor()
  await page.locator('[data-part=card-last]').getByText('digitando…').first().waitFor()
  await admin.shot('whatsapp-typing')
  await ana.says(phone, 'tudo certo?')
  await page.locator('[data-part=writes]').waitFor({ state: 'detached' })
  const typed = once(double.world.events, 'chatstate')
  await write(page, 'bom dia, em que posso ajudar?')
  expect(await typed).toMatchObject([{ to: ana.lidJid, state: 'composing' }])
  const answer = await double.arrived(ana, ({ message }) => message.extendedTextMessage?.text?.includes('posso ajudar'))
  const thread = async () => (await ask('GET', `/messages/${ticket.id}`)).body.messages as { body: string; fromMe: boolean; ack: number }[]
  const ours = async () => (await thread()).find(({ body }) => body.includes('posso ajudar'))?.ack
  await expect.poll(ours).toBe(2)
  ana.mark(phone, answer, 'read')
  await expect.poll(ours).toBe(3)

  await page.getByRole('button', { name: 'Gravar áudio' }).click()
  const recorder = page.getByRole('group', { name: 'Gravando…' })
  await recorder.getByRole('timer').getByText('0:02').waitFor()
  await recorder.getByRole('button', { name: 'Enviar áudio' }).click()
  const { message } = await double.arrived(ana, (one) => one.message.audioMessage)
  expect(message.audioMessage).toMatchObject({ ptt: true, mimetype: 'audio/ogg; codecs=opus', seconds: expect.any(Number) })
  expect(message.audioMessage!.seconds).toBeGreaterThan(0)
  const bytes = await downloadMediaMessage({ key: {}, message }, 'buffer', { host: double.world.mediaHost })
  expect(await fileTypeFromBuffer(bytes)).toEqual({ ext: 'opus', mime: 'audio/ogg; codecs=opus' })
  await page.getByRole('log').getByRole('button', { name: 'Ouvir' }).click()
  await page.getByRole('log').getByRole('button', { name: 'Pausar' }).waitFor()

  const lines = Array.from({ length: 12 }, (_, i) => `linha ${i}`)
  for (const line of lines.slice(0, 6)) await ana.says(phone, line)
  const died = on.dieAndReturn()
  for (const line of lines.slice(6)) await ana.says(phone, line)
  await died
  const heard = async () => (await thread()).filter(({ body }) => body.startsWith('linha')).map(({ body }) => body)
  await eventually(heard, (found) => found.length >= lines.length)
  await expect.poll(() => double.companions(phone)[0]!.pending.size).toBe(0)
  expect(await heard()).toEqual(lines)

  phone.unlink(double.companions(phone)[0]!)
  const gone = page.locator('[data-part=toast]').filter({ hasText: 'A conexão Celular da loja está fora do ar: ' })
  await gone.waitFor() // a user who may configure connections is notified on any screen, once
  await gone.getByRole('button', { name: 'Ver conexões' }).click()
  await page.waitForURL('**/connections')
  await row.locator('[data-status=DISCONNECTED]').waitFor()
  await row.getByRole('button', { name: /Novo código/ }).waitFor()
  await admin.shot('whatsapp-unlinked')
  expect(on.server.output()).not.toMatch(/privKey/)
})

it('a phone is linked by a typed code, with the keyboard, on a narrow dark screen', async () => {
  const phone = double.addPhone({ pn: '5511900000009', name: 'Loja' })
  const { token } = await signIn(() => on.server.url, 'admin@demo.test')
  const ask = client(() => on.server.url, token)
  const { id } = (await ask('GET', '/whatsapp')).body.find(({ name }: { name: string }) => name === 'Celular da loja')
  const importOldMessages = new Date(Date.now() - 300 * 86_400_000).toISOString()
  const wanted = { enableImportMessage: true, importOldMessages, queueIdImportMessages: 1 }
  expect((await ask('PUT', `/whatsapp/${id}`, wanted)).status).toBe(200)
  const admin = await on.come({ width: 390, height: 844, theme: 'dark' })
  await enterAs(admin, 'admin@demo.test', '/connections')
  const { page } = admin
  const row = page.getByRole('row').filter({ hasText: 'Celular da loja' })
  await row.getByRole('button', { name: /Novo código/ }).click()
  const picture = page.getByRole('img', { name: 'Código QR para ler com o celular' })
  await picture.waitFor()
  await admin.shot('whatsapp-code-narrow')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Conectar com o número do celular' }).focus()
  await page.keyboard.press('Enter')
  const field = dialog.getByLabel('Número do celular')
  await dialog.getByText('o celular entrega só as conversas dos últimos meses').waitFor()
  await admin.shot('whatsapp-typed-number')
  await field.fill('123')
  await page.keyboard.press('Enter')
  await dialog.getByText('Escreva o número inteiro').waitFor()
  await field.fill('11 90000\u20110009')
  await page.keyboard.press('Control+Enter')
  const code = dialog.locator('[data-part=typed-code]')
  await code.waitFor()
  await admin.shot('whatsapp-typed-code')
  const typed = await code.innerText()
  expect(typed).toMatch(/^\w{4}-\w{4}$/)
  await dialog.getByText(/^Vale até \d\d:\d\d:\d\d$/).waitFor()
  await phone.enterCode(typed.replace('-', ''))
  await row.locator('[data-status=CONNECTED]').waitFor()
  await dialog.waitFor({ state: 'detached' })
  expect(admin.wrong).toEqual([])
})

it('a new ticket’s dialog tells whether the number is on WhatsApp', async () => {
  const { token } = await signIn(() => on.server.url, 'admin@demo.test')
  const ask = client(() => on.server.url, token)
  expect((await ask('POST', '/contacts', { name: 'Fora da Rede', number: '5511900000077' })).status).toBe(200)
  const { id } = (await ask('GET', '/whatsapp')).body.find(({ name }: { name: string }) => name === 'Celular da loja')
  expect((await ask('PUT', `/whatsapp/${id}`, { isDefault: true })).status).toBe(200) // beside a simulated phone
  const admin = await on.come()
  await enterAs(admin, 'admin@demo.test')
  const { page } = admin
  const there = async (name: string) => {
    await page.goto('/tickets')
    await page.getByRole('button', { name: 'Novo atendimento' }).click()
    await page.getByLabel('Contato').fill(name)
    await page.getByRole('dialog').getByText(name).click()
    const said = page.locator('[data-part=on-whatsapp]').filter({ hasText: 'WhatsApp' })
    await said.waitFor()
    return said.innerText()
  }
  expect(await there('Ana Lima')).toBe('Está no WhatsApp')
  expect(await there('Fora da Rede')).toContain('não está no WhatsApp')

  const store = openStore(on.databaseUrl, 1)
  const noNewChatsUntil = new Date(Date.now() + 86_400_000).toISOString()
  await store.db.updateTable('connection').set({ noNewChatsUntil }).where('id', '=', id).execute()
  await page
    .locator('[data-part=no-new-chats]')
    .filter({ hasText: /O WhatsApp não deixa Celular da loja começar conversas até \d\d\/\d\d \d\d:\d\d/ })
    .waitFor()
  await store.db.updateTable('connection').set({ noNewChatsUntil: null }).where('id', '=', id).execute()
  await page.locator('[data-part=no-new-chats]').filter({ hasText: /^$/ }).waitFor({ state: 'attached' })
  await store.db.destroy()
})

it.each([1, 2])('imported messages appear once and in order despite a kill during the import (seed %i)', async (seed) => {
  const throws = seededRandom(seed)
  const phone = double.addPhone({ pn: `551190000008${seed}`, name: 'Antigo' })
  const began = Math.floor(Date.now() / 1000) - 5 * 86_400
  const lines = (who: number) => Array.from({ length: 50 + throws.int(30) }, (_, n) => `c${seed}-${who} linha ${n}`)
  const chats = Array.from({ length: 6 }, (_, who) => ({ jid: `55119800${seed}000${who}@s.whatsapp.net`, said: lines(who) }))
  phone.history.conversations = chats.map(({ jid, said }) => ({
    ...{ id: jid, name: jid.slice(0, 13) },
    messages: said
      .map((conversation, n) => ({
        message: {
          key: { remoteJid: jid, id: `${conversation}!`, fromMe: n % 3 === 0 },
          message: { conversation },
          messageTimestamp: began + (n >> 2),
        },
      }))
      .toReversed(),
  }))
  const { token } = await signIn(() => on.server.url, 'super@demo.test')
  const ask = client(() => on.server.url, token)
  const importing = { enableImportMessage: true, importOldMessages: new Date((began - 86_400) * 1000).toISOString() }
  const made = await ask('POST', '/whatsapp', { name: `Antigo ${seed}`, channel: 'whatsapp', queueIdImportMessages: 1, ...importing })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  const { id } = made.body
  const now = async () =>
    (await ask('GET', `/whatsapp/${id}`)).body as { qrcode: string; status: string; statusImportMessages: string | null }
  await phone.scan((await eventually(now, ({ qrcode }) => qrcode !== '')).qrcode)
  await eventually(now, ({ statusImportMessages }) => Date.parse(statusImportMessages ?? '') > 0)
  const store = openStore(on.databaseUrl, 2)
  await store.db
    .updateTable('connection')
    .set({ statusImportMessages: new Date(0).toISOString() })
    .where('id', '=', id)
    .execute()
  const imported = async () => {
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from event where data->>'externalId' like ${`c${seed}-%`}`.execute(store.db)
    return rows[0]!.n
  }
  const all = chats.flatMap(({ said }) => said).length
  const enough = Math.floor(all * (0.1 + throws.int(40) / 100))
  while ((await imported()) < enough) await new Promise(setImmediate)
  await on.dieAndReturn()
  expect(await imported()).toBeLessThan(all)
  await eventually(now, ({ statusImportMessages }) => statusImportMessages === 'renderButtonCloseTickets')
  const rows = await store.db
    .selectFrom('message')
    .innerJoin('ticket', 'ticket.id', 'message.ticketId')
    .select(['body', 'ticketId', 'fromMe'])
    .where('ticket.whatsappId', '=', id)
    .orderBy('ticketId')
    .orderBy('message.revision')
    .execute()
  const told = [...Map.groupBy(rows, ({ ticketId }) => ticketId).values()].map((own) => own.map(({ body }) => body))
  const byFirst = (a: string[], b: string[]) => a[0]!.localeCompare(b[0]!)
  expect(told.toSorted(byFirst)).toEqual(chats.map(({ said }) => said).toSorted(byFirst))
  await store.db.destroy()
  if (seed > 1) return
  const agent = await on.come()
  await enterAs(agent, 'admin@demo.test')
  await agent.page.setViewportSize({ width: 1440, height: 2400 }) // the number of earlier waiting tickets depends on the hour
  await agent.page.locator('[data-tab=pending]').click()
  const [{ jid, said }] = chats as [(typeof chats)[number]]
  const card = agent.page.locator('[data-part=card]').filter({ hasText: jid.slice(0, 13) })
  const ours = (said.length - 1) % 3 === 0 ? 'pelo celular: ' : ''
  expect(await card.locator('[data-part=card-last]').innerText()).toBe(`${ours}${said.at(-1)}`)
  expect(await card.locator('[data-part=badge], [data-part=waited]').count()).toBe(0)
  const cards = await agent.page.locator('[data-part=card]').allInnerTexts()
  expect(cards.findIndex((one) => one.includes('linha'))).toBeGreaterThan(cards.findLastIndex((one) => !one.includes('linha'))) // after the waiting tickets
  await agent.shot('imported')
})

const inWords = [
  ['en', 'dark', 'Show code', 'QR code to scan with the phone', 'Link with the phone number instead'],
  ['es', 'light', 'Mostrar código', 'Código QR para leer con el teléfono', 'Vincular con el número de teléfono'],
  ['tr', 'dark', 'Kodu göster', 'Telefonla okutulacak QR kodu', 'Bunun yerine telefon numarasıyla bağla'],
] as const
it.each(inWords)(
  'a connection’s code or a typed code is offered in the user’s language: %s',
  async (language, theme, show, name, byNumber) => {
    const { token } = await signIn(() => on.server.url, 'admin@demo.test')
    const line = { name: `Linha ${language}`, channel: 'whatsapp', provider: 'beta' }
    expect((await client(() => on.server.url, token)('POST', '/whatsapp', line)).status).toBe(200)
    const admin = await on.come({ language, theme })
    await enterAs(admin, 'admin@demo.test', '/connections')
    const { page } = admin
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('row').filter({ hasText: line.name }).getByRole('button', { name: show }).click()
    const picture = page.getByRole('img', { name })
    await picture.waitFor()
    expect(await readOff(picture)).toContain('/linked_devices')
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    await admin.shot(`whatsapp-code-${language}`)
    await page.getByRole('button', { name: byNumber }).click()
    await page.getByRole('dialog').locator('input').waitFor()
    await admin.shot(`whatsapp-number-${language}`)
    expect(admin.wrong).toEqual([])
    await admin.leave()
  },
)
