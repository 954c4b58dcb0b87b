import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { holdBack } from '#tests/support/late.ts'
import { eventually } from '#tests/support/wait.ts'
import { bubble, type Scene, scene, words } from './scene.ts'

let on: Scene
let ana: Person
let users: { id: number; email: string }[]
let queueId: number
let calls: Awaited<ReturnType<typeof holdBack>>
let scripts: Awaited<ReturnType<typeof holdBack>>
let financeiro: number
let made = 0

beforeAll(async () => {
  on = await scene()
  users = (await on.ask('GET', '/users/list')).body
  const queues = (await on.ask('GET', '/queue')).body as { id: number; name: string }[]
  queueId = queues.find(({ name }) => name === 'Suporte')!.id
  financeiro = queues.find(({ name }) => name === 'Financeiro')!.id
  ana = await on.enter('ana@demo.test')
  calls = await holdBack(ana.context)
  scripts = await holdBack(ana.context, '**/assets/*.js')
})
afterAll(() => on?.clear())

type Ticket = { id: number; uuid: string; name: string; number: string }
/** A ticket that Ana serves, or one that waits. */
async function ticket(status: 'open' | 'pending' = 'open', title = 'Cliente'): Promise<Ticket> {
  const name = `${title} ${++made}`
  const number = `55119555${String(10_000 + made)}`
  const { id, uuid } = await on.says({ name, number }, `Aqui é ${name}`)
  const userId = users.find(({ email }) => email === 'ana@demo.test')!.id
  expect((await on.ask('PUT', `/tickets/${id}`, { status: 'open', userId, queueId })).status).toBe(200)
  if (status === 'pending') expect((await on.ask('PUT', `/tickets/${id}`, { status, userId: null })).status).toBe(200)
  return { id, uuid, name, number }
}
const close = (one: Ticket) => on.ask('PUT', `/tickets/${one.id}`, { status: 'closed', sendFarewellMessage: false })
const got = async (one: Ticket) => (await on.got(one.number)).map(({ body }) => body.replace(/^\*.*\*\n/, ''))
const at = () => new URL(ana.page.url()).pathname.split('/').at(-1)
const open = async ({ uuid }: Ticket) => {
  await ana.page.goto(`/tickets/${uuid}`)
  await ana.page.locator('[data-part=composer] textarea:focus').waitFor()
}
const type = (text: string) => ana.page.keyboard.type(text)
const press = (key: string) => ana.page.keyboard.press(key)
const toast = (text: string) => ana.page.getByRole('region', { name: 'Avisos' }).getByRole('listitem').filter({ hasText: text })
describe.each([500, 3000])('with every answer %d ms late', (ms) => {
  it('text typed in a ticket that a colleague closes stays there, and no letter is a command', async () => {
    const [one, other] = [await ticket(), await ticket()]
    await open(one)
    calls.set(ms)
    await type('eu ')
    await close(one)
    await ana.page.locator('[data-part=asleep]').waitFor()
    await type('ligo')
    await press('Enter')
    await type(' sua senha e 4411')
    await press('Enter')
    await ana.page.getByText('Não foi enviado. O texto fica guardado neste atendimento.').waitFor()
    expect([at(), await words(ana.page).inputValue()]).toEqual([one.uuid, 'eu ligo sua senha e 4411'])
    expect(await ana.page.locator('[data-part=composer] textarea:focus').count()).toBe(1)
    calls.set(0)
    expect([await got(one), await got(other)]).toEqual([[], []])
    await words(ana.page).fill('')
  })

  it('a late answer navigates nowhere once the agent writes on', async () => {
    const [one, waiting] = [await ticket(), await ticket('pending')]
    await open(one)
    await ana.page.getByRole('tab', { name: /Aguardando/ }).click()
    const card = ana.page.locator('[data-part=card]').filter({ hasText: waiting.name })
    await card.hover()
    calls.set(ms)
    let release = calls.hold()
    await card.getByRole('button', { name: 'Aceitar', exact: true }).click()
    await words(ana.page).click()
    await type('sua senha ')
    release()
    await toast(`${waiting.name}: está com você`).waitFor()
    await type(`e ${ms}`)
    calls.set(0)
    await press('Enter')
    await eventually(
      () => got(one),
      (all) => all.length === 1,
    )
    expect([at(), await got(one), await got(waiting)]).toEqual([one.uuid, [`sua senha e ${ms}`], []])

    // resolving: neither the next ticket nor the list opens while the agent types
    calls.set(ms)
    release = calls.hold()
    await press('Alt+Shift+E')
    await type('até logo')
    release()
    await toast(`${one.name}: resolvido`).waitFor()
    expect([at(), await words(ana.page).inputValue()]).toEqual([one.uuid, 'até logo'])

    // undoing it
    await toast(`${one.name}: resolvido`).getByRole('button', { name: 'Desfazer' }).click()
    await ana.page.getByRole('tab', { name: /Atendendo/ }).click()
    await ana.page.getByRole('link', { name: waiting.name }).click()
    await ana.page.locator('[data-part=composer] textarea').click()
    await type('da outra')
    await ana.page.locator('[data-part=card]').filter({ hasText: one.name }).waitFor()
    calls.set(0)
    expect([at(), await words(ana.page).inputValue()]).toEqual([waiting.uuid, 'da outra'])
    await words(ana.page).fill('')
  })

  it('a shortcut’s dialog gets the typed keys even before its script is loaded', async () => {
    const one = await ticket()
    await open(one)
    await words(ana.page).fill('meia frase')
    scripts.set(ms)
    await press('Control+k')
    await type(one.name)
    await press('Enter')
    const search = ana.page.getByRole('dialog', { name: 'Buscar' }).getByRole('combobox')
    await expect.poll(() => search.inputValue()).toBe(one.name)
    await type(' x')
    expect([await search.inputValue(), await words(ana.page).inputValue()]).toEqual([`${one.name} x`, 'meia frase'])
    await press('Escape')
    await ana.page.getByRole('dialog').waitFor({ state: 'detached' })

    await press('Alt+Shift+M')
    await type('Bruno')
    await ana.page.getByRole('dialog').waitFor()
    const people = ana.page.getByRole('dialog').getByPlaceholder('Buscar')
    await expect.poll(() => people.inputValue()).toBe('Bruno')
    scripts.set(0)
    expect([await ana.page.locator('[data-part=composer] textarea').inputValue(), await got(one)]).toEqual(['meia frase', []])
    await press('Escape')
    await ana.page.getByRole('dialog').waitFor({ state: 'detached' })
    await words(ana.page).fill('')
  })

  it('a chosen ticket has its composer at once, and Enter sends there', async () => {
    const [one, other] = [await ticket(), await ticket('open', 'Procurado')]
    await open(one)
    await words(ana.page).fill('meia frase')
    await press('Control+k')
    await ana.page.getByRole('dialog', { name: 'Buscar' }).getByRole('combobox').fill(other.name)
    await ana.page
      .locator('[data-part=palette-hit][aria-selected=true]')
      .filter({ hasText: `Aqui é ${other.name}` })
      .waitFor()
    calls.set(ms)
    await ana.page.evaluate((late) => {
      const go = history.go.bind(history)
      history.go = (steps) => void setTimeout(() => go(steps), late) // a slow device steps back late
    }, ms)
    await press('Enter')
    await type('chave 4411')
    await press('Enter')
    await type('e mais')
    await bubble(ana.page, 'chave 4411').waitFor()
    calls.set(0)
    await eventually(
      () => got(other),
      (all) => all.length > 0,
    )
    expect([at(), await words(ana.page).inputValue()]).toEqual([other.uuid, 'e mais'])
    expect([await got(other), await got(one)]).toEqual([['chave 4411'], []])

    // the whole page is new, and its scripts are late too
    scripts.set(ms)
    calls.set(ms)
    await ana.page.reload()
    await ana.page.locator('[data-part=composer][data-early] textarea').waitFor()
    await type(', sim')
    await ana.page.locator('[data-part=composer]:not([data-early])').waitFor()
    await type('!')
    scripts.set(0)
    calls.set(0)
    expect([at(), await words(ana.page).inputValue()]).toEqual([other.uuid, 'e mais, sim!'])
    await words(ana.page).fill('')
  })
})

