import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { accept, bubble, type Scene, scene, words } from './scene.ts'

/* Actions that end or hand over a ticket while its messages are still being sent. */
let on: Scene
let ana: Person
beforeAll(async () => {
  on = await scene()
  ana = await on.enter('ana@demo.test')
})
afterAll(() => on?.clear())

const statusOf = async (uuid: string) => (await on.ask('GET', `/tickets/u/${uuid}`)).body.status
async function served(number: string, name: string) {
  const { uuid } = await on.says({ name, number }, 'Preciso de ajuda')
  await ana.page.goto(`/tickets/${uuid}`)
  await accept(ana.page)
  return uuid as string
}
/** Lets the calls that send messages wait until `go` is called, or lose them. */
async function holdMessages() {
  const gate = Promise.withResolvers<'go' | 'refuse'>()
  await ana.page.route('**/api/messages/*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    if ((await gate.promise) === 'go') return route.continue()
    await route.fulfill({ status: 400, json: { error: 'ERR_SENDING_WAPP_MSG' } })
  })
  return { go: () => gate.resolve('go'), refuse: () => gate.resolve('refuse') }
}
async function writeFast(...texts: string[]) {
  for (const text of texts) {
    await words(ana.page).fill(text)
    await words(ana.page).press('Enter')
  }
}
const bodies = async (number: string) => (await on.got(number)).map(({ body }) => body.split('\n').at(-1))

it('a ticket is resolved after the messages that are still being sent', async () => {
  const number = '5511944680001'
  const uuid = await served(number, 'Lia Lenta')
  const { go } = await holdMessages()
  await writeFast('Um', 'Dois', 'Três')
  await ana.page.keyboard.press('Alt+Shift+E')
  await ana.page.getByText('Lia Lenta: espera o envio das mensagens…').waitFor()
  expect(await statusOf(uuid)).toBe('open')
  go()
  await expect.poll(() => statusOf(uuid)).toBe('closed')
  await expect.poll(async () => (await bodies(number)).slice(0, 3)).toEqual(['Um', 'Dois', 'Três'])
})

it('a ticket with a message that is refused stays with the agent, and a toast says so', async () => {
  const uuid = await served('5511944680002', 'Rui Recusado')
  const { refuse } = await holdMessages()
  await writeFast('Não vai')
  await ana.page.keyboard.press('Alt+Shift+E')
  refuse()
  await ana.page.getByText('Rui Recusado: uma mensagem não foi enviada, por isso o atendimento continua aqui.').waitFor()
  await bubble(ana.page, 'Não vai').getByRole('alert').waitFor()
  expect(await statusOf(uuid)).toBe('open')
})
