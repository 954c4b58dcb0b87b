import { afterAll, beforeAll, expect, it } from 'vitest'
import { accept, bubble, type Scene, scene, words, write } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

const faults = (failCode: string, count: number) => on.ask('POST', '/sandbox/1/faults', { failCode, count })

it('a failure code of the channel is explained, and a peek tells that it is logged', async () => {
  const customer = { name: 'Rui Motivo', number: '5511944550001' }
  const { id, uuid } = await on.says(customer, 'Recebeu?')
  const ana = await on.enter('ana@demo.test')
  const { page } = ana
  const card = page.locator('[data-part=card]').filter({ hasText: customer.name })
  const peeked = async (tab: RegExp) => {
    await page.getByRole('tab', { name: tab }).click()
    await card.hover()
    await card.getByRole('button', { name: 'Espiar' }).click()
    const text = await page.getByRole('dialog').locator('[data-part=peek-text]').innerText()
    await page.keyboard.press('Escape')
    return text
  }
  expect(await peeked(/Aguardando/)).toBe('Nada é marcado como lido; a leitura fica no registro do atendimento.')
  type LogLine = { way: string | null; user: { name: string } }
  const peeks = async () => ((await on.ask('GET', `/tickets-log/${id}`)).body as LogLine[]).filter(({ way }) => way === 'peek')
  await expect.poll(async () => (await peeks()).map(({ user }) => user.name)).toEqual(['Ana Souza']) // logged when the text is read

  await page.goto(`/tickets/${uuid}`)
  await accept(page)
  await faults('META_131047', 50)
  await write(page, 'Recebi sim')
  await bubble(page, 'Recebi sim').getByText('O canal não a aceitou (código META_131047).').waitFor()
  await faults('META_131047', 0)
  await bubble(page, 'Recebi sim').getByRole('button', { name: 'Tentar de novo' }).click()
  await page.getByRole('button', { name: '1 não enviada', exact: true }).waitFor({ state: 'detached' })
  await page.goto('/tickets')
  expect(await peeked(/Atendendo|Em atendimento/)).toBe('Nada é marcado como lido.')
  expect(ana.wrong).toEqual([])
})