it('reply and note have separate drafts, and the mode is shown and kept per tab', async () => {
  const [one, other] = [await ticket(), await ticket()]
  const { page } = ana
  const mode = page.locator('[data-part=composer] [data-part=mode]')
  const toggle = page.getByRole('button', { name: 'Nota interna', exact: true })
  await open(one)
  expect(await mode.innerText()).toBe(`Mensagem para ${one.name}`)
  await words(page).fill('meia resposta')
  const tab = await ana.context.newPage()
  await tab.goto(`/tickets/${one.uuid}`)
  await words(tab).waitFor()
  await toggle.click()
  expect(await words(page).inputValue()).toBe('')
  await type('meia nota')
  expect(await mode.innerText()).toBe('Nota interna: mensagem só para a equipe')
  await page
    .locator('[data-part=composer] input[type=file]')
    .setInputFiles({ name: 'interno.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
  await page.getByRole('list', { name: 'Anexos' }).getByText('interno.txt').waitFor()
  await page.getByRole('link', { name: other.name }).first().click()
  await page.waitForURL(new RegExp(other.uuid))
  await mode.getByText(`Mensagem para ${other.name}`).waitFor()
  await page.getByRole('link', { name: one.name, exact: true }).first().click()
  await page.waitForURL(new RegExp(one.uuid))
  await mode.getByText('Nota interna').waitFor()
  await page.reload()
  await page.getByRole('list', { name: 'Anexos' }).getByText('interno.txt').waitFor()
  expect([await mode.innerText(), await words(page).inputValue()]).toEqual(['Nota interna: mensagem só para a equipe', 'meia nota'])
  expect([await tab.locator('[data-part=mode]').innerText(), await words(tab).inputValue()]).toEqual([
    `Mensagem para ${one.name}`,
    'meia resposta',
  ])
  await tab.close()
  await toggle.click()
  expect([await words(page).inputValue(), await page.getByRole('list', { name: 'Anexos' }).count()]).toEqual(['meia resposta', 0])
  await press('Enter')
  await eventually(
    () => got(one),
    (all) => all.length === 1,
  )
  expect(await got(one)).toEqual(['meia resposta'])
  await toggle.click()
  expect(await words(page).inputValue()).toBe('meia nota')
  await ana.shot('note-beside-reply')
})

it('the composer stays when its ticket goes out of sight, and keys go nowhere else', async () => {
  const one = await ticket()
  await open(one)
  await type('sua senha ')
  const away = { isTransfered: true, userId: null, queueId: financeiro }
  await on.ask('PUT', `/tickets/${one.id}`, away)
  await ana.page.getByText('Este atendimento não está mais com você.').waitFor()
  await type('e 4411')
  await press('Enter')
  expect([at(), await words(ana.page).inputValue()]).toEqual([one.uuid, 'sua senha e 4411'])
  await ana.shot('left-with-words')
  await words(ana.page).fill('')

  // without any text the list comes back, and the keys under way are no commands
  const two = await ticket()
  await open(two)
  await on.ask('PUT', `/tickets/${two.id}`, away)
  await ana.page.waitForURL(/\/tickets$/)
  await type('ligo 12')
  await press('Enter')
  expect([at(), await got(one), await got(two)]).toEqual(['tickets', [], []])
  expect(ana.wrong).toEqual([])
})
