import { afterAll, beforeAll, expect, it } from 'vitest'
import { accept, bubble, chooseOf, type Scene, scene, words, write } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

it('a card shows waiting time, the last sender of a group, and actions beside the text', async () => {
  await on.says({ name: 'Vera Espera', number: '5511944510001' }, 'Estou esperando há um bom tempo por uma resposta sobre o meu pedido')
  const ana = await on.enter('ana@demo.test')
  const { page } = ana
  await page.getByRole('tab', { name: /Aguardando/ }).click()
  await page.locator('[data-part=card]').first().waitFor()
  expect(await page.locator('[data-part=card] [data-part=waited]').count()).toBe(await page.locator('[data-part=card]').count())
  const card = page.locator('[data-part=card]').filter({ hasText: 'Vera Espera' })
  expect(await card.locator('[data-part=waited]').getAttribute('data-urgency')).toBe('fresh')
  expect(await page.locator('[data-part=card] [data-part=waited]').first().getAttribute('data-urgency')).toBe('late')
  await card.hover()
  const [actions, time, badge, last] = await Promise.all(
    ['[data-part=card-actions]', 'a + time', '[data-part=badge]', '[data-part=card-last]'].map(
      async (one) => (await card.locator(one).boundingBox())!,
    ),
  )
  for (const read of [time!, badge!, last!]) expect(read.y + read.height).toBeLessThanOrEqual(actions!.y + 1)
  expect(actions!.x + actions!.width).toBeLessThanOrEqual((await card.boundingBox())!.x + (await card.boundingBox())!.width)
  await ana.shot('waiting')
  await page.getByRole('tab', { name: /Grupos/ }).click()
  await page.locator('[data-part=card]').filter({ hasText: 'Obra Rua Aurora 120' }).locator('[data-part=card-last] b').waitFor()
  expect(ana.wrong).toEqual([])
})

it('tab, search and open ticket survive a reload, and a hit opens at its message', async () => {
  const ticket = await on.says({ name: 'Hugo Achado', number: '5511944510002' }, 'A geladeira chegou amassada na lateral')
  for (let at = 0; at < 45; at++) await on.says({ name: 'Hugo Achado', number: '5511944510002' }, `Mais uma mensagem número ${at}`)
  const ana = await on.enter('ana@demo.test')
  const { page } = ana
  await page.locator('[data-part=card]').first().waitFor()
  await page.getByRole('tab', { name: 'Busca' }).click()
  await page.getByRole('searchbox').fill('geladeira chegou')
  await page.getByRole('button', { name: 'Buscar também nas mensagens', pressed: false }).click()
  const hit = page.locator('[data-part=card]').filter({ hasText: 'Hugo Achado' })
  await hit.locator('mark', { hasText: 'geladeira chegou' }).waitFor()
  await hit.locator('[data-part=card-name]').click()
  await bubble(page, 'A geladeira chegou amassada').waitFor()
  await expect
    .poll(() =>
      bubble(page, 'A geladeira chegou amassada').evaluate((one) => {
        const { top, bottom } = one.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      }),
    )
    .toBe(true)
  await page.reload()
  await page.getByRole('tab', { name: 'Busca', selected: true }).waitFor()
  expect(await page.getByRole('searchbox').inputValue()).toBe('geladeira chegou')
  await hit.locator('mark').waitFor()
  expect(page.url()).toContain(ticket.uuid)
  await page.getByRole('searchbox').fill(`#${ticket.id}`)
  await expect.poll(() => page.locator('[data-part=card]').count()).toBe(1)
  expect(ana.wrong).toEqual([])
})

it('the ticket list takes one Tab stop and is walked with arrow keys', async () => {
  const ana = await on.enter('ana@demo.test')
  const { page } = ana
  await page.getByRole('tab', { name: /Aguardando/ }).click()
  await page.locator('[data-part=card]').nth(3).waitFor()
  expect(await page.locator('[data-part=rows] [tabindex="0"]').count()).toBe(1)
  await page.locator('[data-part=card-name]').first().focus()
  await page.keyboard.press('ArrowDown')
  await page.locator('[data-part=card-name]').nth(1).and(page.locator(':focus')).waitFor()
  expect(await page.locator('[data-part=rows] [tabindex="0"]').count()).toBe(1)
  await page.keyboard.press('ArrowRight')
  await page.locator('[data-part=card]').nth(1).getByRole('button', { name: 'Espiar' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('[data-part=rows]') === null)).toBe(true)
})

