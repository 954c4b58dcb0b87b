import { afterAll, beforeAll, expect, it } from 'vitest'
import { enterAs, type Person } from '#tests/support/browser.ts'
import { type Stage, startBrowserEnv } from '#tests/support/browser-env.ts'
import { type Client, client, signIn } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/wait.ts'

let on: Stage
let admin: Client
let adminId: number

beforeAll(async () => {
  on = await startBrowserEnv()
  const where = () => on.server.url
  const signed = await signIn(where, 'admin@demo.test')
  admin = client(where, signed.token)
  adminId = signed.user.id
})
afterAll(() => on?.clear())

/** An agent whose socket can be held, so that frames arrive late. */
async function agent(email: string): Promise<Person & { hold: (holds?: boolean) => void }> {
  const one = await on.come()
  let held = false
  await one.page.routeWebSocket(/\/api\/live/, (page) => {
    const far = page.connectToServer()
    far.onMessage((frame) => void (held || page.send(frame)))
  })
  await enterAs(one, email)
  const hold = (holds = true) => {
    held = holds
  }
  return { ...one, hold }
}
async function says(name: string, number: string, body: string) {
  expect((await admin('POST', '/sandbox/1/inbound', { id: `${number}-${body.length}`, from: number, name, body })).status).toBe(202)
  return eventually(
    async () => (await admin('GET', `/tickets?status=search&searchParam=${encodeURIComponent(name)}`)).body.tickets?.[0],
    (found) => found?.id !== undefined,
  )
}

it('another agent’s new answer is shown before anything is sent, and the draft stays', async () => {
  const ticket = await says('Pedro Guarda', '5511944440001', 'Vocês abrem hoje?')
  const ana = await agent('ana@demo.test')
  await ana.page.goto(`/tickets/${ticket.uuid}`)
  await ana.page.getByText('Vocês abrem hoje?').last().waitFor()
  const me = await ana.page.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('token')}` }
    return (await (await fetch('/api/auth/me', { headers })).json()).id as number
  })
  expect((await admin('PUT', `/tickets/${ticket.id}`, { status: 'open', userId: me, queueId: 2 })).body.userId).toBe(me)
  const words = ana.page.getByRole('textbox', { name: 'Mensagem' })
  await ana.page.locator('[data-part=head]').getByText('Em atendimento').waitFor()
  await words.fill('Abrimos até as 18h')

  ana.hold()
  expect((await admin('POST', `/messages/${ticket.id}`, { body: 'Hoje não abrimos, é feriado.' })).status).toBe(200)
  const late = Promise.withResolvers<void>()
  await ana.page.route('**/api/messages/*', async (route) => {
    await late.promise
    await route.fallback()
  })
  await words.press('Enter')
  // Another answer is recorded before the first comes back. It waits for the decision too.
  const recording = ana.page.getByRole('group', { name: 'Gravando…' })
  await ana.page.getByRole('button', { name: 'Gravar áudio' }).click()
  await recording.getByRole('timer').getByText('0:02').waitFor()
  late.resolve()
  const guard = ana.page.getByRole('alert').filter({ has: ana.page.getByRole('button', { name: 'Enviar mesmo assim' }) })
  await guard.waitFor()
  ana.hold(false)
  expect((await admin('POST', `/messages/${ticket.id}`, { body: 'Amanhã sim.' })).status).toBe(200)
  await ana.page.locator('[data-part=card-last]').filter({ hasText: 'Amanhã sim.' }).waitFor() // she has seen everything, so only her decision is missing
  await recording.getByRole('button', { name: 'Enviar áudio' }).click()
  const voice = ana.page.locator('[data-part=files] li').filter({ hasText: 'voz-' })
  await voice.waitFor()
  await voice.getByRole('button', { name: 'Remover' }).click()
  // A note needs no decision and leaves the answer in its own draft.
  const noting = ana.page.getByRole('button', { name: 'Nota interna', exact: true })
  await noting.click()
  await words.fill('Não contar da reforma')
  await words.press('Enter')
  await ana.page.locator('[data-part=message][data-private]').filter({ hasText: 'reforma' }).waitFor()
  await noting.click()
  expect(await words.inputValue()).toBe('Abrimos até as 18h')
  await ana.page.getByText('Hoje não abrimos, é feriado.').first().waitFor()
  await ana.shot('guard')
  const outbox = async () => (await admin('GET', '/sandbox/1/outbox?to=5511944440001')).body.map(({ body }: { body: string }) => body)
  expect((await outbox()).join()).not.toContain('Abrimos até as 18h')

  await guard.getByRole('button', { name: 'Enviar mesmo assim' }).click()
  expect((await eventually(outbox, (sent) => sent.length === 3))[2]).toContain('Abrimos até as 18h')
  expect(ana.wrong).toEqual([])
})

it('the second of two agents who accept a ticket gets the owner’s name', async () => {
  const ticket = await says('Clara Corrida', '5511944440002', 'Bom dia')
  const bruno = await agent('bruno@demo.test')
  await bruno.page.getByRole('tab', { name: /Aguardando/ }).click()
  await bruno.page.getByRole('link', { name: 'Clara Corrida' }).click()
  const accept = bruno.page.locator('[data-part=head]').getByRole('button', { name: 'Aceitar', exact: true })
  await accept.waitFor()
  bruno.hold()
  expect((await admin('PUT', `/tickets/${ticket.id}`, { status: 'open', userId: adminId, queueId: 2 })).body.userId).toBe(adminId)
  await accept.click()
  const dialog = bruno.page.getByRole('dialog')
  await dialog.waitFor()
  const choose = dialog.getByRole('button', { name: 'Aceitar', exact: true })
  if (await choose.isVisible()) {
    await dialog.getByLabel('Fila').selectOption({ label: 'Suporte' })
    await choose.click()
  }
  await bruno.page
    .getByText(/Helena Prado/)
    .last()
    .waitFor()
  await bruno.shot('busy')
  expect(bruno.wrong).toEqual([])
})

it('an error is shown at its field, and the typed text stays', async () => {
  const ana = await agent('carla@demo.test')
  await ana.page.goto('/tags')
  await ana.page
    .getByRole('button', { name: /Adicionar|Nova/ })
    .first()
    .click()
  const dialog = ana.page.getByRole('dialog')
  const name = dialog.getByLabel('Nome')
  await name.fill('ab')
  await dialog.getByRole('button', { name: /Salvar|Adicionar/ }).click()
  await dialog.getByText(/curta|curto|mínimo|Pelo menos/i).waitFor()
  expect(await name.inputValue()).toBe('ab')
  await ana.shot('tag-error')
  await name.fill('Retorno amanhã')
  await dialog.getByRole('button', { name: /Salvar|Adicionar/ }).click()
  await ana.page.getByText('Retorno amanhã').first().waitFor()

  const stranger = await on.come()
  await stranger.page.goto('/login')
  await stranger.page.getByLabel('E-mail').fill('ana@demo.test')
  await stranger.page.getByLabel('Senha', { exact: true }).fill('errada')
  await stranger.page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await stranger.page.getByText('E-mail ou senha não conferem').waitFor()
  expect(await stranger.page.getByLabel('E-mail').inputValue()).toBe('ana@demo.test')
  expect([...ana.wrong, ...stranger.wrong]).toEqual([])
})
