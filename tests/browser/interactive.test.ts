import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf } from '#tests/support/axe.ts'
import type { Person } from '#tests/support/browser.ts'
import { accept, bubble, chooseOf, words as field, refused, type Scene, scene } from './scene.ts'

const customer = { name: 'Rita Interativa', number: '5511955550001' }
let on: Scene
let ana: Person
let uuid = ''
let ticketId = 0
beforeAll(async () => {
  on = await scene()
  ;({ uuid, id: ticketId } = await on.says(customer, 'Que horas?'))
  ana = await on.enter('ana@demo.test', { at: `/tickets/${uuid}` })
  await accept(ana.page)
})
afterAll(async () => on?.clear())

const open = async (page = ana.page) => {
  await page.getByRole('button', { name: 'Mensagem interativa' }).click()
  return page.getByRole('dialog', { name: 'Mensagem interativa' })
}

it('a list message has a preview, the phone chooses from it, and the answer names the choice', async () => {
  const phone = await on.phoneOf(customer)
  const dialog = await open()
  const preview = dialog.locator('[data-part=preview]')
  await dialog.getByLabel('Título', { exact: true }).fill('Horários')
  await dialog.getByLabel('Texto do botão').fill('Ver horários')
  await dialog.getByLabel('Opção 1', { exact: true }).fill('Manhã')
  await dialog.getByRole('button', { name: 'Adicionar opção' }).click()
  await ana.page.keyboard.press('Control+Enter') // the second option is still empty
  await dialog.getByRole('alert').filter({ hasText: 'Obrigatório' }).waitFor()
  await dialog.getByLabel('Opção 2', { exact: true }).fill('Tarde')
  await dialog.getByLabel(/^Descrição 2/).fill('até 18h')
  await preview.locator('summary').click()
  await preview.getByText('até 18h').waitFor()
  await ana.shot('interactive-list')
  expect(await faultsOf(ana.page, 'interactive')).toEqual([])
  await ana.page.keyboard.press('Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  await bubble(ana.page, 'Horários').locator('[data-part=touch][data-kind=list]').waitFor()

  await phone.locator('[data-part=touch] summary').click()
  await phone.getByRole('group', { name: 'Opções da lista' }).getByRole('button', { name: /Tarde/ }).click()
  const answer = bubble(ana.page, 'Tarde').last()
  await answer.locator('[data-part=quoted]').getByText('Horários').waitFor()
  await ana.shot('interactive-thread')
  expect(ana.wrong).toEqual([])
})

it('a Pix message shows field errors, keeps its text when closed, and is copied on the phone', async () => {
  const phone = await on.phoneOf(customer)
  const dialog = await open()
  await dialog.getByRole('tab', { selected: true }).focus()
  await ana.page.keyboard.press('ArrowLeft') // from the first to the last tab
  await ana.page.keyboard.press('Enter')
  await dialog.getByRole('tab', { name: 'PIX', selected: true }).waitFor()
  await dialog.getByLabel('Título', { exact: true }).fill('Pedido 7')
  await dialog.getByLabel('Chave Pix').fill('529.982.247-24')
  await dialog.getByLabel('Nome do recebedor').fill('Loja da Rita')
  await dialog.getByLabel(/^Valor/).fill('12,50')
  await dialog.getByText('A chave não é válida para este tipo').waitFor()
  await dialog.locator('[data-part=preview]').getByText('12,50').waitFor()
  await ana.page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await open()
  expect(await dialog.getByLabel('Nome do recebedor').inputValue()).toBe('Loja da Rita')
  await dialog.getByLabel('Chave Pix').fill('529.982.247-25')
  await ana.shot('interactive-pix')
  await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  const card = phone.locator('[data-part=touch][data-kind=pix]')
  await card.getByText('52998224725').waitFor()
  await card.getByRole('button', { name: 'Copiar código Pix' }).click()
  const { page } = await on.keeper()
  await page.getByText('Copiado').first().waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^000201.*6304[0-9A-F]{4}$/)
  await (await on.keeper()).shot('interactive-phone')
  await open()
  expect(await dialog.getByLabel('Título', { exact: true }).inputValue()).toBe('') // sent content is not offered again
  await ana.page.keyboard.press('Escape')
})

