import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '#tests/kit/processes.ts'
import { startHouse, type TestHouse } from '#tests/kit/server.ts'

/* What becomes of tickets by themselves, with the clock of the house moved instead of waiting: settings of the connection, timers, texts. */
let house: TestHouse
const minute = 60_000
beforeAll(async () => {
  house = await startHouse()
  await house.db.updateTable('user').set({ super: true }).where('id', '=', house.company.users.admin).execute()
}, 30_000)
afterAll(() => house.stop(), 30_000)

const set = (to: object, id = house.company.connections.balcao) =>
  house.db
    .updateTable('connection')
    .set(to as any)
    .where('id', '=', id)
    .execute()
const pass = async (minutes: number) => {
  expect((await house.as('admin')('POST', '/sandbox/clock', { advanceMs: minutes * minute })).status).toBe(200)
}
const ticketOf = async (number: string) => {
  await house.settled()
  const { tickets } = (await house.as('admin')('GET', `/tickets?status=search&searchParam=${number}`)).body
  return tickets[0]
}
const says = async (number: string, body = 'oi', more = {}) => {
  await house.phone.says(number, body, more)
  return ticketOf(number)
}
const answer = async (number: string, body: string) => {
  const { id } = await ticketOf(number)
  await house.as('ana')('PUT', `/tickets/${id}`, { status: 'open', userId: house.company.users.ana, queueId: house.company.queues.vendas })
  expect((await house.as('ana')('POST', `/messages/${id}`, { body })).status).toBe(200)
  await house.settled()
}
const heard = async (number: string, connection = house.company.connections.balcao) =>
  (await house.as('admin')('GET', `/sandbox/${connection}/phone/${number}`)).body
    .filter((line: any) => !line.mine)
    .map((line: any) => line.body)
const status = (number: string, to: string) =>
  eventually(
    () => ticketOf(number),
    (ticket) => ticket.status === to,
  )
const log = async (number: string) =>
  (await house.as('admin')('GET', `/tickets-log/${(await ticketOf(number)).id}`)).body.map(({ type, rule }: any) => [type, rule])