it('messages refused by the server are counted in bar and title on any screen, with a link', async () => {
  const customer = { name: 'Sara Recusada', number: '5511944550002' }
  const { uuid } = await on.says(customer, 'Podem mandar o contrato?')
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${uuid}` })
  const { page } = ana
  await accept(page)
  const refusal = { status: 400, json: { error: 'ERR_SENDING_WAPP_MSG', message: '' } }
  await page.route('**/api/messages/*', (route) => (route.request().method() === 'POST' ? route.fulfill(refusal) : route.continue()))
  await write(page, 'Segue o contrato')
  await bubble(page, 'Segue o contrato').getByRole('button', { name: 'Tentar de novo' }).waitFor()
  await page.goto('/contacts')
  const bar = page.getByRole('button', { name: '1 não enviada', exact: true })
  await bar.waitFor()
  await expect.poll(() => page.title()).toContain('1 não enviada')
  await page.reload()
  await bar.waitFor()
  await expect.poll(() => page.title()).toContain('1 não enviada')
  await bar.click()
  await page.waitForURL(new RegExp(uuid))
  await bubble(page, 'Segue o contrato').getByRole('button', { name: 'Tentar de novo' }).waitFor()
  await bubble(page, 'Segue o contrato').getByRole('button', { name: 'Descartar' }).click()
  await page.locator('[data-part=toast]').filter({ hasText: 'Mensagem descartada.' }).getByRole('button', { name: 'Desfazer' }).click()
  await expect.poll(() => words(page).inputValue()).toBe('Segue o contrato')
  await words(page).press('Enter')
  await bubble(page, 'Segue o contrato').getByRole('button', { name: 'Tentar de novo' }).waitFor()
  await page.unroute('**/api/messages/*')
  await bubble(page, 'Segue o contrato').getByRole('button', { name: 'Tentar de novo' }).click()
  await bar.waitFor({ state: 'detached' })
  await expect.poll(() => page.title()).not.toContain('não enviada')
  const got = async () => (await on.got(customer.number)).map(({ body }) => body)
  await expect.poll(got).toEqual([expect.stringContaining('Segue o contrato')])
  expect(ana.wrong.filter((one) => !one.includes('400'))).toEqual([])
})

it('the sender sees a failed message until dismissal, even after resolve or transfer', async () => {
  const [gone, done] = [
    { name: 'Tadeu Levado', number: '5511944550003' },
    { name: 'Ugo Resolvido', number: '5511944550004' },
  ]
  const ana = await on.enter('ana@demo.test')
  const { page } = ana
  const tickets: { id: number; uuid: string }[] = []
  const bar = (text: string) => page.getByRole('button', { name: text, exact: true })
  for (const customer of [gone, done]) {
    const ticket = await on.says(customer, 'Alguma notícia?')
    tickets.push(ticket)
    await page.goto(`/tickets/${ticket.uuid}`)
    await accept(page)
    await faults('ERR_SENDING_WAPP_MSG', 50)
    await write(page, `Chega amanhã, ${customer.name}`)
    await bubble(page, customer.name).getByText('Não foi enviada.').waitFor()
    await bar(tickets.length === 1 ? '1 não enviada' : '2 não enviadas').waitFor()
    await faults('ERR_SENDING_WAPP_MSG', 0)
  }
  await page.goto('/contacts')
  await bar('2 não enviadas').waitFor()
  const queues = (await on.ask('GET', '/queue')).body as { id: number; name: string }[]
  const { body: people } = await on.ask('GET', '/users/list')
  const bruno = (people as { id: number; name: string }[]).find(({ name }) => name.startsWith('Bruno'))!
  const suporte = queues.find(({ name }) => name === 'Suporte')!
  expect((await on.ask('PUT', `/tickets/${tickets[0]!.id}`, { isTransfered: true, queueId: suporte.id, userId: bruno.id })).status).toBe(
    200,
  )
  expect((await on.ask('PUT', `/tickets/${tickets[1]!.id}`, { status: 'closed' })).status).toBe(200)
  await page.addInitScript(() => {
    if (location.pathname !== '/tickets') return
    const seen = new MutationObserver(() => {
      const bar = document.querySelector<HTMLButtonElement>('button[aria-label$="não enviadas"]')
      if (bar) seen.disconnect()
      bar?.click()
    })
    seen.observe(document, { subtree: true, childList: true })
  })
  await page.goto('/tickets') // and it is pressed as soon as it appears
  await page.waitForURL(new RegExp(tickets[1]!.uuid)) // the other ticket is out of sight
  await bubble(page, done.name).waitFor()

  const list = page.getByRole('dialog', { name: 'O que não foi enviado' })
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    if (width === 390) await page.goto('/contacts') // a chat fills the whole phone
    await page.getByRole('button', { name: 'Listar o que não foi enviado' }).click()
    await list.getByText('Você não pode mais ver este atendimento.').waitFor()
    expect(await list.getByRole('listitem').count()).toBe(2)
    await ana.shot(`not-sent-${width}`)
    await page.keyboard.press('Escape')
  }
  await page.getByRole('button', { name: 'Listar o que não foi enviado' }).click()
  await list.getByRole('listitem').filter({ hasText: gone.name }).getByRole('button', { name: 'Dispensar' }).click()
  await bar('1 não enviada').waitFor()
  await list.getByRole('listitem').getByRole('button', { name: 'Dispensar' }).click()
  await list.waitFor({ state: 'detached' })
  await expect.poll(() => page.title()).not.toContain('não enviada')
  await page.reload()
  await page.locator('table').first().waitFor()
  expect(await page.title()).not.toContain('não enviada')
  const chief = await on.enter('bruno@demo.test')
  await chief.page.getByRole('button', { name: /^\d+ não enviadas?$/ }).waitFor() // the current owner still sees it
  expect(ana.wrong).toEqual([])
})

it('the composer says that the number is offline, and sends once it is back (A-CONN-07)', async () => {
  const customer = { name: 'Vilma Espera', number: '5511944550005' }
  const { uuid } = await on.says(customer, 'Ainda dá tempo?')
  const stands = async (body: object) => expect((await on.ask('POST', '/sandbox/1/session', body)).status).toBe(202)
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${uuid}` })
  const { page } = ana
  await accept(page)
  const away = page.locator('[data-part=number-away]')
  await words(page).fill('Dá, sim')
  await stands({ status: 'CONNECTED', silent: true })
  await away.getByText('Este número está sem conexão agora.').waitFor()
  await stands({ status: 'DISCONNECTED', reason: 'FORBIDDEN' })
  await away.getByText('Este número está desconectado. O que você escrever será enviado').waitFor()
  expect(await away.innerText()).not.toContain('bloque')
  await ana.shot('number-away')
  await page.getByRole('button', { name: 'Nota interna', exact: true }).click() // an internal note does not need the number
  await away.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Nota interna', exact: true }).click()
  await away.waitFor()
  expect(await words(page).inputValue()).toBe('Dá, sim')
  await words(page).press('Enter')
  await bubble(page, 'Dá, sim').waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await away.waitFor()
  await ana.shot('number-away-390')
  await page.emulateMedia({ colorScheme: 'dark' })
  await ana.shot('number-away-390-dark')
  expect(await on.got(customer.number)).toEqual([])
  await stands({ status: 'CONNECTED' })
  await away.waitFor({ state: 'detached' })
  await expect.poll(async () => (await on.got(customer.number)).map(({ body }) => body)).toEqual([expect.stringContaining('Dá, sim')])
  expect(ana.wrong).toEqual([])
})
