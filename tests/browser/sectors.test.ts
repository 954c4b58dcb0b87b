import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '#tests/support/wait.ts'
import { answer, type Customer, type Scene, scene, typing } from './scene.ts'

/* A clinic and a school, each played on a simulated phone. The test advances the app's clock instead of waiting. */
let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

const minute = 60_000
const change = async (path: string, to: object) => expect(await on.ask('PUT', path, to)).toMatchObject({ status: 200 })
const set = async (to: Record<string, string>) => {
  for (const [key, value] of Object.entries(to)) await change(`/settings/${key}`, { value }) // a text before the option that needs it
}
const pass = async (advanceMs: number) => expect((await on.ask('POST', '/sandbox/clock', { advanceMs })).status).toBe(200)
/** Advances the clock to this time in São Paulo on the next such weekday. */
async function until(weekday: number, hour: number, minutes = 0): Promise<void> {
  const now = Date.now() + (await on.ask('GET', '/auth/me')).body.aheadMs
  const then = new Date(now - 3 * 3_600_000) // three hours behind UTC all year
  then.setUTCDate(then.getUTCDate() + ((weekday - then.getUTCDay() + 7) % 7))
  then.setUTCHours(hour, minutes, 0, 0)
  const ahead = then.getTime() + 3 * 3_600_000 - now
  await pass(ahead > 0 ? ahead : ahead + 7 * 86_400_000)
}
const option = (name: string, greetingMessage: string, more = {}) => ({
  ...{ name, greetingMessage, queueType: 'text', closeTicket: false },
  ...{ optQueueId: null, optUserId: null, optIntegrationId: null, optFileId: null, ...more },
})
const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const office = { startTimeA: '08:00', endTimeA: '11:59', startTimeB: '13:30', endTimeB: '18:00' }
const shut = { startTimeA: '', endTimeA: '', startTimeB: '', endTimeB: '' }
const week = days.map((weekdayEn, n) => ({ weekday: weekdayEn, weekdayEn, ...(n < 5 ? office : shut) }))

it('a clinic uses consent, a lunch break, an agent, a reminder, a rating and a holiday', async () => {
  const { companyId } = (await on.ask('GET', '/auth/me')).body
  await set({ scheduleType: 'company', enableLGPD: 'enabled', lgpdMessage: 'Cuidamos dos seus dados.', lgpdConsent: 'enabled' })
  await change(`/companies/${companyId}/schedules`, { schedules: week })
  await change('/whatsapp/1', {
    ...{
      greetingMessage: 'Clínica Vida, {nome}. Escolha:',
      outOfHoursMessage: 'Estamos fora do horário.',
      complationMessage: 'Até breve!',
    },
    ...{ expiresTicket: 600, timeInactiveMessage: 20, inactiveMessage: 'Ainda está aí, {nome}?' },
    ...{ ratingMessage: 'De 0 a 10, como foi?', expiresTicketNPS: 30 },
  })
  await change('/queue/1', { name: 'Consultas', greetingMessage: 'Diga o dia que prefere.' })
  await until(2, 12, 30)
  const paula: Customer = { name: 'Paula Paciente', number: '5511955550001' }
  const phone = await on.phoneOf(paula)
  const says = typing(phone)
  await says('Bom dia', /Cuidamos dos seus dados\.[\s\S]*Aceito/)
  await says('1', /Estamos fora do horário/)
  await pass(60 * minute)
  await says('E agora?', /Clínica Vida, Paula Paciente\. Escolha:[\s\S]*Consultas/)
  await says('consultas', /Diga o dia que prefere/)

  const ana = await on.enter('ana@demo.test')
  const { page } = ana
  await page.getByRole('tab', { name: /Aguardando/ }).click()
  await page.getByRole('link', { name: paula.name }).click()
  const head = page.locator('[data-part=head]')
  await head.getByRole('button', { name: 'Aceitar', exact: true }).click()
  await head.getByText('Em atendimento').waitFor()
  await answer(on, page, paula, 'Quinta às dez?')
  const drawer = page.getByRole('complementary', { name: 'Contato', exact: true })
  await page.locator('[data-part=head-name]').click()
  await drawer.locator('[data-part=automation-next][data-rule=A-EXP-03]').waitFor()
  await pass(21 * minute)
  await phone.getByText('Ainda está aí, Paula Paciente?').waitFor()
  await says('Estou! Pode ser.', /Pode ser/)
  await page.getByRole('log').getByText('Pode ser').waitFor()
  const steps = drawer.locator('[data-part=automation]')
  await expect
    .poll(() => steps.evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.reason)))
    .toEqual(['ConsentRequested', 'ConsentGiven', 'outOfHours', 'queueMenu', 'queueChosen', 'InactivityWarned'])
  await ana.shot('clinic-why')

  await head.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Resolver e pedir avaliação' }).click()
  await page.getByText('Paula Paciente: resolvido').waitFor()
  await pass(minute)
  await phone.getByText('De 0 a 10, como foi?').waitFor()
  await says('10', /Até breve!/)

  await until(4, 10)
  const me = await on.ask('GET', `/companies/${companyId}/schedules`)
  const today = new Date(Date.now() + (await on.ask('GET', '/auth/me')).body.aheadMs - 3 * 3_600_000).toISOString().slice(0, 10)
  expect(me.body.holidays).toEqual([])
  await change(`/companies/${companyId}/holidays`, { added: [{ date: today, name: 'Aniversário da cidade' }], taken: [] })
  await set({ lgpdConsent: 'disabled', enableLGPD: 'disabled' })
  const davi = typing(await on.phoneOf({ name: 'Davi Doente', number: '5511955550002' }))
  await davi('Tem alguém?', /Estamos fora do horário/)
  expect(ana.wrong).toEqual([])
})

