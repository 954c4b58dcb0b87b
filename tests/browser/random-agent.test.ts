import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { holdBack } from '#tests/support/late.ts'
import { seededRandom } from '#tests/support/seeded-random.ts'
import { times } from '#tests/support/soak.ts'
import { eventually } from '#tests/support/wait.ts'
import { type Customer, type Scene, scene } from './scene.ts'

/*
 * An agent acts at random with random delays while a colleague interferes. Each text names its ticket and its
 * readers, and reaches no others.
 */
const acts = times(150, 2000, 'GUICHE_ACTS')
const seed = times(7, 7, 'GUICHE_SEED')
const throws = seededRandom(seed)
const customers: Customer[] = Array.from({ length: 6 }, (_, n) => ({ name: `Passeio ${n}`, number: `551195566000${n}` }))

let on: Scene
let ana: Person
let calls: Awaited<ReturnType<typeof holdBack>>
let scripts: Awaited<ReturnType<typeof holdBack>>
let me: number
let queueId: number
/** The customer of every ticket by the beginning of its uuid. */
const owners = new Map<string, Customer>()
const tickets = new Map<Customer, { id: number; uuid: string }>()

let said = 0
async function begin(customer: Customer): Promise<void> {
  const one = await on.says(customer, `Olá ${owners.size}-${said++}`)
  owners.set(one.uuid.slice(0, 8), customer)
  tickets.set(customer, one)
  await on.ask('PUT', `/tickets/${one.id}`, { status: 'open', userId: me, queueId })
}
beforeAll(async () => {
  on = await scene()
  me = (await on.ask('GET', '/users/list')).body.find(({ email }: { email: string }) => email === 'ana@demo.test').id
  queueId = (await on.ask('GET', '/queue')).body.find(({ name }: { name: string }) => name === 'Suporte').id
  for (const one of customers) await begin(one)
  ana = await on.enter('ana@demo.test')
  calls = await holdBack(ana.context)
  scripts = await holdBack(ana.context, '**/assets/*.js')
})
afterAll(() => on?.clear())

const at = () => new URL(ana.page.url()).pathname.split('/').at(-1)!
const press = (key: string) => ana.page.keyboard.press(key)
const some = () => throws.of(customers)
/** Clicks if the element is reachable. Otherwise the act does nothing, like a miss of the hand. */
const click = (what: ReturnType<Person['page']['locator']>) =>
  what
    .first()
    .click({ timeout: 300, noWaitAfter: true })
    .catch(() => undefined)

/**
 * The first key decides where the text goes, and its readers: `i` marks an internal note, and `u` a text that begins
 * before the composer is there. From then on the page must not navigate by itself.
 */
