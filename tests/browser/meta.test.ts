import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import type { Stage } from '#tests/support/browser-env.ts'
import type { Meta } from '#tests/support/meta/double.ts'
import { hour } from '#tests/support/meta/world.ts'
import type { Client } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/wait.ts'
import { adminOn, atMeta, own, row, verifyToken } from './at-meta.ts'
import { accept, bubble, refused, words, write } from './scene.ts'

/* Pages, Instagram accounts and a Cloud API number, connected and used against the Meta double. */
let meta: Meta
let on: Stage
let ask: Client
let clear: () => Promise<void>
beforeAll(async () => {
  ;({ meta, on, ask, clear } = await atMeta())
  meta.page.account('2001', 'Loja na página')
  meta.instagram.account('3001', 'loja.insta', '2001')
  meta.page.account('2002', 'Página de testes')
})
afterAll(() => clear?.())

const admin = (look = {}): Promise<Person> => adminOn(on, look)
const inRow = (page: Page, name: string, button: RegExp) => row(page, name).getByRole('button', { name: button })
/** A ticket of a contact who wrote this many hours ago, by the channel's time. */
async function inbound(name: string, hoursAgo: number, say: () => unknown): Promise<{ id: number; uuid: string }> {
  meta.world.advance(-hoursAgo * hour)
  say()
  meta.world.advance(hoursAgo * hour)
  return eventually(
    async () => (await ask('GET', `/tickets?status=search&searchParam=${encodeURIComponent(name)}`)).body.tickets?.[0],
    (found) => found !== undefined,
  )
}

it('an admin connects pages and accounts through the Meta login, and a refused login says so', async () => {
  const one = await admin()
  const { page } = one
  await page.goto('/connections')
  await page.getByRole('button', { name: 'Nova conexão' }).click()
  await page.getByRole('menuitem', { name: 'Facebook' }).click()
  const dialog = page.getByRole('dialog')
  const pages = dialog.locator('[data-part=pages]')
  for (const name of ['Página de testes', 'loja.insta']) await pages.getByText(name).click() // started from Facebook, so the pages are preselected
  await one.shot('meta-pages')
  await dialog.getByRole('button', { name: 'Conectar (2)' }).click()
  await dialog.waitFor({ state: 'detached' })
  for (const name of ['Loja na página', 'loja.insta']) await row(page, name).locator('[data-status=CONNECTED]').waitFor()
  expect(await row(page, 'Página de testes').count()).toBe(0)
  await expect.poll(() => page.url()).toMatch(/\/connections$/)

  await inRow(page, 'loja.insta', /Editar/).click()
  await dialog.getByRole('tab', { name: 'Meta' }).click()
  await dialog.getByText(/A autorização vale até/).waitFor()
  await one.shot('meta-account')
  await dialog.getByRole('tab', { name: 'Geral' }).click()
  await dialog.getByText('Enviar listas e botões').waitFor()
  expect(await dialog.getByText(/grupos/i).count()).toBe(0) // Instagram has no groups
  await page.keyboard.press('Escape')

  await page.goto('/connections?error=access_denied&state=x')
  await page.getByText('A Meta não liberou nada').waitFor()
  expect(page.url()).toMatch(/\/connections$/)
  expect(await meta.tells(on.server.url, verifyToken)).toBe(true)
  expect(one.wrong).toEqual([])
})