it('an interactive message warns of another’s answer, and stays typed if sending failed', async () => {
  const dialog = await open()
  await dialog.getByRole('tab', { name: 'Copia' }).click()
  await dialog.getByLabel('Título', { exact: true }).fill('Cupom')
  await dialog.getByLabel('Texto do botão').fill('Copiar cupom')
  await dialog.getByLabel('Texto a copiar').fill('DEZ')
  await ana.page.route('**/api/messages/copy/**', (route) => route.fulfill({ status: 500, json: { error: 'ERR_INTERNAL' } }), { times: 1 })
  await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
  await dialog.getByText('Erro ao processar a mensagem').waitFor()
  ana.wrong.splice(0) // the error was made by the test
  expect((await on.ask('POST', `/messages/${ticketId}`, { body: 'Eu respondo' })).status).toBe(200)
  await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
  await dialog.getByText('Alguém respondeu enquanto você escrevia').waitFor()
  await dialog.getByRole('button', { name: 'Enviar mesmo assim' }).click()
  await dialog.waitFor({ state: 'detached' })
  await bubble(ana.page, 'Cupom').getByRole('button', { name: 'Copiar cupom', exact: true }).waitFor()
})

it('a contact is found, previewed and sent as a card, also after another’s answer (R-MSG-13)', async () => {
  const { page } = ana
  const known = { name: 'Otto Indicado', number: '5511955550077', email: 'otto@exemplo.com' }
  expect((await on.ask('POST', '/contacts', known)).status).toBe(200)
  await page.getByRole('button', { name: 'Anexar' }).click()
  await page.getByRole('menuitem', { name: 'Contato…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Enviar contato · Rita Interativa' })
  const submit = dialog.getByRole('button', { name: 'Enviar', exact: true })
  expect(await submit.isDisabled()).toBe(true)
  await page.keyboard.type('Otto Ind')
  await dialog.getByRole('button', { name: /Otto Indicado/ }).waitFor()
  await page.keyboard.press('Enter')
  const preview = dialog.locator('[data-part=card-preview]')
  for (const text of ['Otto Indicado', '+55 11 95555-0077', 'otto@exemplo.com']) await preview.getByText(text).waitFor()
  await ana.shot('send-contact')
  expect(await faultsOf(page, 'send-contact')).toEqual([])
  expect((await on.ask('POST', `/messages/${ticketId}`, { body: 'Respondi antes' })).status).toBe(200)
  await page.keyboard.press('Control+Enter')
  await dialog.getByText('Alguém respondeu enquanto você escolhia').waitFor()
  await dialog.getByRole('button', { name: 'Enviar mesmo assim' }).click()
  await dialog.waitFor({ state: 'detached' })
  await bubble(page, 'Otto Indicado').getByText('+55 11 95555-0077').waitFor()
  await expect.poll(async () => (await on.got(customer.number)).filter(({ kind }) => kind === 'contactMessage').length).toBe(1)
  expect((await on.got(customer.number)).at(-1)!.body).toContain('waid=5511955550077')
  expect(ana.wrong).toEqual([])
})

