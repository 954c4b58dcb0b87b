import { afterAll, beforeAll, expect, it } from 'vitest'
import { hours } from '#tests/support/hours.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

/* Automatic changes of tickets, with the simulated clock: settings of the connection, timers, texts. */
let app: TestApp
let { set, pass, ticketOf, says, answer, heard, status, log } = {} as ReturnType<typeof hours>
beforeAll(async () => {
  app = await startTestApp()
  await app.db.updateTable('user').set({ super: true }).where('id', '=', app.company.users.admin).execute()
  ;({ set, pass, ticketOf, says, answer, heard, status, log } = hours(app))
})
afterAll(() => app.stop())

it('an inactive contact is warned, and the ticket is closed with a text (A-EXP-01, A-EXP-03)', async () => {
  await set({
    expiresTicket: 60,
    timeInactiveMessage: 20,
    inactiveMessage: 'Ainda aí, {nome}?',
    expiresInactiveMessage: 'Encerramos por ora.',
  })
  await says('5511940010001')
  await answer('5511940010001', 'Pois não?')
  await pass(20)
  await eventually(
    () => heard('5511940010001'),
    (lines) => lines.includes('Ainda aí, Cliente 0001?'),
  )
  await pass(41)
  await status('5511940010001', 'closed')
  await eventually(
    () => heard('5511940010001'),
    (lines) => lines.length === 3,
  )
  expect(await heard('5511940010001')).toEqual(['Pois não?', 'Ainda aí, Cliente 0001?', 'Encerramos por ora.'])
  expect((await log('5511940010001')).slice(-2)).toEqual([
    ['warned', 'A-EXP-03'],
    ['closed', 'A-EXP-01'],
  ])
})

it('no warning is sent without a text (A-EXP-03)', async () => {
  await set({ expiresTicket: 60, timeInactiveMessage: 20, inactiveMessage: ' ' })
  const number = '5511940010009'
  await says(number)
  await answer(number, 'Pois não?')
  await pass(61)
  await status(number, 'closed')
  expect((await log(number)).map(([type]: [string]) => type)).not.toContain('warned')
  await set({ inactiveMessage: 'Ainda aí, {nome}?' })
})

it('the current settings apply when a ticket is due (A-EXP-01)', async () => {
  await set({ expiresTicket: 60, timeInactiveMessage: 0 })
  for (const number of ['5511940010002', '5511940010003']) {
    await says(number)
    await answer(number, 'Pois não?')
  }
  await set({ expiresTicket: 600 })
  await pass(61) // due by the former setting
  await says('5511940010009', 'um marco')
  expect((await ticketOf('5511940010002')).status).toBe('open')
  await set({ expiresTicket: 61 }) // it is due now
  await status('5511940010002', 'closed')
  await status('5511940010003', 'closed')
})

it('a contact who returns in time continues the same ticket (A-EXP-04)', async () => {
  const number = '5511940010004'
  await set({ expiresTicket: 0, timeCreateNewTicket: 30 })
  const first = await says(number)
  await answer(number, 'Pronto!')
  const close = () => app.as('ana')('PUT', `/tickets/${first.id}`, { status: 'closed', userId: app.company.users.ana })
  expect((await close()).status).toBe(200)
  await status(number, 'closed')
  await pass(29)
  const again = await says(number, 'só mais uma coisa')
  expect([again.id, again.status, again.userId, again.queueId]).toEqual([first.id, 'pending', null, app.company.queues.vendas])
  expect((await log(number)).slice(-1)).toEqual([['reopen', 'A-EXP-04']])
  await answer(number, 'Diga')
  expect((await close()).status).toBe(200)
  await status(number, 'closed')
  await pass(31)
  expect((await says(number, 'bom dia')).id).not.toBe(first.id)
})