async function type(): Promise<void> {
  const { page } = ana
  await press('#')
  const uuid = at()
  if (uuid === 'tickets') return
  const composer = await page.evaluate(() => {
    const found = document.querySelector('[data-part=composer]')
    return found && (found.hasAttribute('data-private') ? 'note' : 'message')
  })
  const mark = composer === null ? 'u' : composer === 'note' ? 'i' : ''
  await page.keyboard.type(`${uuid.slice(0, 8)}.${said++}${mark} `)
  expect({ said, at: at() }).toEqual({ said, at: uuid })
}
const agent: Record<string, () => Promise<unknown>> = {
  type,
  write: async () => {
    await type()
    await press('Enter')
  },
  send: () => press('Enter'),
  switch: () => click(ana.page.locator('[data-part=card-name]').filter({ hasText: some().name })),
  switchAndWrite: async () => {
    await agent.switch!()
    await type()
    await press('Enter')
  },
  search: async () => {
    await press('Control+k')
    await ana.page.keyboard.type(some().name)
    if (throws.chance(0.7))
      await ana.page
        .locator('[data-part=palette-hit]')
        .filter({ hasText: 'Olá' })
        .first()
        .waitFor({ timeout: 1500 })
        .catch(() => undefined)
    await press('Enter')
    if (throws.chance(0.5)) await press('Escape')
  },
  note: () => click(ana.page.locator('[data-part=composer]').getByRole('button', { name: 'Nota interna', exact: true })),
  close: () => press('Alt+Shift+E'),
  accept: () => press('Alt+Shift+S'),
  transfer: async () => {
    await press('Alt+Shift+M')
    await ana.page.keyboard.type('Bru')
    await press('Escape')
  },
  back: async () => {
    await ana.page.goBack({ waitUntil: 'commit' }).catch(() => undefined)
    if (!ana.page.url().startsWith('http')) await ana.page.goto('/tickets') // the browser left the app: the agent opens it again
  },
  tab: () => click(ana.page.getByRole('tab', { name: throws.of([/Atendendo/, /Aguardando/]) })),
  undo: () => click(ana.page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: /Desfazer|Abrir/ })),
  reload: () => ana.page.reload({ waitUntil: 'commit' }).catch(() => undefined),
}
const colleague: (() => Promise<unknown>)[] = [
  () => on.ask('PUT', `/tickets/${tickets.get(some())!.id}`, { status: 'closed', sendFarewellMessage: false }),
  () => on.ask('PUT', `/tickets/${tickets.get(some())!.id}`, { status: 'pending', userId: null }),
  () => on.ask('PUT', `/tickets/${tickets.get(some())!.id}`, { status: 'open', userId: me, queueId }),
  () => on.ask('PUT', `/tickets/${tickets.get(some())!.id}`, { status: 'open', userId: me, queueId }),
  () => begin(some()),
  () => begin(some()),
]
const often = ['write', 'type', 'switch', 'switchAndWrite', 'write', 'send', 'switchAndWrite']
const all = [...Object.keys(agent).filter((name) => name !== 'reload'), ...often, ...often]

it(`no text of ${acts} random acts reaches another ticket or other readers`, async () => {
  for (let act = 0; act < acts; act++) {
    calls.set(throws.of([0, 0, 100, 500, 500, 3000]))
    scripts.set(throws.of([0, 0, 500]))
    if (throws.chance(0.25)) await throws.of(colleague)()
    await agent[act % 200 === 199 ? 'reload' : throws.of(all)]!()
  }
  calls.set(0)
  scripts.set(0)
  await ana.page.goto('/tickets')
  await eventually(
    () =>
      ana.page.evaluate(() =>
        Object.entries({ ...localStorage }).filter(([name, item]) => name.startsWith('outbox-') && !/"state":"failed"/.test(item)),
      ),
    (waits) => waits.length === 0,
  )
  const texts = (body: string) =>
    [...body.matchAll(/#([0-9a-f]{8})\.\d+([iu]?)/g)].map(([text, uuid, mark]) => ({ text, to: owners.get(uuid!)?.name, mark }))
  const wrong: unknown[] = []
  let arrived = 0
  const ticketsOf = async ({ name }: Customer) =>
    (await on.ask('GET', `/tickets?status=search&searchParam=${encodeURIComponent(name)}`)).body.tickets as { id: number; uuid: string }[]
  /* A customer may have begun a ticket by a message that came just as the agent closed the one before. */
  for (const one of customers) for (const { uuid } of await ticketsOf(one)) owners.set(uuid.slice(0, 8), one)
  for (const customer of customers) {
    const { name, number } = customer
    for (const { body } of await on.got(number))
      for (const one of texts(body)) {
        arrived++
        if (one.to !== name || one.mark === 'i') wrong.push({ reached: name, ...one })
      }
    type Shown = { ticketId: number; body: string; isPrivate: boolean }
    const theirs = await ticketsOf(customer)
    for (const { id } of theirs)
      for (const { ticketId, body, isPrivate } of (await on.ask('GET', `/messages/${id}`)).body.messages as Shown[])
        for (const one of texts(body)) {
          const uuid = theirs.find((ticket) => ticket.id === ticketId)?.uuid // a page shows earlier tickets too
          const isThere = uuid === undefined || one.text.startsWith(`#${uuid.slice(0, 8)}.`)
          if (one.to !== name || !isThere || (one.mark !== 'u' && (one.mark === 'i') !== isPrivate))
            wrong.push({ ticketId, isPrivate, ...one })
        }
  }
  expect({ seed, wrong }).toEqual({ seed, wrong: [] })
  expect(arrived).toBeGreaterThan(acts / 30)
  expect(ana.wrong).toEqual([])
})
