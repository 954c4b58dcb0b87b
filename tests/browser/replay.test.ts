import pg from 'pg'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { eventually } from '#tests/support/wait.ts'
import { accept, answer, bubble, chooseOf, type Scene, scene } from './scene.ts'

/* An auditor replays a history: the page follows, reports a broken chain, and stays usable. */
let on: Scene
let otto: Person
const customer = { name: 'Rita Revista', number: '5511944480001' }
let ticket: { id: number; uuid: string }
const many = 60
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
let revisions: number[]

beforeAll(async () => {
  on = await scene()
  ticket = await on.says(customer, 'Dia um, mensagem 0')
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${ticket.uuid}` })
  await bubble(ana.page, 'Dia um, mensagem 0').waitFor()
  await accept(ana.page)
  await answer(on, ana.page, customer, 'Aqui é a Ana')
  await ana.leave()
  await eventually(
    async () => (await on.ask('GET', `/ticket-history/${ticket.uuid}`)).body,
    ({ events }) => events?.some(({ type }: { type: string }) => type === 'MessagesDelivered'), // no event comes among the customer's messages
  )
  const { messages } = (await on.ask('GET', `/messages/${ticket.id}`)).body
  expect((await on.ask('POST', `/messages/${messages[0].id}/reactions`, { type: '👍' })).status).toBe(200)
  for (let i = 1; i < many; i++)
    await on.ask('POST', '/sandbox/1/inbound', { id: `r-${i}`, from: customer.number, name: customer.name, body: `mensagem ${i}.` })
  const { events } = (await eventually(
    async () => (await on.ask('GET', `/ticket-history/${ticket.uuid}`)).body,
    ({ events }) => events?.filter(({ type }: { type: string }) => type === 'MessageReceived').length === many,
  )) as { events: { type: string; revision: number }[] }
  revisions = events.filter(({ type }) => type === 'MessageReceived').map(({ revision }) => revision)
  otto = await on.enter('auditor@demo.test')
})
afterAll(() => on?.clear())

const replay = (revision?: number) => `/tickets/${ticket.uuid}/history${revision === undefined ? '' : `?record=${revision}`}`
const conversation = (page: Page) => page.getByRole('region', { name: 'Conversa' })
const records = (page: Page) => page.getByRole('complementary', { name: 'Registros' })
const slider = (page: Page) => page.getByRole('slider', { name: 'Momento' })
/** Waits until the message of the last event is visible. */
async function inView(page: Page, text: string): Promise<void> {
  const touched = conversation(page).locator('[data-touched] [data-part=replay-message]').filter({ hasText: text })
  await touched.waitFor().catch(async (error: unknown) => {
    await otto.shot(`missing-${text}`)
    throw error
  })
  const pane = conversation(page)
  await expect.poll(() => within(touched, pane)).toBe(true)
}
/** Waits until the last message is visible, even if the last event has no text. */
async function atEnd(page: Page, text: string): Promise<void> {
  const said = conversation(page).locator('[data-part=replay-message]').filter({ hasText: text })
  await said.waitFor().catch(async (error: unknown) => {
    await otto.shot(`missing-${text}`)
    throw error
  })
  await expect.poll(() => within(said, conversation(page))).toBe(true)
}
async function within(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()]
  return a !== null && b !== null && a.y >= b.y - 1 && a.y + a.height <= b.y + b.height + 1
}
const at = async (page: Page) => Number(await slider(page).inputValue())

it('a replay opens at the addressed event with its message in view, and keeps it so at jumps', async () => {
  const { page } = otto
  await page.goto(replay(revisions[30]))
  await inView(page, 'mensagem 30.')
  expect(await at(page)).toBe(revisions[30]! + 1)
  await otto.shot('replay-at-30')
  await slider(page).focus()
  await page.keyboard.press('Home')
  await conversation(page).getByText('Ainda não aconteceu nada').waitFor()
  await page.keyboard.press('End')
  await atEnd(page, 'mensagem 59.')
  await page.goto(replay(revisions[2]))
  await inView(page, 'mensagem 2.')
  await conversation(page)
    .locator('[data-part=replay-reacted]')
    .getByText(/. reagiu com 👍$/)
    .waitFor()
  await otto.shot('replay-reacted')
  await page.keyboard.press('ArrowRight')
  await inView(page, 'mensagem 3.')
  expect(new URL(page.url()).search).toBe(`?record=${revisions[3]}`)
  for (const part of [`#${ticket.id}`, ticket.uuid, '+55 11 94448-0001'])
    await page.locator('[data-part=replay-head]').getByText(part, { exact: true }).waitFor()
  expect(otto.wrong).toEqual([])
})