it('an ended authorisation disconnects, and another login reconnects the same connection', async () => {
  const one = await admin({ width: 390, height: 800, theme: 'dark' })
  const { page } = one
  const rows = (await ask('GET', '/whatsapp')).body as { id: number; name: string }[]
  const { id } = rows.find(({ name }) => name === 'Loja na página')!
  for (const token of meta.world.tokens.values()) if (token.of === '2001') token.dead = 463
  await ask('DELETE', `/whatsappsession/${id}`)
  await ask('POST', `/whatsappsession/${id}`)
  await page.goto('/connections')
  await row(page, 'Loja na página').getByText('a autorização do canal venceu').waitFor()
  await one.shot('meta-expired-390')
  await inRow(page, 'Loja na página', /Entrar de novo na Meta/).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Conectar (2)' }).waitFor() // the pages that are connected already
  await one.shot('meta-pages-390')
  await dialog.getByRole('button', { name: 'Conectar (2)' }).click()
  await row(page, 'Loja na página').locator('[data-status=CONNECTED]').waitFor()
  expect((await ask('GET', '/whatsapp')).body).toHaveLength(rows.length)
})

it('after 24 hours only templates are sent; the text stays, and an answer reopens the chat', async () => {
  const accessToken = meta.whatsapp.account('9001', '1001', 'Loja', '+55 11 4000-1000', own.secret)
  const text = 'Olá {{1}}, podemos continuar o pedido {{2}}?'
  const body = { type: 'BODY', text, example: { body_text: [['Maria', 'A-17']] } }
  const footer = { type: 'FOOTER', text: 'Loja da Praça' }
  const buttons = { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Sim' }] }
  meta.whatsapp.template('9001', 'volta', text, { components: [body, footer, buttons] })
  const picture = { type: 'HEADER', format: 'IMAGE' }
  meta.whatsapp.template('9001', 'vitrine', 'Chegou', { components: [picture, { type: 'BODY', text: 'Chegou o que você pediu.' }] })
  meta.whatsapp.template('9001', 'promocao', 'Só hoje', { category: 'MARKETING', status: 'PAUSED' })
  const made = await ask('POST', '/whatsapp', {
    ...{ name: 'Oficial', channel: 'whatsappapi', provider: 'cloud', queueIds: [] },
    cloud: { phoneNumberId: '1001', businessId: '9001', accessToken, appSecret: own.secret, verifyToken: own.word },
  })
  const url = `${on.server.url}/api/webhooks/whatsappapi/${made.body.account.hook}`
  expect(await meta.hooks.subscribe({ object: 'whatsapp_business_account', url, secret: own.secret, verifyToken: own.word })).toBe(true)
  const maria = meta.whatsapp.person('Maria Janela', '5511987650001')
  const { uuid } = await inbound('Maria Janela', 23, () => meta.whatsapp.text('1001', maria, 'oi'))
  const one = await admin()
  const { page } = one
  await page.goto(`/tickets/${uuid}`)
  await accept(page)
  await page.getByText(/O canal aceita respostas até .* \(em 1 hora|O canal aceita respostas até .* \(em \d+ minutos/).waitFor()
  await words(page).fill('isto fica guardado')
  await one.shot('window-closing')
  const { uuid: late } = await inbound('Rui Tarde', 25, () =>
    meta.whatsapp.text('1001', meta.whatsapp.person('Rui Tarde', '5511987650002'), 'oi'),
  )
  await page.goto(`/tickets/${late}`)
  await accept(page)
  const closed = page.locator('[data-part=window]')
  await closed.getByText('Passaram 24 horas').waitFor()
  await page.getByRole('button', { name: 'Nota interna', exact: true }).click()
  await words(page).fill('anotado') // an internal note is always allowed
  await page.getByRole('button', { name: 'Nota interna', exact: true }).click()
  expect(await words(page).inputValue()).toBe('') // and never goes into the reply
  await words(page).fill('volto amanhã')
  await closed.getByText('O que você escreveu fica guardado').waitFor()
  await words(page).press('Enter')
  await page.getByText('Não foi enviado. O texto fica guardado neste atendimento.').waitFor()
  expect(await words(page).inputValue()).toBe('volto amanhã')
  await closed.getByRole('button', { name: 'Escolher um modelo' }).click()
  const dialog = page.getByRole('dialog')
  const list = dialog.locator('[data-part=templates]')
  expect(await list.getByRole('button', { name: /promocao.*Pausado/ }).isDisabled()).toBe(true)
  await list.getByRole('button', { name: /volta/ }).click()
  await dialog.getByRole('button', { name: 'Enviar modelo' }).click()
  await dialog.getByText('Preencha este campo.').first().waitFor()
  await dialog.getByLabel('Texto, campo 1').fill('Rui')
  await dialog.getByLabel('Texto, campo 2').fill('B-2')
  const preview = dialog.locator('[data-part=template-preview]')
  await preview.getByText('Olá Rui, podemos continuar o pedido B-2?').waitFor()
  await one.shot('template')
  await page.keyboard.press('Escape')
  await closed.getByRole('button', { name: 'Escolher um modelo' }).click()
  expect(await dialog.getByLabel('Texto, campo 1').inputValue()).toBe('Rui')
  const { id: lateId } = (await ask('GET', `/tickets/u/${late}`)).body
  const becomes = (status: string) => ask('PUT', `/tickets/${lateId}`, { status, ...(status === 'pending' && { userId: null }) })
  expect((await becomes('pending')).status).toBe(200) // while the dialog is open
  await refused(dialog, 'Enviar modelo', 'voltou à espera')
  expect(await dialog.getByLabel('Texto, campo 1').inputValue()).toBe('Rui')
  one.wrong.length = 0 // the browser logs the refusal
  expect((await becomes('open')).status).toBe(200)
  await page.locator('[data-part=head]').getByText('Em atendimento').waitFor()
  await page.keyboard.press('Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  await bubble(page, 'podemos continuar o pedido B-2?').getByText('Modelo · Utilidade').waitFor()
  const rui = [...meta.world.people.values()].find(({ name }) => name === 'Rui Tarde')!
  await expect.poll(() => meta.world.reached(rui.id).some(({ type, body }) => type === 'template' && body.includes('B-2'))).toBe(true)
  await closed.getByRole('button', { name: 'Escolher um modelo' }).click()
  await list.getByRole('button', { name: /vitrine/ }).click()
  await dialog.getByRole('button', { name: 'Enviar modelo' }).click()
  await dialog.getByText('Escolha o arquivo com que o modelo começa.').waitFor()
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    dialog.locator('[data-part=template-file] input').setInputFiles({ name, mimeType, buffer })
  await choose('nota.pdf', 'application/pdf', Buffer.from('%PDF-1.4 nota'))
  await dialog.getByText('nota.pdf: este tipo de arquivo não é aceito').waitFor()
  const photo = sharp({ create: { width: 40, height: 30, channels: 3, background: '#0a7' } })
  await choose('vitrine.png', 'image/png', await photo.png().toBuffer())
  await preview.getByRole('img', { name: 'vitrine.png' }).waitFor()
  await one.shot('template-file')
  await dialog.getByRole('button', { name: 'Enviar modelo' }).click()
  await dialog.waitFor({ state: 'detached' })
  await bubble(page, 'Chegou o que você pediu.').getByRole('img').first().waitFor()
  meta.whatsapp.text('1001', rui, 'sim, pode')
  await closed.waitFor({ state: 'detached' })
  expect(await words(page).inputValue()).toBe('volto amanhã')
  await write(page, 'ótimo, Rui')
  await expect.poll(() => meta.world.reached(rui.id).some(({ type, body }) => type === 'text' && body.endsWith('ótimo, Rui'))).toBe(true)
  const sent = bubble(page, 'ótimo, Rui')
  await sent.hover()
  await sent.getByRole('button', { name: /Ações da mensagem/ }).click()
  await page.getByRole('menuitem', { name: 'Encaminhar' }).waitFor()
  expect(await page.getByRole('menuitem', { name: /Editar|Apagar/ }).count()).toBe(0)
  expect(one.wrong).toEqual([])
})

it('a page and an Instagram account show how long answers are accepted (R-INBOX-14)', async () => {
  const one = await admin()
  const { page } = one
  for (const [name, network, say] of [
    ['Rui Pagina', 'Facebook', () => meta.page.text('2001', meta.page.person('Rui Pagina'), 'olá')],
    ['Iva Conta', 'Instagram', () => meta.instagram.text('3001', meta.instagram.person('Iva Conta'), 'olá')],
  ] as const) {
    const { uuid } = await inbound(name, 3, say)
    await page.goto(`/tickets/${uuid}`)
    await accept(page)
    const notice = page.locator('[data-part=window-left]')
    await notice.getByText(`de acordo com as políticas do ${network}.`).waitFor()
    expect(await notice.innerText()).toMatch(/Até .+ \(em 2[01] horas\)\.$/)
    await one.shot(`window-left-${network}`)
  }
  expect(one.wrong).toEqual([])
})

it('on a page a human agent may answer for a week, and nobody after it', async () => {
  const one = await admin({ width: 390, height: 800, theme: 'dark' })
  const { page } = one
  await page.addInitScript(() => localStorage.setItem('i18nextLng', 'tr'))
  const lia = meta.page.person('Lia Pagina')
  const { uuid } = await inbound('Lia Pagina', 30, () => meta.page.text('2001', lia, 'olá'))
  const ticket = (await ask('GET', `/tickets/u/${uuid}`)).body
  const [queue] = (await ask('GET', '/queue')).body as { id: number }[]
  const me = (await ask('GET', '/users/list')).body.find(({ name }: { name: string }) => /admin/i.test(name)) ?? {}
  expect((await ask('PUT', `/tickets/${ticket.id}`, { status: 'open', queueId: queue!.id, userId: me.id })).status).toBe(200)
  await page.goto(`/tickets/${uuid}`)
  await page.getByText('24 saat geçti').waitFor()
  await one.shot('window-person-390-tr')
  await eventually(async () => page.getByRole('textbox', { name: 'Mesaj' }).isEnabled(), Boolean)
  const { uuid: gone } = await inbound('Zeca Semana', 8 * 24, () => meta.page.text('2001', meta.page.person('Zeca Semana'), 'olá'))
  const late = (await ask('GET', `/tickets/u/${gone}`)).body
  expect((await ask('PUT', `/tickets/${late.id}`, { status: 'open', queueId: queue!.id, userId: me.id })).status).toBe(200)
  await page.goto(`/tickets/${gone}`)
  await page.locator('[data-part=window]').getByText('7 gün geçti').waitFor()
  await one.shot('window-week-390-tr')
})

it('a message with a lost answer can be checked in its bubble and is certain afterwards', async () => {
  const one = await admin()
  const { page } = one
  const noa = meta.page.person('Noa Incerta')
  const referral = { ad_id: '6', ads_context_data: { ad_title: 'Casacos de inverno', photo_url: 'https://ads.test/6' } }
  const { uuid } = await inbound('Noa Incerta', 0, () => meta.page.text('2001', noa, 'olá', { referral }))
  await page.goto(`/tickets/${uuid}`)
  await accept(page)
  await bubble(page, 'olá').locator('[data-part=about]').getByText('Casacos de inverno').waitFor()
  meta.hooks.hold()
  meta.world.faults.push({ on: '2001/messages', method: 'POST', lost: 'answer' })
  await write(page, 'chegou?')
  await expect
    .poll(() => meta.world.calls.some(({ body }) => body?.sender_action === 'typing_on' && body.recipient.id === noa.id))
    .toBe(true)
  const sent = bubble(page, 'chegou?')
  await sent.getByText('O canal não confirmou').waitFor()
  await one.shot('uncertain')
  await sent.getByRole('button', { name: 'Verificar' }).click()
  await page.getByText('O canal tem a mensagem: ela foi enviada.').waitFor()
  await sent.getByText('O canal não confirmou').waitFor({ state: 'detached' })
  meta.hooks.release()
  expect(one.wrong).toEqual([])
})
