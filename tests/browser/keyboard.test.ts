import { afterAll, beforeAll, expect, it } from 'vitest'
import { demoPassword } from '#app/demo/accounts.ts'
import type { Person } from '#tests/support/browser.ts'
import { eventually } from '#tests/support/wait.ts'
import { accept, bubble, type Scene, scene, words } from './scene.ts'

let on: Scene
let ana: Person
const customer = { name: 'Teclado Primeiro', number: '5511944470001' }

beforeAll(async () => {
  on = await scene()
  ana = await on.enter('ana@demo.test')
})
afterAll(() => on?.clear())

const press = async (...keys: string[]) => {
  for (const key of keys) await ana.page.keyboard.press(key)
}
/** Waits until the element has the focus. */
const focused = (what: ReturnType<Person['page']['locator']>) => what.and(ana.page.locator(':focus')).waitFor()

it('an agent can do the whole job without a mouse', async () => {
  const { page } = ana
  await on.says(customer, 'Consigo atendimento só com o teclado?')

  // the list: a tab by its number, cards by arrow keys
  await page.locator('[data-part=card]').first().waitFor()
  await press('2')
  await page.getByRole('tab', { name: /Aguardando/, selected: true }).waitFor()
  await page.getByRole('link', { name: customer.name }).waitFor()
  const cards = page.locator('[data-part=rows] [data-part=card-name]')
  await press('l')
  await focused(cards.nth(0))
  await press('ArrowDown', 'ArrowDown')
  await focused(cards.nth(2))
  await press('ArrowUp')
  await focused(cards.nth(1))
  const second = await cards.nth(1).innerText()
  await press('Enter')
  await page.locator('[data-part=head]').getByRole('heading', { name: second }).waitFor()

  // the command palette finds the customer
  await press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Buscar' })
  await focused(palette.getByRole('combobox'))
  await page.keyboard.type('Teclado Primeiro')
  await palette.getByRole('option', { name: /Consigo atendimento/ }).waitFor()
  await page.locator('[data-part=palette-hit][aria-selected=true]').filter({ hasText: 'Consigo atendimento' }).waitFor()
  await press('Enter')
  await palette.waitFor({ state: 'detached' })
  await page.locator('[data-part=head]').getByRole('heading', { name: customer.name }).waitFor()

  // the queue dialog takes and returns the focus, and its choice enables the composer
  const accept = page.locator('[data-part=head]').getByRole('button', { name: 'Aceitar', exact: true })
  await accept.focus()
  await press('Enter')
  const asks = page.getByRole('dialog')
  await focused(asks.getByLabel('Fila'))
  await press('Escape')
  await asks.waitFor({ state: 'detached' })
  await focused(accept)
  await press('Alt+Shift+S')
  await focused(asks.getByLabel('Fila'))
  await asks.getByRole('option', { name: 'Suporte' }).waitFor({ state: 'attached' })
  await page.keyboard.type('Sup')
  await press('Tab', 'Tab')
  await focused(asks.getByRole('button', { name: 'Aceitar' }))
  await ana.shot('keyboard-queue')
  await press('Enter')
  await asks.waitFor({ state: 'detached' })
  await focused(words(page))

  // the composer
  await page.keyboard.type('Consegue, sim.')
  await press('Shift+Enter')
  await page.keyboard.type('Em duas linhas.')
  expect(await words(page).inputValue()).toBe('Consegue, sim.\nEm duas linhas.')
  await press('Enter')
  await bubble(page, 'Em duas linhas.').waitFor()
  expect(
    (
      await eventually(
        () => on.got(customer.number),
        (got) => got.length === 1,
      )
    )[0]!.body,
  ).toContain('sim.\nEm duas')
  await press('Escape')
  await focused(page.locator('[data-part=card][data-current] [data-part=card-name]'))
  await press('Alt+Shift+R')
  await focused(words(page))

  // the menu of a message: open, move, close; then a reply that Escape cancels
  const more = bubble(page, 'Consigo atendimento').getByRole('button', { name: 'Ações da mensagem' })
  await more.focus()
  await press('Enter')
  await focused(page.getByRole('menuitem', { name: 'Responder' }))
  await press('ArrowDown')
  await focused(page.getByRole('menuitem', { name: 'Encaminhar' }))
  await ana.shot('keyboard-menu')
  await press('Escape')
  await page.getByRole('menuitem').first().waitFor({ state: 'detached' })
  await focused(more)
  await press('Enter')
  await focused(page.getByRole('menuitem', { name: 'Responder' }))
  await press('Enter')
  await focused(words(page))
  await page.getByText(`Respondendo a ${customer.name}`).waitFor()
  await press('Escape')
  await page.getByText(`Respondendo a ${customer.name}`).waitFor({ state: 'detached' })
  await focused(words(page))

  // a dialog from the ticket's menu returns the focus to the menu's button
  const menu = page.locator('[data-part=head]').getByRole('button', { name: 'Mais ações' })
  await menu.focus()
  await press('Enter')
  await page.locator('[role=menuitem]:focus').waitFor()
  await page.getByRole('menuitem', { name: 'Registro do atendimento' }).focus()
  await press('Enter')
  await asks.getByText('Ana Souza aceitou o atendimento').waitFor()
  await press('Escape')
  await asks.waitFor({ state: 'detached' })
  await focused(menu)

  // the shortcut sheet lists the keys; one of them resolves
  await press('Control+/')
  await page.getByRole('dialog').getByText('Resolver', { exact: true }).waitFor()
  await ana.shot('keyboard-sheet')
  await press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await press('Alt+Shift+E')
  await page.waitForURL(/\/tickets$/)
  expect(ana.wrong).toEqual([])
})