it('a photo is taken, retaken and attached, and the camera is off when the dialog closes', async () => {
  const { page } = ana
  await page.evaluate(() => {
    const { mediaDevices } = navigator
    const open = mediaDevices.getUserMedia.bind(mediaDevices)
    const all: MediaStream[] = []
    Object.assign(window, { cameras: all, openCamera: open })
    mediaDevices.getUserMedia = async (wanted) => {
      const stream = await open(wanted)
      all.push(stream)
      return stream
    }
  })
  const running = () =>
    page.evaluate(() =>
      (window as unknown as { cameras: MediaStream[] }).cameras.flatMap((one) => one.getTracks()).map((one) => one.readyState),
    )
  const openCamera = async () => {
    await page.getByRole('button', { name: 'Anexar', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Câmera…' }).click()
    await dialog.locator('[data-part=camera][data-state=live]').waitFor()
  }
  const dialog = page.getByRole('dialog', { name: 'Tirar foto · Rita Interativa' })
  await openCamera()
  await dialog
    .locator('video')
    .evaluate((one: HTMLVideoElement) => one.videoWidth > 0 || new Promise((done) => one.addEventListener('playing', done)))
  await ana.shot('camera')
  expect(await faultsOf(page, 'camera')).toEqual([])
  await page.keyboard.press('Control+Enter')
  await dialog.getByRole('img', { name: 'Foto tirada' }).waitFor()
  expect(await running()).toEqual(['ended']) // the light is off while the photo is looked at
  await ana.shot('camera-photo')
  await dialog.getByRole('button', { name: 'Tirar outra' }).click()
  await dialog.locator('[data-part=camera][data-state=live]').waitFor()
  await dialog.getByRole('button', { name: 'Tirar foto' }).click()
  await dialog.getByRole('button', { name: 'Usar foto' }).click()
  await expect.poll(() => page.getByRole('list', { name: 'Anexos' }).getByRole('listitem').count()).toBe(1)
  await page.getByRole('button', { name: /^Remover foto-/ }).click()
  await openCamera()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await running()).toEqual(['ended', 'ended', 'ended'])
  expect(ana.wrong).toEqual([])
})

it('a missing, forbidden or busy camera is reported, and another try can follow', async () => {
  const { page } = ana
  const dialog = page.getByRole('dialog', { name: 'Tirar foto · Rita Interativa' })
  const fails = (name: string) =>
    page.evaluate((fault) => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', fault))
    }, name)
  await fails('NotAllowedError')
  await page.getByRole('button', { name: 'Anexar', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Câmera…' }).click()
  await dialog.getByRole('alert').getByText('O navegador não liberou a câmera').waitFor()
  await ana.shot('camera-denied')
  expect(await dialog.getByRole('button', { name: 'Tirar foto' }).isDisabled()).toBe(true)
  for (const [fault, why] of [
    ['NotFoundError', 'Nenhuma câmera encontrada'],
    ['NotReadableError', 'A câmera está em uso por outro programa'],
  ] as const) {
    await fails(fault)
    await dialog.getByRole('button', { name: 'Tentar de novo' }).click()
    await dialog.getByRole('alert').getByText(why).waitFor()
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(ana.wrong).toEqual([])
})

it('a video-meeting link is sent from the ticket menu as a normal message (A-TICKET-20)', async () => {
  const link = `https://meet.jit.si/${ticketId}-${uuid.slice(0, 8)}`
  await field(ana.page).fill('ainda escrevo')
  await chooseOf(ana.page, 'Enviar link de videochamada')
  await bubble(ana.page, link).getByRole('link', { name: link }).waitFor()
  await expect.poll(async () => (await on.got(customer.number)).at(-1)!.body).toContain(link)
  expect(await field(ana.page).inputValue()).toBe('ainda escrevo') // the draft stays
  await field(ana.page).fill('')
  expect(ana.wrong).toEqual([])
})

it('the palette has the actions of the open ticket, by the names of its menu', async () => {
  const { page } = ana
  const palette = page.locator('[data-part=palette]')
  const look = async (text: string) => {
    await page.keyboard.press('Control+k')
    await palette.getByRole('combobox').fill(text)
  }
  await page.locator('[data-part=head]').getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem').first().waitFor()
  const menu = await page.getByRole('menuitem').locator('.bp6-text-overflow-ellipsis').allInnerTexts()
  await page.keyboard.press('Escape')
  await look('')
  await palette.getByRole('option', { name: 'Resolver', exact: false }).first().waitFor()
  const offered = await palette.locator('[data-group]').first().locator('xpath=../*[starts-with(@id, "ticket-action-")]').allInnerTexts()
  for (const text of menu) expect(offered.some((one) => one.startsWith(text))).toBe(true)
  await ana.shot('palette-ticket')
  expect(await faultsOf(page, 'palette')).toEqual([])
  await palette.getByRole('combobox').fill('transf')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: /^Transferir/ }).waitFor()
  await page.keyboard.press('Escape')
  await look('novo atend')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Novo atendimento' }).waitFor()
  await page.keyboard.press('Escape')
  await look('ausente')
  await palette.getByRole('option', { name: 'Ficar ausente desligado' }).waitFor()
  await page.keyboard.press('Enter')
  await expect
    .poll(async () =>
      page.evaluate(async () =>
        (await fetch('/api/auth/me', { headers: { authorization: `Bearer ${localStorage.getItem('token')}` } }))
          .json()
          .then((me) => me.away),
      ),
    )
    .toBe(true)
  await look('ausente')
  await palette.getByRole('option', { name: 'Ficar ausente ligado' }).click()
  await look('importar')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/contacts$/)
  await page.getByRole('dialog').getByText('Importar').first().waitFor()
  await page.keyboard.press('Escape')
  const [saved] = await Promise.all([page.waitForEvent('download'), look('xlsx').then(() => page.keyboard.press('Enter'))])
  expect(saved.suggestedFilename()).toBe('contatos.xlsx')
  await look('idioma')
  await palette.getByRole('option', { name: 'Idioma · English' }).click()
  await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
  await look('português')
  await page.keyboard.press('Enter')
  await page.goto(`/tickets/${uuid}`)
  await field(page).waitFor()
  expect(ana.wrong).toEqual([])
})