it('a ticket without a queue is redirected, but not in closed hours (A-BOT-09)', async () => {
  const { loja } = app.company.connections
  const number = '5511940010005'
  await set({ sendIdQueue: app.company.queues.suporte, timeSendQueue: '10' }, loja)
  expect((await says(number, 'oi', { connection: loja })).queueId).toBeNull()
  await pass(11)
  await eventually(
    () => ticketOf(number),
    (ticket) => ticket.queueId === app.company.queues.suporte,
  )
  expect((await log(number)).slice(-1)).toEqual([['redirect', 'A-BOT-09']])
  await app.set('scheduleType', 'connection')
  await set({ schedules: '[]' }, loja)
  const late = await says('5511940010006', 'oi', { connection: loja })
  await pass(11)
  await says('5511940010009', 'outro marco')
  expect((await ticketOf('5511940010006')).queueId).toBeNull()
  expect(late.queueId).toBeNull()
  await app.set('scheduleType', 'disabled')
  await pass(24 * 60)
  await eventually(
    () => ticketOf('5511940010006'),
    (ticket) => ticket.queueId === app.company.queues.suporte,
  )
})

it('a ticket moves between lanes by time, and back when the contact writes (A-LANE-01)', async () => {
  const number = '5511940010031'
  const admin = app.as('admin')
  const lane = async (name: string, more = {}) => {
    const blank = { color: '#2563eb', kanban: 1, timeLane: null, nextLaneId: null, rollbackLaneId: null, greetingMessageLane: null }
    return (await admin('POST', '/tags', { ...blank, name, ...more })).body.id as number
  }
  const change = async (id: number, to: object) => expect((await admin('PUT', `/tags/${id}`, to)).status).toBe(200)
  const stands = (laneId: number) =>
    eventually(
      () => ticketOf(number),
      (ticket) => ticket.laneId === laneId,
    )
  const reminded = await lane('Lembrete', { greetingMessageLane: 'Ainda tem interesse, {nome}?' })
  const offered = await lane('Proposta', { timeLane: 2, nextLaneId: reminded, greetingMessageLane: 'Só por tempo.' })
  await change(reminded, { rollbackLaneId: offered })
  await says(number)
  await answer(number, 'Segue a proposta')
  const { id } = await ticketOf(number)
  expect((await app.as('ana')('PUT', `/ticket-tags/${id}/${offered}`)).body.laneId).toBe(offered)
  const { next } = (await admin('GET', `/tickets/${id}/automation`)).body
  expect(next[0].rule).toBe('A-LANE-01')
  await pass(121)
  await stands(reminded)
  await eventually(
    () => heard(number),
    (lines) => lines.length === 2,
  )
  expect(await heard(number)).toEqual(['Segue a proposta', 'Ainda tem interesse, Cliente 0031?'])
  const back = await eventually(
    () => says(number, 'tenho sim'),
    (ticket) => ticket.laneId === offered, // a process may know the lanes of a moment ago
  )
  expect([back.status, back.userId]).toEqual(['open', app.company.users.ana])
  const moves = (await admin('GET', `/tickets-log/${id}`)).body.filter(({ type }: any) => type === 'lane')
  expect(moves.map(({ lane, way, rule }: any) => [lane.name, way, rule])).toEqual([
    ['Proposta', null, null],
    ['Lembrete', 'laneTime', 'A-LANE-01'],
    ['Proposta', 'laneBack', 'A-LANE-01'],
  ])
  const { steps } = (await admin('GET', `/tickets/${id}/automation`)).body
  expect(
    steps
      .filter(({ rule }: any) => rule === 'A-LANE-01')
      .map(({ reason, lane, said, answers }: any) => [reason, lane.name, said.map(({ body }: any) => body), answers?.body ?? null]),
  ).toEqual([
    ['laneTime', 'Lembrete', ['Ainda tem interesse, Cliente 0031?'], null],
    ['laneBack', 'Proposta', [], 'tenho sim'],
  ])
  await change(offered, { timeLane: 100 })
  await pass(121)
  await says('5511940010009', 'mais um marco')
  expect((await ticketOf(number)).laneId).toBe(offered)
  await change(offered, { timeLane: 1 }) // it is due now
  await stands(reminded)
  await eventually(
    () => heard(number),
    (lines) => lines.length === 3,
  )
})