it('warns whom we wait for, and closes with the text of the connection (A-EXP-01, A-EXP-03)', async () => {
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

it('goes by what the connection says when it is due, also where that was changed since (A-EXP-01)', async () => {
  await set({ expiresTicket: 60, timeInactiveMessage: 0 })
  for (const number of ['5511940010002', '5511940010003']) {
    await says(number)
    await answer(number, 'Pois não?')
  }
  await set({ expiresTicket: 600 })
  await pass(61) // it was due by what was said then
  await says('5511940010009', 'um marco')
  expect((await ticketOf('5511940010002')).status).toBe('open')
  await set({ expiresTicket: 61 }) // it is over by now
  await status('5511940010002', 'closed')
  await status('5511940010003', 'closed')
})

it('lets a customer who comes back in time go on where they were (A-EXP-04)', async () => {
  const number = '5511940010004'
  await set({ expiresTicket: 0, timeCreateNewTicket: 30 })
  const first = await says(number)
  await answer(number, 'Pronto!')
  const close = () => house.as('ana')('PUT', `/tickets/${first.id}`, { status: 'closed', userId: house.company.users.ana })
  expect((await close()).status).toBe(200)
  await status(number, 'closed')
  await pass(29)
  const again = await says(number, 'só mais uma coisa')
  expect([again.id, again.status, again.userId, again.queueId]).toEqual([first.id, 'pending', null, house.company.queues.vendas])
  expect((await log(number)).slice(-1)).toEqual([['reopen', 'A-EXP-04']])
  await answer(number, 'Diga')
  expect((await close()).status).toBe(200)
  await status(number, 'closed')
  await pass(31)
  expect((await says(number, 'bom dia')).id).not.toBe(first.id)
})

it('sends who waits in no queue to one (A-BOT-09), but not while the house is closed', async () => {
  const { loja } = house.company.connections
  const number = '5511940010005'
  await set({ sendIdQueue: house.company.queues.suporte, timeSendQueue: '10' }, loja)
  expect((await says(number, 'oi', { connection: loja })).queueId).toBeNull()
  await pass(11)
  await eventually(
    () => ticketOf(number),
    (ticket) => ticket.queueId === house.company.queues.suporte,
  )
  expect((await log(number)).slice(-1)).toEqual([['redirect', 'A-BOT-09']])
  await house.set('scheduleType', 'connection')
  await set({ schedules: '[]' }, loja)
  const late = await says('5511940010006', 'oi', { connection: loja })
  await pass(11)
  await says('5511940010009', 'outro marco')
  expect((await ticketOf('5511940010006')).queueId).toBeNull()
  expect(late.queueId).toBeNull()
  await house.set('scheduleType', 'disabled')
  await pass(24 * 60)
  await eventually(
    () => ticketOf('5511940010006'),
    (ticket) => ticket.queueId === house.company.queues.suporte,
  )
})

it('asks who was served for a rating before it is closed (A-NPS-02)', async () => {
  await set({
    ratingMessage: 'De 0 a 10, como foi?',
    complationMessage: 'Obrigado!',
    expiresTicketNPS: 30,
    maxUseBotQueuesNPS: 2,
    timeCreateNewTicket: 0,
    expiresTicket: 0,
  })
  await house.set('userRating', 'enabled')
  const close = async (number: string, more = {}) => {
    const { id } = await ticketOf(number)
    const asked = { status: 'closed', userId: house.company.users.ana, ...more }
    return (await house.as('ana')('PUT', `/tickets/${id}`, asked)).body
  }
  const [good, silent, plain] = ['5511940010011', '5511940010012', '5511940010013']
  for (const number of [good, silent, plain]) {
    await says(number!)
    await answer(number!, 'Pronto!')
  }
  expect([(await close(good!)).status, (await close(silent!)).status]).toEqual(['nps', 'nps'])
  expect((await close(plain!, { ratingId: 2 })).error).toBe('ERR_RATING_REQUIRED')
  expect((await close(plain!, { sendFarewellMessage: false })).status).toBe('closed')
  expect(await heard(good!)).toEqual(['Pronto!']) // it can be undone until it is said
  await pass(1)
  await eventually(
    () => heard(good!),
    (lines) => lines.includes('De 0 a 10, como foi?'),
  )
  await says(good!, 'muito bom')
  await eventually(
    () => heard(good!),
    (lines) => lines.length === 3,
  )
  const rated = await says(good!, '9')
  expect([rated.status, rated.nps]).toEqual(['closed', 9])
  await eventually(
    () => heard(good!),
    (lines) => lines.length === 4,
  )
  expect(await heard(good!)).toEqual(['Pronto!', 'De 0 a 10, como foi?', 'De 0 a 10, como foi?', 'Obrigado!'])
  expect(Date.parse(rated.updatedAt) - Date.parse(rated.closedAt)).toBeGreaterThanOrEqual(minute)
  expect((await log(good!)).slice(-4).map(([type]: [string]) => type)).toEqual(['ratingAsked', 'ratingAsked', 'rated', 'closed'])
  await pass(30)
  await status(silent!, 'closed')
  expect((await ticketOf(silent!)).nps).toBeNull()
  expect((await says(good!, '10')).id).not.toBe(rated.id)
  await house.set('userRating', 'disabled')
})

it('tells who writes about their data first, and goes on with what they wrote (A-LGPD-01, A-LGPD-02, A-LGPD-06)', async () => {
  const { loja } = house.company.connections
  const admin = house.as('admin')
  const writes = async (number: string, body: string) => {
    const ticket = await says(number, body, { connection: loja })
    return [ticket.status, (await heard(number, loja)).map((line: string) => line.split(/[.:!\n]/)[0]).join(' ')]
  }
  await house.set('enableLGPD', 'enabled')
  await house.set('lgpdConsent', 'enabled')
  await house.set('lgpdMessage', 'Da empresa.')
  await set({ greetingMessage: 'Escolha:', lgpdMessage: 'Seus dados, {nome}.', lgpdLink: 'https://x.test/lgpd' }, loja)
  const [yes, no, passed, told] = ['5511940010021', '5511940010022', '5511940010023', '5511940010024'] as const

  expect(await writes(yes, 'suporte')).toEqual(['lgpd', 'Seus dados, Cliente 0021'])
  expect(await heard(yes, loja)).toEqual(['Seus dados, Cliente 0021.\nhttps://x.test/lgpd\n\n*[ 1 ]* - Aceito\n*[ 2 ]* - Não aceito'])
  const { id, contactId } = await ticketOf(yes)
  const found = async (who: 'admin' | 'bruno', query: string) =>
    (await house.as(who)('GET', `/tickets?${query}`)).body.tickets.some((ticket: any) => ticket.id === id)
  expect(await found('bruno', `status=search&searchParam=${yes}`)).toBe(false)
  for (const tab of ['open', 'pending', 'closed']) expect(await found('admin', `status=${tab}&showAll=true`)).toBe(false)
  expect((await admin('GET', '/tickets/unread')).body.ids).not.toContain(id)
  expect(await writes(yes, 'o quê?')).toEqual(['lgpd', 'Seus dados, Cliente 0021 Seus dados, Cliente 0021'])
  expect(await writes(yes, '1')).toEqual(['pending', 'Seus dados, Cliente 0021 Seus dados, Cliente 0021 Escolha']) // the 1 chooses nothing there
  expect(await found('bruno', `status=search&searchParam=${yes}`)).toBe(true)
  const accepted = async () => (await admin('GET', `/contacts/${contactId}`)).body.lgpdAcceptedAt
  expect(Date.parse(await accepted())).toBeGreaterThan(0)
  const lines = (await admin('GET', `/tickets-log/${id}`)).body
  expect(lines.map(({ type }: any) => type)).toEqual(['create', 'consentAsked', 'consentGiven', 'chatBot'])
  expect(lines[2].note).toMatch(/^sha256:[0-9a-f]{64}$/)
  const { steps } = (await admin('GET', `/tickets/${id}/automation`)).body
  expect(steps.map(({ reason, text, said, answers }: any) => [reason, text !== null, said.length, answers?.body])).toEqual([
    ...[1, 2].map(() => ['ConsentRequested', true, 1, undefined]),
    ['ConsentGiven', true, 0, undefined],
    ['queueMenu', false, 1, 'suporte'],
  ])

  await writes(no, 'oi')
  expect(await writes(no, 'não aceito')).toEqual(['closed', 'Seus dados, Cliente 0022'])
  expect(await writes(no, 'oi')).toEqual(['lgpd', 'Seus dados, Cliente 0022 Seus dados, Cliente 0022']) // it is asked anew
  const before = (await ticketOf(no)).id
  const { vendas } = house.company.queues
  const opened = await admin('POST', '/tickets', { contactId: (await ticketOf(no)).contactId, whatsappId: loja, queueId: vendas })
  expect([opened.status, opened.body.status, opened.body.id === before]).toEqual([200, 'open', false]) // A-TICKET-01
  const old = house.db.selectFrom('ticket').select('status').where('id', '=', before)
  expect((await old.executeTakeFirstOrThrow()).status).toBe('closed')

  await writes(passed, 'oi')
  const taken = { status: 'open', userId: house.company.users.admin, queueId: house.company.queues.vendas }
  expect((await admin('PUT', `/tickets/${(await ticketOf(passed)).id}`, taken)).body.status).toBe('open')
  expect(await writes(passed, '1')).toEqual(['open', 'Seus dados, Cliente 0023'])

  await house.set('lgpdConsent', 'disabled')
  await set({ lgpdMessage: ' ', lgpdLink: null }, loja)
  expect(await writes(told, 'oi')).toEqual(['pending', 'Da empresa Escolha'])
  expect((await writes(told, '1'))[1]).toMatch(/^Da empresa Escolha/)
  await house.set('enableLGPD', 'disabled')
})

it('moves a ticket from lane to lane with the hours, greets in the next, and goes back when the customer writes (A-LANE-01)', async () => {
  const number = '5511940010031'
  const admin = house.as('admin')
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
  expect((await house.as('ana')('PUT', `/ticket-tags/${id}/${offered}`)).body.laneId).toBe(offered)
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
    (ticket) => ticket.laneId === offered, // whoever listens may know the lanes of a moment ago
  )
  expect([back.status, back.userId]).toEqual(['open', house.company.users.ana])
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
  await change(offered, { timeLane: 1 }) // it is over by now
  await stands(reminded)
  await eventually(
    () => heard(number),
    (lines) => lines.length === 3,
  )
})