it('the replay’s header has few lines and is fully visible at every width', async () => {
  const { page } = otto
  const usual = page.viewportSize()!
  for (const width of [1366, 1024, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(replay(revisions[30]))
    await inView(page, 'mensagem 30.')
    const facts = page.locator('[data-part=replay-who] p')
    const lines = await facts.evaluate((p) =>
      Math.round(p.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(p).lineHeight)),
    )
    expect([width, lines <= (width === 390 ? 3 : 2)]).toEqual([width, true])
    expect([width, await within(facts.locator('code'), page.locator('[data-part=replay-head]'))]).toEqual([width, true])
    const [code, then] = [await facts.locator('code').boundingBox(), await page.locator('[data-part=replay-then]').boundingBox()]
    expect([width, code!.x + code!.width <= then!.x || code!.y + code!.height <= then!.y]).toEqual([width, true])
    await otto.shot(`replay-head-${width}`)
    await page.goto('/history')
    await page.getByRole('row', { name: /Rita Revista/ }).waitFor()
    expect([width, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)]).toEqual([width, true])
    await otto.shot(`histories-${width}`)
  }
  await page.setViewportSize(usual)
})

it('Space plays the replay from any focus except a text field', async () => {
  const { page } = otto
  const playing = page.getByRole('button', { name: 'Pausar' })
  const stopped = page.getByRole('button', { name: 'Reproduzir' })
  const spots: [string, Locator][] = [
    [
      'on a record',
      records(page)
        .getByRole('button', { name: /Mensagem recebida/ })
        .first(),
    ],
    [
      'on a signature',
      records(page)
        .getByTitle(/Copiar a assinatura/)
        .first(),
    ],
    ['on a speed', page.getByRole('radio', { name: '1×' })],
    ['on the line', slider(page)],
    ['on the way back', page.getByRole('link', { name: 'Voltar', exact: true })],
  ]
  for (const [where, spot] of spots) {
    await page.goto(replay(revisions[5]))
    await inView(page, 'mensagem 5.')
    await spot.focus()
    await page.keyboard.press(' ')
    await playing.waitFor()
    await page.keyboard.press(' ')
    await stopped.waitFor()
    expect([where, new URL(page.url()).pathname]).toEqual([where, replay()])
  }
  await page.getByRole('searchbox', { name: 'Buscar nos registros' }).fill('oi')
  await page.keyboard.press(' ')
  expect(await page.getByRole('searchbox', { name: 'Buscar nos registros' }).inputValue()).toBe('oi ')
  expect(await stopped.count()).toBe(1)
})