it('a ticket is served by roles and names alone, from the sign-in to the resolution', async () => {
  const lia = { name: 'Lia Leitora', number: '5511944470090' }
  await on.says(lia, 'Meu boleto venceu')
  const reader = await on.on.come()
  const { page } = reader
  /** The role and the name of what has the focus, as a screen reader says them. */
  const isFocused = (spoken: RegExp) => expect.poll(() => page.locator(':focus').ariaSnapshot()).toMatch(spoken)
  /** What the live regions say. */
  const isSaid = (text: string | RegExp) => page.getByRole('status').or(page.getByRole('alert')).filter({ hasText: text }).first().waitFor()
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'E-mail' }).fill('carla@demo.test')
  await page.getByLabel('Senha', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: 'Entrar', exact: true }).press('Enter')
  await page
    .getByRole('navigation', { name: /./ })
    .getByRole('link', { name: /^Atendimentos/ })
    .waitFor()
  await page
    .getByRole('tablist', { name: /./ })
    .getByRole('tab', { name: /^Aguardando/ })
    .press('Enter')
  const ticket = page.getByRole('list', { name: /./ }).getByRole('link', { name: lia.name })
  await ticket.press('Enter')
  await page.getByRole('heading', { name: lia.name }).waitFor()
  const log = page.getByRole('log', { name: new RegExp(lia.name) })
  await log
    .getByRole('article', { name: /Lia Leitora/ })
    .filter({ hasText: 'Meu boleto venceu' })
    .waitFor()
  const chat = page.getByRole('region', { name: lia.name })
  await chat.getByRole('button', { name: 'Aceitar', exact: true }).first().press('Enter')
  const dialog = page.getByRole('dialog', { name: /./ })
  await isFocused(/combobox "Fila/)
  await dialog.getByRole('combobox', { name: 'Fila' }).selectOption({ label: 'Vendas' })
  await dialog.getByRole('button', { name: 'Aceitar', exact: true }).press('Enter')
  await isFocused(/textbox "Mensagem/)
  await page.keyboard.type('Segue a segunda via')
  await page.keyboard.press('Enter')
  await log.getByRole('article').filter({ hasText: 'Segue a segunda via' }).getByRole('img', { name: /./ }).waitFor()
  await on.ask('POST', '/sandbox/1/inbound', { id: 'leitora-2', from: lia.number, name: lia.name, body: 'Paguei agora' })
  await isSaid(/Lia Leitora.*Paguei agora/)
  await chat.getByRole('button', { name: 'Resolver', exact: true }).press('Enter')
  await isSaid(/Lia Leitora/)
  await page.waitForURL(/\/tickets$/)
  await isFocused(/^- \w+ "/)
  expect(reader.wrong).toEqual([])
})

it('the Enter that ends a composition sends and chooses nothing, in Safari too', async () => {
  const { page } = ana
  const { uuid } = await on.says({ name: 'Kana Yamada', number: '5511944470009' }, 'Konnichiwa')
  await page.goto(`/tickets/${uuid}`)
  await accept(page)
  await words(page).fill('かな')
  for (const end of [{ isComposing: true }, { keyCode: 229 }])
    await words(page).dispatchEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...end })
  expect(await words(page).inputValue()).toBe('かな')
  await words(page).press('Enter')
  await bubble(page, 'かな').waitFor()
  expect(await bubble(page, 'かな').count()).toBe(1)
})