it('the preview shows the message as plain text in groups and on plain connections', async () => {
  const group = { id: '120363041234560001', name: 'Condomínio Girassol' }
  const { uuid: inGroup } = await on.says({ ...customer, group }, 'Bom dia a todos')
  await ana.page.goto(`/tickets/${inGroup}`)
  const dialog = await open()
  const preview = dialog.locator('[data-part=preview]')
  await dialog.getByRole('tab', { name: 'Copia' }).click()
  await dialog.getByLabel('Título', { exact: true }).fill('Cupom')
  await dialog.getByLabel('Texto do botão').fill('Copiar cupom')
  await dialog.getByLabel('Texto a copiar').fill('DEZ')
  const words = preview.locator('[data-part=leaves][data-as=words]')
  expect(await words.innerText()).toBe('Cupom\n\nCopiar cupom:\n\nDEZ')
  await preview.getByText('Em grupos vai como texto').waitFor()
  await ana.shot('interactive-group')
  await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(async () => (await on.got(group.id)).map(({ body }) => body)).toEqual(['Cupom\n\nCopiar cupom:\n\nDEZ'])
  await bubble(ana.page, 'Copiar cupom:').waitFor() // the sent message too
  expect(await ana.page.getByRole('log').locator('[data-part=touch]').count()).toBe(0)

  await ana.page.goto(`/tickets/${uuid}`)
  await open()
  await dialog.getByRole('tab', { name: 'Copia' }).click()
  await preview.locator('[data-part=touch]').waitFor()
  const set = (interactiveMessages: string) => on.ask('PUT', '/whatsapp/1', { interactiveMessages })
  expect((await set('disabled')).status).toBe(200)
  await words.waitFor() // follows the setting while the dialog is open
  await preview.getByText('Esta conexão envia listas e botões como texto').waitFor()
  await set('enabled')
  await preview.locator('[data-part=touch]').waitFor()
  await ana.page.keyboard.press('Escape')
  expect(ana.wrong).toEqual([])
})

it.each([
  ['transferred', 'passou para outra pessoa ou fila'],
  ['closed', 'foi resolvido ou voltou à espera'],
])('the dialog keeps text and focus if its ticket was %s meanwhile, and says so', async (how, why) => {
  const { uuid, id } = await on.says({ name: `Rosa ${how}`, number: `55119555501${how.length}` }, 'Tem catálogo?')
  const { page } = ana
  await page.goto(`/tickets/${uuid}`)
  await accept(page)
  const dialog = await open()
  await dialog.getByRole('tab', { name: 'URL' }).click()
  await dialog.getByLabel('Título', { exact: true }).fill('Catálogo')
  await dialog.getByLabel('Texto do botão').fill('Abrir')
  await dialog.getByLabel('Link').fill('loja.test')
  const users = (await on.ask('GET', '/users')).body.users as { id: number; email: string; queues: { id: number }[] }[]
  const bruno = users.find(({ email }) => email === 'bruno@demo.test')!
  const to = { userId: bruno.id, queueId: bruno.queues[0]!.id, isTransfered: true }
  expect((await on.ask('PUT', `/tickets/${id}`, how === 'closed' ? { status: 'closed' } : to)).status).toBe(200)
  await refused(dialog, 'Enviar', why)
  expect(await dialog.getByLabel('Título', { exact: true }).inputValue()).toBe('Catálogo')
  await ana.shot(`interactive-${how}`)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  ana.wrong.length = 0 // the browser logs the refusal
})

it('the interactive dialog fits a phone in the dark theme', async () => {
  const ana2 = await on.enter('ana@demo.test', { width: 390, height: 844, theme: 'dark', touch: true, at: `/tickets/${uuid}` })
  await ana2.page.getByRole('button', { name: 'Mensagem interativa' }).click()
  const dialog = ana2.page.getByRole('dialog')
  await dialog.getByLabel('Título', { exact: true }).fill('Horários de atendimento')
  await ana2.shot('interactive-narrow')
  await dialog.getByRole('tab', { name: 'PIX' }).click()
  await ana2.shot('interactive-narrow-pix')
  const wide = await ana2.page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBeLessThanOrEqual(390)
  expect(await faultsOf(ana2.page, 'interactive-narrow', ['dark'])).toEqual([])
  await ana2.leave()
})
