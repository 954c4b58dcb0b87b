import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf } from '#tests/support/axe.ts'
import type { Person } from '#tests/support/browser.ts'
import { accept, type Scene, scene, tick, words } from './scene.ts'

let on: Scene
let admin: Person
beforeAll(async () => {
  on = await scene()
  admin = await on.enter('admin@demo.test', { at: '/settings' })
})
afterAll(() => on?.clear())

const option = (page: Page, key: string): Locator => page.locator(`[data-setting=${key}]`)
const stored = async (key: string) => (await on.ask('GET', `/setting/${key}`)).body.value

it('an option applies at once without a reload, and can be taken back', async () => {
  const ticket = await on.says({ name: 'Sara Assinada', number: '5511944600001' }, 'Quem me atende?')
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${ticket.uuid}` })
  await accept(ana.page)
  await words(ana.page).waitFor()
  const signs = ana.page.getByRole('button', { name: 'Assinar', exact: true })
  await signs.waitFor()

  const { page } = admin
  await page.goto('/settings')
  const sign = option(page, 'sendSignMessage').getByRole('checkbox')
  await sign.waitFor()
  await admin.shot('settings')
  await tick(sign)
  await expect.poll(() => stored('sendSignMessage')).toBe('disabled')
  await signs.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect.poll(() => stored('sendSignMessage')).toBe('enabled')
  await signs.waitFor()
  expect([...admin.wrong, ...ana.wrong]).toEqual([])
})

it('ratings stay off for connections without a rating text, with a message (R-CONN-05)', async () => {
  const { page } = admin
  await page.goto('/settings')
  await tick(option(page, 'userRating').getByRole('checkbox'))
  await page.getByText(/Falta a mensagem de avaliação, ou o tempo de espera, em/).waitFor()
  expect(await stored('userRating')).toBe('disabled')
  const { uuid } = await on.says({ name: 'Nora Notável', number: '5511944600002' }, 'Posso dar nota?')
  await page.goto(`/tickets/${uuid}`)
  await accept(page)
  await page.locator('[data-part=head]').getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Resolver e pedir avaliação' }).click()
  await page.getByText('A avaliação não foi pedida: a conexão não tem mensagem de avaliação.').waitFor()
  expect(admin.wrong).toEqual([])
})

it('options without effect say so while data protection is off', async () => {
  const { page } = admin
  await page.goto('/settings')
  const note = option(page, 'lgpdConsent').getByText('Sem efeito enquanto “Proteção de dados (LGPD)” estiver desligado.')
  await note.waitFor()
  await tick(option(page, 'enableLGPD').getByRole('checkbox'))
  await note.waitFor({ state: 'detached' })
  await tick(option(page, 'enableLGPD').getByRole('checkbox'))
  await note.waitFor()
  await expect.poll(() => stored('enableLGPD')).toBe('disabled')

  const text = option(page, 'lgpdMessage') // consent needs its text first (A-LGPD-01)
  await tick(option(page, 'lgpdConsent').getByRole('checkbox'))
  await text.getByText('Escreva o texto: a opção é ligada ao salvar.').waitFor()
  expect(await text.count()).toBe(1)
  await text.getByRole('textbox').fill('Usamos seus dados para atender.')
  await text.getByRole('button', { name: 'Salvar' }).click()
  await expect.poll(() => stored('lgpdConsent')).toBe('enabled')
  const set = async (key: string, value: string) => expect((await on.ask('PUT', `/settings/${key}`, { value })).status).toBe(200)
  await set('enableLGPD', 'enabled')
  await set('lgpdMessage', '')
  await option(page, 'lgpdConsent').getByText('Sem efeito: o texto “Texto sobre a privacidade” está vazio.').waitFor()
  const bar = page.getByText('O consentimento está ligado sem texto')
  await bar.waitFor()
  await page.goto('/tags')
  await bar.getByRole('link', { name: 'Abrir configurações' }).click()
  await text.getByRole('textbox').waitFor()
  await expect.poll(() => option(page, 'requiredTag').count()).toBe(0) // the list is narrowed to the missing text
  await page.goto('/settings')
  await set('lgpdConsent', 'disabled')

  // another user has just emptied the text, and this page does not know it yet
  const stale = { key: 'lgpdMessage', value: 'Usamos seus dados para atender.' }
  await page.route('**/api/settings', async (route) => {
    const answer = await route.fetch()
    const rows: { key: string }[] = await answer.json()
    await route.fulfill({ json: rows.map((row) => (row.key === stale.key ? stale : row)) })
  })
  await page.reload()
  await expect.poll(() => text.getByRole('textbox').inputValue()).toBe(stale.value)
  await page.unroute('**/api/settings')
  await tick(option(page, 'lgpdConsent').getByRole('checkbox'))
  await text.getByText('Escreva o texto: a opção é ligada ao salvar.').waitFor()
  await text.getByRole('textbox').and(page.locator(':focus')).waitFor()
  expect(await stored('lgpdConsent')).toBe('disabled')
  await text.getByRole('button', { name: 'Cancelar' }).click()
  await set('enableLGPD', 'disabled')
  await page.getByText('O consentimento está ligado sem texto').waitFor({ state: 'detached' })

  const policy = option(page, 'lgpdLink')
  const address = policy.getByRole('textbox')
  await address.fill('nossos dados')
  await policy.getByText('Digite um endereço da web').waitFor()
  await address.fill(' casa.test/dados ') // as it is pasted
  await address.press('Enter')
  await expect.poll(() => stored('lgpdLink')).toBe('https://casa.test/dados')
  await expect.poll(() => address.inputValue()).toBe('https://casa.test/dados')
  expect(admin.wrong).toEqual([])
})

it('texts to customers use the language that the company chooses', async () => {
  const { page } = admin
  await page.goto('/settings')
  await option(page, 'customerLanguage').getByRole('combobox').selectOption({ label: 'Türkçe' })
  await expect.poll(() => stored('customerLanguage')).toBe('tr')
  expect(await stored('transferMessage')).toBe('{fila} bölümüne aktarıldınız.') // nobody has written another text
  expect((await on.ask('PUT', '/settings/customerLanguage', { value: 'de' })).status).toBe(400)
  expect((await on.ask('PUT', '/settings/customerLanguage', { value: 'pt-BR' })).status).toBe(200)
  expect(await stored('transferMessage')).toBe('Você foi transferido para o setor {fila}.')
})

it('an option that needs a text asks for it first, and keeps it during a conflict', async () => {
  const { page } = admin
  await page.goto('/settings')
  await tick(option(page, 'sendGreetingAccepted').getByRole('checkbox'))
  const text = option(page, 'greetingAcceptedMessage').getByRole('textbox')
  await text.and(page.locator(':focus')).waitFor()
  expect(await stored('sendGreetingAccepted')).toBe('disabled')
  await text.fill('Olá, {nome}, sou da casa')
  await admin.shot('settings-text-first')
  await option(page, 'greetingAcceptedMessage').getByRole('button', { name: 'Salvar' }).click()
  await expect.poll(() => stored('sendGreetingAccepted')).toBe('enabled')
  expect(await stored('greetingAcceptedMessage')).toBe('Olá, {nome}, sou da casa')
  await option(page, 'greetingAcceptedMessage').getByRole('button', { name: 'Salvar' }).waitFor({ state: 'detached' }) // otherwise the client forgets what is written next

  await text.fill(' ')
  await option(page, 'greetingAcceptedMessage').getByText('Obrigatório').waitFor()
  expect(await option(page, 'greetingAcceptedMessage').getByRole('button', { name: 'Salvar' }).isDisabled()).toBe(true)
  await text.fill('O meu texto')
  expect((await on.ask('PUT', '/settings/greetingAcceptedMessage', { value: 'O de outra pessoa' })).status).toBe(200)
  await option(page, 'greetingAcceptedMessage').getByText('O de outra pessoa').waitFor()
  expect(await text.inputValue()).toBe('O meu texto')
  await admin.shot('settings-two')
  await page.getByRole('link', { name: 'Tags' }).click()
  await page.getByText('Descartar o que você digitou?').waitFor()
  await page.getByRole('button', { name: 'Continuar editando' }).click()
  await option(page, 'greetingAcceptedMessage').getByText('Enter pula linha · Ctrl+Enter salva').waitFor()
  await text.press('Enter')
  expect(await text.inputValue()).toBe('O meu texto\n')
  await text.press('Backspace')
  await text.press('Control+Enter')
  await expect.poll(() => stored('greetingAcceptedMessage')).toBe('O meu texto')
  await option(page, 'greetingAcceptedMessage').getByRole('button', { name: 'Salvar' }).waitFor({ state: 'detached' }) // otherwise leaving asks
  expect(admin.wrong).toEqual([])
})

it('unsaved text survives a search, a switch and another user’s change, and reverts nothing', async () => {
  const { page } = admin
  await page.goto('/settings')
  const row = option(page, 'transferMessage')
  const text = row.getByRole('textbox')
  const transfer = option(page, 'sendMsgTransfTicket').getByRole('checkbox')
  await transfer.waitFor()
  if (!(await transfer.isChecked())) await tick(transfer)
  await expect.poll(() => stored('sendMsgTransfTicket')).toBe('enabled')
  await text.fill('Escrito e não salvo')
  await page.getByRole('searchbox').fill('fuso')
  await option(page, 'requiredTag').waitFor({ state: 'detached' })
  expect(await text.inputValue()).toBe('Escrito e não salvo')
  await page.getByRole('searchbox').fill('')
  await tick(transfer)
  await expect.poll(() => stored('sendMsgTransfTicket')).toBe('disabled')
  expect(await text.inputValue()).toBe('Escrito e não salvo')
  await row.getByRole('button', { name: 'Salvar' }).click()
  const undo = page.locator('[data-part=toast]').filter({ hasText: 'Texto da transferência' }).getByRole('button', { name: 'Desfazer' })
  await undo.waitFor()
  await on.ask('PUT', '/settings/sendMsgTransfTicket', { value: 'enabled' })
  await on.ask('PUT', '/settings/transferMessage', { value: 'O de outra pessoa' })
  await expect.poll(() => text.inputValue()).toBe('O de outra pessoa')
  await undo.click()
  await page.getByText('nada foi desfeito').waitFor()
  expect(await stored('transferMessage')).toBe('O de outra pessoa')

  await on.ask('PUT', '/settings/sendGreetingAccepted', { value: 'disabled' })
  await on.ask('PUT', '/settings/greetingAcceptedMessage', { value: '' })
  await page.reload()
  const greeting = option(page, 'sendGreetingAccepted').getByRole('checkbox')
  await tick(greeting)
  const mine = option(page, 'greetingAcceptedMessage').getByRole('textbox')
  await mine.fill('A minha saudação')
  await on.ask('PUT', '/settings/greetingAcceptedMessage', { value: 'A de outra pessoa' })
  await on.ask('PUT', '/settings/sendGreetingAccepted', { value: 'enabled' })
  await option(page, 'greetingAcceptedMessage').getByText('A de outra pessoa').waitFor()
  expect(await mine.inputValue()).toBe('A minha saudação')
  await on.ask('PUT', '/settings/sendGreetingAccepted', { value: 'disabled' })
  await expect.poll(() => greeting.isChecked()).toBe(false)
  await admin.shot('settings-drafts')
  await option(page, 'greetingAcceptedMessage').getByRole('button', { name: 'Cancelar' }).click()
  await option(page, 'greetingAcceptedMessage').waitFor({ state: 'detached' })

  // one question names everything that a link would lose
  await option(page, 'maxOpenTickets').getByRole('textbox').fill('7')
  await option(page, 'firstAnswerTarget').getByRole('textbox').fill('9')
  await page.getByRole('link', { name: 'Tags', exact: true }).first().click()
  await page.getByText('Limite por atendente · Meta da primeira resposta').waitFor()
  await page.getByRole('button', { name: 'Descartar', exact: true }).click()
  await page.waitForURL(/\/tags/)
  expect(admin.wrong).toEqual([])
})

it('showing numbers and changing hours asks first, and hours use the company’s zone', async () => {
  const { page } = admin
  await page.goto('/settings')
  for (const key of ['enableLGPD', 'lgpdHideNumber']) {
    await tick(option(page, key).getByRole('checkbox'))
    await expect.poll(() => stored(key)).toBe('enabled')
  }
  await tick(option(page, 'lgpdHideNumber').getByRole('checkbox'))
  const asks = page.getByRole('alertdialog')
  await asks.getByText(/números completos/).waitFor()
  await admin.shot('settings-asks')
  await asks.getByRole('button', { name: 'Cancelar' }).click()
  await asks.waitFor({ state: 'detached' })
  expect(await stored('lgpdHideNumber')).toBe('enabled')

  const shown = async () => page.locator('[data-setting=timeZone]').innerText()
  await option(page, 'timeZone').getByRole('combobox').selectOption('Asia/Tokyo')
  await asks.getByRole('button', { name: 'Mudar' }).click()
  await expect.poll(() => stored('timeZone')).toBe('Asia/Tokyo')
  await expect.poll(shown).toContain('Asia/Tokyo')
  await asks.waitFor({ state: 'detached' }) // a closing dialog steps back in the history, which would undo the navigation
  await page.goto('/audit')
  await page.getByRole('link', { name: 'Configurações alteradas' }).click()
  await page.waitForURL('**/security-log')
  const last = page.getByRole('row').filter({ hasText: 'Asia/Tokyo' }).first()
  expect(await last.innerText()).toMatch(/configuração: [^·]+ · de: [^·]* · para: Asia\/Tokyo/)
  const entry = page.getByRole('row').filter({ hasText: 'Configuração alterada' }).first()
  const at = await entry.locator('time').getAttribute('datetime')
  const clock = new Intl.DateTimeFormat('pt-BR', { timeZone: 'Asia/Tokyo', hour: '2-digit', minute: '2-digit' }).format(new Date(at!))
  expect(await entry.locator('time').innerText()).toMatch(new RegExp(` ${clock}$`))
  await on.ask('PUT', '/settings/timeZone', { value: 'America/Sao_Paulo' })
  const here = new Intl.DateTimeFormat('pt-BR', { timeZone: 'America/Sao_Paulo', hour: '2-digit', minute: '2-digit' }).format(new Date(at!))
  await expect.poll(() => page.locator(`time[datetime="${at}"]`).innerText()).toMatch(new RegExp(` ${here}$`))
  expect(admin.wrong).toEqual([])
})

it('options are found by their text, in four languages, in dark theme and on a phone', async () => {
  const { page } = admin
  await page.goto('/settings')
  await option(page, 'requiredTag').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('consentimento')
  await option(page, 'requiredTag').waitFor({ state: 'detached' })
  expect(await page.locator('[data-part=option]').count()).toBe(1)
  await page.getByRole('searchbox').fill('nada disto')
  await page.getByText('Nada encontrado').waitFor()
  await page.getByRole('searchbox').fill('')
  await option(page, 'requiredTag').waitFor()
  expect(await option(page, 'userCreation').count()).toBe(0) // an option of the platform, for its operator only
  expect(await faultsOf(page, 'settings')).toEqual([])
  for (const [width, language, theme] of [
    [390, 'tr', 'dark'],
    [768, 'es', 'light'],
    [1024, 'en', 'dark'],
  ] as const) {
    const one = await on.enter('admin@demo.test', { width, language, theme, height: 900, at: '/settings' })
    await option(one.page, 'requiredTag').waitFor()
    expect(await one.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await one.shot(`settings-${width}`)
    expect(one.wrong).toEqual([])
    await one.leave()
  }
  const keeper = await on.keeper()
  const { page: keepers } = keeper
  await keepers.setViewportSize({ width: 390, height: 844 })
  await keepers.goto('/settings')
  await option(keepers, 'userCreation').waitFor()
  await keeper.shot('settings-super')
  const ana = await on.enter('ana@demo.test', { at: '/settings' })
  await ana.page
    .getByRole('main')
    .getByText(/permissão|acesso/i)
    .first()
    .waitFor()
  expect(await ana.page.locator('[data-part=option]').count()).toBe(0)
})