it('typing outside the composer goes into it, and a letter never acts on the ticket', async () => {
  const { page } = ana
  const other = { name: 'Teclado Segundo', number: '5511944470002' }
  const ticket = await on.says(other, 'Recebeu o comprovante?')
  const status = async () =>
    (await on.ask('GET', `/tickets?status=search&searchParam=${encodeURIComponent(other.name)}`)).body.tickets[0].status
  await page.goto(`/tickets/${ticket.uuid}`)

  // nothing can be sent yet: the characters go into the field and are no commands
  await page.locator('[data-part=asleep]').waitFor()
  await page.locator('[data-part=thread]').click({ position: { x: 5, y: 5 } })
  await page.keyboard.type('2 l?')
  await press('Enter')
  await page.getByText('Não foi enviado.').waitFor()
  expect([await words(page).inputValue(), await page.getByRole('dialog').count()]).toEqual(['2 l?', 0])
  await words(page).fill('')
  await press('Control+/')
  const sheet = page.getByRole('dialog', { name: 'Atalhos do teclado' })
  await focused(sheet.getByLabel('Usar atalhos do teclado'))
  await page.keyboard.type('as')
  await press('Escape')
  await sheet.waitFor({ state: 'detached' })
  expect(await status()).toBe('pending')

  await accept(page)
  await focused(words(page))
  await page.locator('[data-part=thread]').click({ position: { x: 5, y: 5 } })
  await words(page).and(page.locator(':not(:focus)')).waitFor()
  await page.keyboard.type('Perfeito, 1 minuto?')
  expect(await words(page).inputValue()).toBe('Perfeito, 1 minuto?')
  await page.locator('[data-part=card][data-current] [data-part=card-name]').focus()
  await page.keyboard.type('Legal')
  expect(await words(page).inputValue()).toBe('Perfeito, 1 minuto?Legal')

  // a menu and a dialog keep their characters; the first one after them is written
  await page.locator('[data-part=head]').getByRole('button', { name: 'Mais ações' }).click()
  await page.locator('[role=menuitem]:focus').waitFor()
  await page.keyboard.type('e')
  await page.getByRole('menuitem', { name: 'Registro do atendimento' }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('e')
  expect(await words(page).inputValue()).toBe('Perfeito, 1 minuto?Legal')
  await press('Escape', 'e')
  await page.keyboard.type('do')
  await expect.poll(() => words(page).inputValue()).toMatch(/Legale?do$/)
  expect(await status()).toBe('open')

  // switched off, they are off for this user on the next page too; switched on again, they act
  const turn = async () => {
    await press('Control+/')
    await focused(sheet.getByLabel('Usar atalhos do teclado'))
    await press('Space')
    await ana.shot('keyboard-switch')
    await press('Escape')
    await sheet.waitFor({ state: 'detached' })
  }
  await turn()
  await page.reload()
  await focused(words(page))
  await press('Alt+Shift+E')
  await page.keyboard.type('!')
  await expect.poll(() => words(page).inputValue()).toMatch(/do!$/)
  expect(await status()).toBe('open')
  await turn()
  await press('Alt+Shift+E')
  await eventually(status, (now) => now === 'closed')
  expect(ana.wrong).toEqual([])
})

it('the composer of a waiting and of a resolved ticket says why, and letters never act', async () => {
  const { page } = ana
  const { id, uuid } = await on.says({ name: 'Teclado Quarto', number: '5511944470004' }, 'Obrigado, era só isso')
  const status = async () => (await on.ask('GET', `/tickets/u/${uuid}`)).body.status
  const asleep = page.locator('[data-part=asleep]')
  /** Each letter of the actions, with the keys of other screens. */
  const typesInVain = async (now: string) => {
    await page.locator('[data-part=thread]').click({ position: { x: 5, y: 5 } })
    await page.keyboard.type('asdetnlprg?/[]')
    expect([await words(page).inputValue(), await page.getByRole('dialog').count(), await status()]).toEqual(['asdetnlprg?/[]', 0, now])
    await words(page).press('Enter')
    await page.getByText('Não foi enviado.').waitFor()
    await words(page).fill('')
    expect(page.url()).toContain(uuid)
  }
  await page.goto(`/tickets/${uuid}`)
  await asleep.getByText('Este atendimento está aguardando. Aceite para responder.').waitFor()
  await typesInVain('pending')
  await asleep.getByRole('button', { name: 'Aceitar para responder' }).click()
  await page.getByRole('dialog').getByLabel('Fila').selectOption({ label: 'Suporte' })
  await page.getByRole('dialog').getByRole('button', { name: 'Aceitar', exact: true }).click()
  await asleep.waitFor({ state: 'detached' })
  expect((await on.ask('PUT', `/tickets/${id}`, { status: 'closed', sendFarewellMessage: false })).status).toBe(200)
  await page.goto(`/tickets/${uuid}`)
  await asleep.getByText('Este atendimento foi resolvido. Reabra para responder.').waitFor()
  await ana.shot('asleep-resolved')
  await typesInVain('closed')
  await asleep.getByRole('button', { name: 'Reabrir para responder' }).click()
  await asleep.waitFor({ state: 'detached' })
  expect(await status()).toBe('open')
  expect(ana.wrong).toEqual([])
})

it('a shortcut’s action is reported with an undo button', async () => {
  const { page } = ana
  const third = { name: 'Teclado Terceiro', number: '5511944470003' }
  const { uuid } = await on.says(third, 'Ainda aí?')
  const head = page.locator('[data-part=head]')
  await page.goto(`/tickets/${uuid}`)
  await accept(page)
  const toast = (text: string) => page.getByRole('region', { name: 'Avisos' }).getByRole('listitem').filter({ hasText: text })
  await press('Alt+Shift+D')
  await toast('Teclado Terceiro: devolvido para aguardando').getByRole('button', { name: 'Desfazer' }).waitFor()
  await page.goto(`/tickets/${uuid}`)
  await head.getByRole('button', { name: 'Aceitar', exact: true }).waitFor()
  await press('Alt+Shift+S')
  await head.getByText('Em atendimento').waitFor()
  const back = toast('Teclado Terceiro: aceito').getByRole('button', { name: 'Devolver' })
  await back.focus()
  await press('Enter')
  await toast('Teclado Terceiro: devolvido para aguardando').waitFor()
  expect((await on.ask('GET', `/tickets/u/${uuid}`)).body.status).toBe('pending')
  expect(ana.wrong).toEqual([])
})

it('the switch for shortcuts also disables those of a single letter', async () => {
  const { page } = ana
  await page.goto('/contacts')
  await page.getByRole('table').waitFor()
  const turn = async () => {
    await press('Control+/')
    const sheet = page.getByRole('dialog', { name: 'Atalhos do teclado' })
    await focused(sheet.getByLabel('Usar atalhos do teclado'))
    await press('Space', 'Escape')
    await sheet.waitFor({ state: 'detached' })
  }
  await turn()
  await page.locator('main').focus()
  for (const key of ['n', '/', '?', '[', 'g', 't']) await press(key)
  expect([await page.getByRole('dialog').count(), new URL(page.url()).pathname]).toEqual([0, '/contacts'])
  expect(await page.locator('main').evaluate((one) => one === document.activeElement)).toBe(true)
  await press('Control+k') // shortcuts with a modifier stay active everywhere
  await page.getByRole('dialog', { name: 'Buscar' }).waitFor()
  await press('Escape')
  await page.getByRole('dialog', { name: 'Buscar' }).waitFor({ state: 'detached' })
  await turn()
  await page.locator('main').focus()
  await press('n')
  await page.getByRole('dialog').waitFor()
  await press('Escape')
  expect(ana.wrong).toEqual([])
})