it('events are searched, shown as stored, and linked', async () => {
  const { page } = otto
  await page.goto(replay())
  await page.getByRole('searchbox', { name: 'Buscar nos registros' }).fill('mensagem 41.')
  const facts = records(page).locator('[data-part=fact]')
  await expect.poll(() => facts.count()).toBe(1)
  await facts.getByRole('button', { name: /Mensagem recebida/ }).click()
  await inView(page, 'mensagem 41.')
  await facts.getByRole('button', { name: /como está guardado/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('"MessageReceived"').waitFor()
  expect(await dialog.locator('pre').innerText()).not.toContain('mensagem 41.') // encrypted
  await otto.shot('replay-stored')
  await dialog.getByRole('button', { name: 'Copiar link' }).click()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toBe(`${on.on.server.url}${replay(revisions[41])}`)
  await page.keyboard.press('Escape')
  await page.goto(link)
  await inView(page, 'mensagem 41.')
  await records(page).getByRole('combobox', { name: 'Pessoa' }).selectOption({ label: 'Ana Souza' })
  await expect.poll(async () => [...new Set(await records(page).locator('[data-part=fact-who]').allInnerTexts())]).toEqual(['Ana Souza'])
})

it('a replay grows live, and follows if it is at its end', async () => {
  const { page } = otto
  await page.route('**/files', (route) => route.fulfill({ status: 400, json: { error: 'ERR_INVALID_INPUT', message: '' } }))
  await page.goto(replay())
  await atEnd(page, 'mensagem 59.')
  await page.getByText('Os arquivos não puderam ser conferidos agora.').waitFor()
  await page.unroute('**/files')
  await page.getByRole('button', { name: 'Tentar de novo' }).click()
  await page.getByText('Os arquivos não puderam').waitFor({ state: 'detached' })
  await on.says(customer, 'acabou de chegar')
  await atEnd(page, 'acabou de chegar')
  await on.says(customer, '', { mediaType: 'image', mediaUrl: `data:image/png;base64,${pixel}` })
  await page.getByText('1 arquivo com os bytes registrados').waitFor() // checked on arrival
  await page.goto(replay(revisions[10]))
  await inView(page, 'mensagem 10.')
  const all = Number(await slider(page).getAttribute('max'))
  await on.says(customer, 'e mais uma')
  await expect.poll(async () => Number(await slider(page).getAttribute('max'))).toBeGreaterThan(all)
  expect(await at(page)).toBe(revisions[10]! + 1)
})

it('Back leads to the previous page: the filtered list or the chat', async () => {
  const { page } = otto
  await page.goto('/history')
  await page.getByRole('searchbox').first().fill(customer.name)
  await page.getByRole('row', { name: /Rita Revista/ }).click()
  await page.waitForURL(`**${replay()}`)
  await atEnd(page, 'e mais uma')
  await slider(page).focus()
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('link', { name: 'Voltar', exact: true }).click()
  await page.waitForURL('**/history')
  await page.getByRole('row', { name: /Rita Revista/ }).waitFor()
  expect(await page.getByRole('searchbox').first().inputValue()).toBe(customer.name)

  const chief = await on.enter('admin@demo.test', { at: `/tickets/${ticket.uuid}` })
  await bubble(chief.page, 'e mais uma').waitFor()
  await chooseOf(chief.page, 'Rever o histórico')
  await chief.page.getByRole('link', { name: 'Voltar', exact: true }).click()
  await chief.page.waitForURL(`**/tickets/${ticket.uuid}`)
  await chief.leave()
})

it('histories are filtered by chain, contact, state, queue and user', async () => {
  const { page } = otto
  await page.goto('/history')
  const filters = page.getByRole('group', { name: 'Filtros' })
  await filters.getByRole('combobox', { name: 'Cadeia' }).selectOption({ label: 'Íntegra' })
  const row = page.getByRole('row', { name: /Rita Revista/ })
  await row.getByText('Íntegra').and(page.locator(':visible')).waitFor()
  await otto.shot('histories')
  await filters.getByRole('combobox', { name: 'Fila' }).selectOption({ label: 'Suporte' })
  await filters.getByRole('combobox', { name: 'Pessoa' }).selectOption({ label: 'Ana Souza' })
  await filters.getByRole('combobox', { name: 'Situação' }).selectOption({ label: 'Em atendimento' })
  await row.getByRole('button', { name: 'Só atendimentos de Rita Revista' }).click()
  await filters.getByText('Contato: Rita Revista').waitFor()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
  await filters.getByRole('combobox', { name: 'Cadeia' }).selectOption({ label: 'Rompida' })
  await page.getByText('Nenhum atendimento com esses filtros').waitFor()
  await page.getByRole('button', { name: 'Limpar filtros' }).first().click()
  await row.waitFor()
  expect(otto.wrong).toEqual([])
})

it('the replay reports a changed time and a missing event, and stays usable', async () => {
  const { page } = otto
  const store = new pg.Client({ connectionString: on.on.databaseUrl })
  await store.connect()
  const stream = `ticket-1-${ticket.id}`
  const alarm = page.getByRole('alert').filter({ hasText: 'a cadeia se rompe no registro' })
  try {
    await store.query(`update event set meta = jsonb_set(meta, '{at}', '"ontem"') where stream = $1 and version = $2`, [
      stream,
      revisions[20],
    ])
    await page.goto(replay())
    await alarm.filter({ hasText: `registro ${revisions[20]! + 1}.` }).waitFor()
    await otto.shot('replay-alarm')
    await alarm.getByRole('button', { name: 'Ver onde' }).click()
    await inView(page, 'mensagem 20.')
    await records(page).getByText('horário ilegível').waitFor()
    await records(page).getByRole('button', { name: 'Só os não comprovados' }).press('Enter')
    await expect.poll(async () => (await records(page).locator('[data-part=fact]').all()).length).toBeGreaterThan(0)
    await expect.poll(() => records(page).locator('[data-part=fact]:not([data-doubted])').count()).toBe(0)

    await store.query('delete from event where stream = $1 and version = $2', [stream, revisions[20]])
    await page.goto(replay(revisions[40]))
    await inView(page, 'mensagem 40.')
    await alarm.filter({ hasText: `registro ${revisions[20]! + 2}.` }).waitFor()
    await alarm.getByRole('button', { name: 'Ver onde' }).click()
    await inView(page, 'mensagem 21.')
    await slider(page).focus()
    await page.keyboard.press('End')
    await atEnd(page, 'e mais uma')

    await page.goto('/history')
    await page.getByRole('group', { name: 'Filtros' }).getByRole('combobox', { name: 'Cadeia' }).selectOption({ label: 'Rompida' })
    await page
      .getByRole('row', { name: /Rita Revista/ })
      .getByText('Rompida')
      .and(page.locator(':visible'))
      .waitFor()
    expect(otto.wrong).toEqual([])
  } finally {
    await store.end()
  }
})
