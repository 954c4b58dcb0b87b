import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { eventually } from '#tests/support/wait.ts'
import { accept, bubble, choose, type Scene, scene, words, write } from './scene.ts'

let on: Scene
let ana: Person

beforeAll(async () => {
  on = await scene()
  ana = await on.enter('ana@demo.test')
})
afterAll(() => on?.clear())

it('undoing a close restores agent and queue, sends no farewell, and is logged', async () => {
  const customer = { name: 'Dario Desfeito', number: '5511944470001' }
  const { uuid } = await on.says(customer, 'Ainda não acabei')
  const { page } = ana
  await page.goto(`/tickets/${uuid}`)
  await accept(page)
  const head = page.locator('[data-part=head]')
  await head.getByRole('button', { name: 'Resolver', exact: true }).click()
  await page.waitForURL(/\/tickets$/)
  await page.getByText('Dario Desfeito: resolvido').waitFor()
  const undo = page.getByRole('button', { name: 'Desfazer' })
  await undo.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(uuid))
  await head.getByText('Em atendimento').waitFor()
  expect(await words(page).isEnabled()).toBe(true)
  await page.getByRole('log').getByText('Ana Souza desfez o encerramento').waitFor()
  const [row] = (await on.ask('GET', `/tickets?status=search&searchParam=${encodeURIComponent(customer.name)}`)).body.tickets
  expect([row.status, row.user.name, row.queue.name]).toEqual(['open', 'Ana Souza', 'Suporte'])
  await write(page, 'Sigo por aqui')
  await bubble(page, 'Sigo por aqui').waitFor()
  const got = await eventually(
    () => on.got(customer.number),
    (all) => all.some(({ body }) => body.includes('Sigo por aqui')),
  )
  expect(got).toHaveLength(1)
  await ana.shot('undone')
  expect(ana.wrong).toEqual([])
})

it('notices still leave after a click on one of them', async () => {
  const { uuid } = await on.says({ name: 'Tito Clicado', number: '5511944470003' }, 'Era só isso')
  const { page } = ana
  await page.goto(`/tickets/${uuid}`)
  await accept(page)
  await page.clock.install()
  const head = page.locator('[data-part=head]')
  await head.getByRole('button', { name: 'Resolver', exact: true }).click()
  await page.getByText('Tito Clicado: resolvido').waitFor()
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await head.getByText('Em atendimento').waitFor()
  await page.mouse.move(700, 400)
  await choose(page, 'Era só isso', 'Copiar')
  const notices = page.getByRole('region', { name: 'Avisos' }).getByRole('listitem')
  await notices.filter({ hasText: 'Copiado' }).waitFor()
  await page.clock.fastForward(60_000)
  await notices.first().waitFor({ state: 'detached' })
  expect(ana.wrong).toEqual([])
})

it('closing a ticket that no agent accepted needs a confirmation, and the log names it', async () => {
  const { uuid } = await on.says({ name: 'Iara Esperando', number: '5511944470004' }, 'Tem alguém aí?')
  const admin = await on.enter('admin@demo.test')
  const { page } = admin
  await page.getByRole('tab', { name: /Aguardando/ }).click()
  const card = page.locator('[data-part=card]').filter({ hasText: 'Iara Esperando' })
  await card.hover()
  await admin.shot('card-actions')
  const close = card.getByRole('button', { name: 'Fechar sem atender' })
  const [closes, accepts] = [await close.boundingBox(), await card.getByRole('button', { name: 'Aceitar' }).boundingBox()]
  expect(accepts!.x - closes!.x - closes!.width).toBeGreaterThan(20)
  await close.click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText('sem que ninguém o aceite').waitFor()
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await dialog.waitFor({ state: 'detached' })
  await card.hover()
  await close.click()
  await dialog.getByRole('button', { name: 'Fechar sem atender' }).click()
  await page.getByText('Iara Esperando: fechado sem atender').waitFor()
  await page.evaluate((to) => history.pushState(null, '', to), `/tickets/${uuid}`)
  await page.getByRole('log').getByText('fechou sem atender').waitFor()
  await page.locator('[data-part=head]').getByText('Fechado sem atender').waitFor() // it was not resolved
  expect(admin.wrong).toEqual([])
  await admin.leave()
})

it('a transfer offers possible receivers, online first, and its note is logged', async () => {
  const { uuid } = await on.says({ name: 'Tina Passada', number: '5511944470002' }, 'Preciso de outra pessoa')
  const { page } = ana
  await page.goto(`/tickets/${uuid}`)
  await accept(page)
  await page.locator('[data-part=head]').getByRole('button', { name: 'Transferir', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: /Bruno Lima/ }).waitFor()
  const users = (await on.ask('GET', '/users/list')).body as { name: string; profile: string; queues: { name: string }[] }[]
  const queue = dialog.getByLabel('Fila')
  for (const label of await queue.locator('option:not([value=""])').allInnerTexts()) {
    await queue.selectOption({ label })
    const able = users.filter(
      ({ name, profile, queues }) => name !== 'Ana Souza' && (profile === 'admin' || queues.some((one) => one.name === label)),
    )
    const offered = await dialog.getByRole('radio').allInnerTexts()
    const names = offered.slice(1).map((one) => one.trim().split('\n').at(-1)!)
    const byName = (a: string, b: string) => a.localeCompare(b)
    expect(names.toSorted(byName)).toEqual(able.map(({ name }) => name).toSorted(byName))
  }
  await queue.selectOption({ label: 'Suporte' })
  await ana.shot('transfer-able')
  const note = dialog.getByLabel(/Mensagem interna/)
  await note.fill('Já tentei reiniciar')
  await note.press('Shift+Enter')
  expect(await note.inputValue()).toBe('Já tentei reiniciar\n')
  await note.press('Enter') // saves, as everywhere
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(ana.wrong).toEqual([])
})

it('the next ticket opens after a resolve if so configured, and Undo leads back', async () => {
  const { page } = ana
  const mine = [
    { name: 'Próspero Um', number: '5511944470011' },
    { name: 'Próspero Dois', number: '5511944470012' },
  ]
  const tickets: { uuid: string }[] = []
  for (const one of mine) {
    tickets.push(await on.says(one, `Aqui é ${one.name}`))
    await page.goto(`/tickets/${tickets.at(-1)!.uuid}`)
    await accept(page)
  }
  await page.getByRole('button', { name: /Ana Souza|Sua conta/ }).click()
  await page
    .getByRole('menuitemcheckbox', { name: /abrir o próximo/ })
    .or(page.getByText('Ao resolver, abrir o próximo'))
    .first()
    .click()
  await page.keyboard.press('Escape')
  const head = page.locator('[data-part=head]')
  await head.getByRole('button', { name: 'Resolver', exact: true }).click()
  await page.getByText('Próspero Dois: resolvido').waitFor()
  await page.waitForURL((url) => /\/tickets\/.+/.test(url.pathname) && !url.pathname.endsWith(tickets[1]!.uuid))
  await head.getByText('Em atendimento').waitFor()
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await page.waitForURL(new RegExp(tickets[1]!.uuid))
  await head.getByText('Em atendimento').waitFor()
  expect(ana.wrong).toEqual([])
})