it('a school uses two queues with options, rotation, and a lane that moves on and asks', async () => {
  await set({ scheduleType: 'disabled' })
  await change('/queue/2', {
    ...{ name: 'Secretaria', greetingMessage: 'Secretaria. O que precisa?', ativarRoteador: true, tempoRoteador: 2 },
    chatbots: [option('Matrícula', 'Já chamamos alguém.'), option('Calendário', 'As aulas voltam em fevereiro.', { closeTicket: true })],
  })
  await change('/queue/3', {
    name: 'Financeiro',
    greetingMessage: 'Financeiro.',
    chatbots: [option('Boleto', 'Segue o boleto.', { closeTicket: true })],
  })
  await change('/whatsapp/1', { queueIds: [2, 3], greetingMessage: 'Escola Raiz. Escolha:', timeInactiveMessage: 0, inactiveMessage: null })
  const lane = async (name: string, more: object) => {
    const blank = { color: '#2563eb', kanban: 1, timeLane: null, nextLaneId: null, rollbackLaneId: null, greetingMessageLane: null }
    return (await on.ask('POST', '/tags', { ...blank, name, ...more })).body.id as number
  }
  const reminded = await lane('Lembrete', { greetingMessageLane: 'Ainda quer a vaga, {nome}?' })
  const asked = await lane('Matrícula', { timeLane: 1, nextLaneId: reminded })
  await until(5, 10)

  const [ana, bruno] = [await on.enter('ana@demo.test'), await on.enter('bruno@demo.test')]
  const team = [
    (await on.ask('GET', '/users?searchParam=ana@')).body.users[0].id,
    (await on.ask('GET', '/users?searchParam=bruno@')).body.users[0].id,
  ]
  const pai: Customer = { name: 'Plínio Pai', number: '5511955550003' }
  const phone = await on.phoneOf(pai)
  const says = typing(phone)
  await says('oi', /Escola Raiz\. Escolha:[\s\S]*Secretaria[\s\S]*Financeiro/)
  await says('financeiro', /Segue o boleto/) // a single option is chosen automatically
  await says('outra coisa', /Escola Raiz\. Escolha:[\s\S]*Secretaria/)
  await says('1', /O que precisa\?[\s\S]*Matrícula/)
  await says('matrícula', /Já chamamos alguém/)

  const find = async () => (await on.ask('GET', `/tickets?status=pending&showAll=true&searchParam=${pai.number}`)).body.tickets[0]
  const first = await eventually(find, (ticket) => team.includes(ticket?.userId))
  await pass(2 * minute + 1000)
  const second = await eventually(find, (ticket) => team.includes(ticket?.userId) && ticket.userId !== first.userId)
  const whose = second.userId === team[0] ? ana : bruno
  await whose.page.getByRole('tab', { name: /Aguardando/ }).click()
  await whose.page.getByRole('link', { name: pai.name }).click()
  await whose.page.locator('[data-part=head]').getByRole('button', { name: 'Aceitar', exact: true }).click()
  await whose.page.locator('[data-part=head]').getByText('Em atendimento').waitFor()

  await whose.page.goto('/Kanban')
  const card = (name: string) => whose.page.getByRole('region', { name, exact: true }).getByRole('listitem', { name: /Plínio Pai/ })
  await card('Em aberto').getByRole('combobox').selectOption({ label: 'Matrícula' })
  await card('Matrícula').waitFor()
  await pass(61 * minute)
  await phone.getByText('Ainda quer a vaga, Plínio Pai?').waitFor()
  await card('Lembrete').waitFor()
  await whose.shot('school-board')
  expect(asked).not.toBe(reminded)
  expect([...ana.wrong, ...bruno.wrong]).toEqual([])
})