it('a transferred ticket shows its sender and note, and counts only for its receiver', async () => {
  const ticket = await on.says({ name: 'Tina Passada', number: '5511944510003' }, 'Preciso falar com o suporte')
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${ticket.uuid}` })
  await accept(ana.page)
  await write(ana.page, 'Vou passar para o Bruno')
  await bubble(ana.page, 'Vou passar para o Bruno').waitFor()
  const bruno = await on.enter('bruno@demo.test')
  const { users } = await on.ask('GET', '/users/').then(({ body }) => body)
  const to = (users as { id: number; name: string }[]).find(({ name }) => name === 'Bruno Lima')!
  const queue = await on.ask('GET', `/tickets/u/${ticket.uuid}`).then(({ body }) => body.queueId)
  await on.ask('PUT', `/tickets/${ticket.id}`, { userId: to.id, queueId: queue, isTransfered: true, msgTransfer: 'Ele já pagou' })
  const card = bruno.page.locator('[data-part=card]').filter({ hasText: 'Tina Passada' })
  await card.getByText('Ana Souza transferiu:').or(card.getByText('Sofia Duarte transferiu:')).waitFor()
  await card.getByText('Ele já pagou').waitFor()
  await bruno.shot('transferred')
  await bruno.page.locator('[data-part=card]').filter({ hasText: 'Tina Passada' }).locator('[data-part=card-name]').click()
  await words(bruno.page).waitFor()
  const handover = bruno.page.locator('[data-part=handover-note]').filter({ hasText: 'Ele já pagou' })
  expect(await handover.locator('b').innerText()).toMatch(/^(Ana Souza|Sofia Duarte)$/)
  expect(await handover.evaluate((one) => getComputedStyle(one).backgroundColor)).not.toBe('rgba(0, 0, 0, 0)')
  await card.getByText('Vou passar para o Bruno').waitFor()
  expect((await on.ask('PUT', '/settings/maxOpenTickets', { value: '1' })).status).toBe(200)
  await bruno.page.locator('[data-part=full]').getByText('nenhum atendimento novo lhe é atribuído').waitFor()
  await bruno.page.locator('[data-part=topbar] [data-presence=full]').waitFor()
  expect((await on.ask('PUT', '/settings/maxOpenTickets', { value: '' })).status).toBe(200)
  await bruno.page.locator('[data-part=full]').waitFor({ state: 'detached' })
  const named = await bruno.page.locator('[data-part=menu-count]').getAttribute('title')
  const own = await on.ask('GET', '/tickets?status=open&withUnreadMessages=true').then(({ body }) => body.count)
  expect(named).toMatch(/^\d+ atendimentos? seus? com mensagens não lidas$/)
  expect(Number.isInteger(own)).toBe(true)
  await chooseOf(bruno.page, 'Observações')
  const dialog = bruno.page.getByRole('dialog')
  const note = dialog.getByRole('textbox')
  await note.fill('Primeira linha')
  await note.press('Shift+Enter')
  await note.pressSequentially('segunda')
  expect(await note.inputValue()).toBe('Primeira linha\nsegunda')
  await note.press('Enter')
  await dialog.getByRole('listitem').filter({ hasText: 'Primeira linha' }).waitFor()
  expect(await note.inputValue()).toBe('')
  expect([...ana.wrong, ...bruno.wrong]).toEqual([])
})

it('a card turns grey as soon as it is acted on, and back if the server refuses', async () => {
  const ticket = await on.says({ name: 'Gil Cinza', number: '5511944510004' }, 'Some daqui?')
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${ticket.uuid}` })
  const { page } = ana
  await accept(page)
  const card = page.locator('[data-part=card]').filter({ hasText: 'Gil Cinza' })
  const grey = card.and(page.locator('[data-gone][aria-busy]'))
  const answer: { now: ((how: 'refuse' | 'go on') => void) | null } = { now: null }
  await page.route(`**/tickets/${ticket.id}`, async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    const how = await new Promise((decided) => {
      answer.now = decided
    })
    if (how === 'go on') return route.continue()
    await route.fulfill({ status: 503, contentType: 'application/json', body: JSON.stringify({ error: 'ERR_UNAVAILABLE' }) })
  })
  await card.hover()
  await card.getByRole('button', { name: 'Resolver' }).click()
  await grey.waitFor()
  await expect.poll(() => answer.now).not.toBeNull()
  answer.now!('refuse')
  await page.getByRole('region', { name: 'Avisos' }).getByRole('listitem').waitFor()
  await card.and(page.locator('[aria-busy], [data-gone]')).waitFor({ state: 'detached' })
  await card.waitFor()
  expect((await on.ask('GET', `/tickets/u/${ticket.uuid}`)).body.status).toBe('open')

  answer.now = null
  await page.locator('[data-part=head]').getByRole('button', { name: 'Resolver' }).click()
  await grey.waitFor()
  await expect.poll(() => answer.now).not.toBeNull()
  answer.now!('go on')
  await page.mouse.move(900, 300) // nothing moves under the pointer
  await card.waitFor({ state: 'detached' })
  expect(ana.wrong).toEqual([])
})

it('a refused close for a missing tag leads to the contact’s tags', async () => {
  await on.ask('PUT', '/settings/requiredTag', { value: 'enabled' })
  const ticket = await on.says({ name: 'Sem Etiqueta', number: '5511944600555' }, 'Podem fechar')
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${ticket.uuid}` })
  const { page } = ana
  await accept(page)
  const resolve = page.locator('[data-part=head]').getByRole('button', { name: 'Resolver' })
  await resolve.click()
  await page.locator('[data-part=toast]').getByRole('button', { name: 'Adicionar tag' }).click()
  const choice = page.getByRole('textbox', { name: 'Adicionar tag…' })
  await choice.and(page.locator(':focus')).waitFor()
  await ana.shot('tag-first')
  await choice.fill('vi')
  expect(await page.getByText('Tag muito curta!').count()).toBe(0) // a tag is found
  await choice.press('Enter')
  await page.getByRole('button', { name: /Retirar.*VIP|Remover.*VIP/i }).waitFor()
  expect([await choice.inputValue(), await page.getByText('Tag muito curta!').count()]).toEqual(['', 0])
  await page.keyboard.press('Escape')
  await resolve.click()
  await expect.poll(async () => (await on.ask('GET', `/tickets/u/${ticket.uuid}`)).body.status).toBe('closed')
  await on.ask('PUT', '/settings/requiredTag', { value: 'disabled' })
  expect(ana.wrong).toEqual([])
})
