import { afterAll, beforeAll, expect, it } from 'vitest'
import { hours } from '#tests/support/hours.ts'
import type { Person } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

/* Questions that the app itself asks a customer: a rating at the end, consent at the start. */
let app: TestApp
let { set, pass, ticketOf, says, answer, heard, status, log } = {} as ReturnType<typeof hours>
beforeAll(async () => {
  app = await startTestApp()
  await app.db.updateTable('user').set({ super: true }).where('id', '=', app.company.users.admin).execute()
  ;({ set, pass, ticketOf, says, answer, heard, status, log } = hours(app))
})
afterAll(() => app.stop())

it('a served contact is asked for a rating before the ticket closes (A-NPS-02)', async () => {
  await set({
    ratingMessage: 'De 0 a 10, como foi?',
    complationMessage: 'Obrigado!',
    expiresTicketNPS: 30,
    maxUseBotQueuesNPS: 2,
    timeCreateNewTicket: 0,
    expiresTicket: 0,
  })
  await app.set('userRating', 'enabled')
  const close = async (number: string, more = {}) => {
    const { id } = await ticketOf(number)
    const asked = { status: 'closed', userId: app.company.users.ana, ...more }
    return (await app.as('ana')('PUT', `/tickets/${id}`, asked)).body
  }
  const ana = await app.socket('ana') // an agent who is away gets no ticket back
  const [good, silent, plain, hasty] = ['5511940010011', '5511940010012', '5511940010013', '5511940010014']
  for (const number of [good, silent, plain, hasty]) {
    await says(number!)
    await answer(number!, 'Pronto!')
  }
  expect([(await close(good!)).status, (await close(silent!)).status]).toEqual(['nps', 'nps'])
  expect((await close(plain!, { ratingId: 2 })).error).toBe('ERR_RATING_REQUIRED')
  expect((await close(plain!, { sendFarewellMessage: false })).status).toBe('closed')
  expect((await close(hasty!)).status).toBe('nps')
  const back = await says(hasty!, '2') // sent before the question, so it is no rating
  expect([back.status, back.userId, back.nps, back.unreadMessages]).toEqual(['open', app.company.users.ana, null, 1])
  expect((await log(hasty!)).at(-1)).toEqual(['reopen', 'A-NPS-02'])
  expect((await close(hasty!)).status).toBe('nps')
  expect(await heard(good!)).toEqual(['Pronto!']) // it can be undone until it is sent
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
  expect([rated.status, rated.nps, rated.userRating]).toEqual(['closed', 9, { rate: 5 }])
  await eventually(
    () => heard(good!),
    (lines) => lines.length === 4,
  )
  expect(await heard(good!)).toEqual(['Pronto!', 'De 0 a 10, como foi?', 'De 0 a 10, como foi?', 'Obrigado!'])
  expect(Date.parse(rated.updatedAt) - Date.parse(rated.closedAt)).toBeGreaterThanOrEqual(60_000)
  expect((await log(good!)).slice(-4).map(([type]: [string]) => type)).toEqual(['ratingAsked', 'ratingAsked', 'rated', 'closed'])
  await pass(30)
  await status(silent!, 'closed')
  expect((await ticketOf(silent!)).nps).toBeNull()
  await status(hasty!, 'closed')
  expect(await heard(hasty!)).toEqual(['Pronto!', 'De 0 a 10, como foi?']) // once, although resolved twice
  expect((await says(good!, '10')).id).not.toBe(rated.id)
  await set({ expiresTicketNPS: 0 })
  await answer(good!, 'De nada!')
  const { id } = await close(good!)
  const { body: next } = await app.as('ana')('GET', `/tickets/${id}/automation`)
  const { body: lines } = await app.as('admin')('GET', `/tickets-log/${id}`)
  const asked = lines.find(({ type }: { type: string }) => type === 'ratingAsked').createdAt
  expect(next.next).toEqual([{ rule: 'A-NPS-02', dueAt: new Date(Date.parse(asked) + 60 * 60_000).toISOString() }])
  const { vendas } = app.company.queues
  const [served, waiting] = ['5511940010015', '5511940010016'] as const
  for (const number of [served, waiting]) {
    await says(number)
    await answer(number, 'Pronto!')
    await close(number)
  }
  await pass(1)
  for (const number of [served, waiting])
    await eventually(
      () => heard(number),
      (lines) => lines.length === 2,
    )
  const again = await says(served, 'Não funcionou! Preciso de ajuda urgente')
  expect([again.status, again.userId, again.queueId, again.unreadMessages]).toEqual(['open', app.company.users.ana, vendas, 1])
  ana.close()
  await eventually(
    async () => (await app.as('admin')('GET', '/users/list')).body.find(({ name }: any) => name === 'ana').availability,
    (now) => now === 'offline',
  )
  await says(waiting, 'E o meu boleto, cadê?')
  await status(waiting, 'pending')
  const inQueue = await ticketOf(waiting)
  expect([inQueue.userId, inQueue.queueId, inQueue.unreadMessages, inQueue.nps]).toEqual([null, vendas, 1, null])
  await app.set('userRating', 'disabled')
})

it('a new contact gets the consent text (A-LGPD-01, A-LGPD-02, A-LGPD-06, R-LGPD-02)', async () => {
  const { loja } = app.company.connections
  const admin = app.as('admin')
  const writes = async (number: string, body: string) => {
    const ticket = await says(number, body, { connection: loja })
    return [ticket.status, (await heard(number, loja)).map((line: string) => line.split(/[.:!\n]/)[0]).join(' ')]
  }
  await app.set('enableLGPD', 'enabled')
  await app.set('lgpdConsent', 'enabled')
  await app.set('lgpdMessage', 'Da empresa.')
  await set({ greetingMessage: 'Escolha:', lgpdMessage: 'Seus dados, {nome}.', lgpdLink: 'https://x.test/lgpd' }, loja)
  const [yes, no, passed, told] = ['5511940010021', '5511940010022', '5511940010023', '5511940010024'] as const

  expect(await writes(yes, 'suporte')).toEqual(['lgpd', 'Seus dados, Cliente 0021'])
  expect(await heard(yes, loja)).toEqual(['Seus dados, Cliente 0021.\nhttps://x.test/lgpd\n\n*[ 1 ]* - Aceito\n*[ 2 ]* - Não aceito'])
  const { id, contactId } = await ticketOf(yes)
  const page = async (who: Person, query: string) => (await app.as(who)('GET', `/tickets?${query}`)).body
  const found = async (who: Person, query: string) => (await page(who, query)).tickets.some((ticket: any) => ticket.id === id)
  const asked = `statusFilter=${encodeURIComponent('["lgpd","nps"]')}`
  expect(await found('bruno', `status=search&searchParam=${yes}`)).toBe(false)
  for (const tab of ['open', 'pending', 'closed']) expect(await found('admin', `status=${tab}&showAll=true`)).toBe(false)
  expect((await admin('GET', '/tickets/unread')).body.ids).not.toContain(id)
  const waitedFor = await page('admin', asked) // visible to users who may see waiting tickets, and counted
  expect([waitedFor.count, await found('admin', asked), await found('bruno', asked), await found('carla', asked)]).toEqual([
    ...[waitedFor.tickets.length, true, true, false],
  ])
  expect(await writes(yes, 'é rápido')).toEqual(['lgpd', 'Seus dados, Cliente 0021']) // they have not read it yet
  await pass(1)
  expect(await writes(yes, 'o quê?')).toEqual(['lgpd', 'Seus dados, Cliente 0021 Seus dados, Cliente 0021'])
  expect((await heard(yes, loja))[1]).toMatch(/Não aceito\n\nResponda \*1\* para aceitar ou \*2\* para não aceitar\.$/)
  expect(await writes(yes, '1')).toEqual(['pending', 'Seus dados, Cliente 0021 Seus dados, Cliente 0021 Escolha']) // the 1 is no menu choice
  expect(await found('bruno', `status=search&searchParam=${yes}`)).toBe(true)
  expect(await found('admin', asked)).toBe(false)
  const accepted = async () => (await admin('GET', `/contacts/${contactId}`)).body.lgpdAcceptedAt
  expect(Date.parse(await accepted())).toBeGreaterThan(0)
  const lines = (await admin('GET', `/tickets-log/${id}`)).body
  expect(lines.map(({ type }: any) => type)).toEqual(['create', 'consentAsked', 'consentGiven', 'chatBot'])
  expect(lines[2].note).toMatch(/^sha256:[0-9a-f]{64}$/)
  const { steps } = (await admin('GET', `/tickets/${id}/automation`)).body
  expect(steps.map(({ reason, text, said, answers }: any) => [reason, text !== null, said.length, answers?.body])).toEqual([
    ...['suporte', 'o quê?'].map((body) => ['ConsentRequested', true, 1, body]),
    ['ConsentGiven', true, 0, '1'],
    ['queueMenu', false, 1, 'suporte'],
  ])

  await writes(no, 'oi')
  expect(await writes(no, 'não aceito')).toEqual(['closed', 'Seus dados, Cliente 0022 Tudo bem'])
  expect(await writes(no, 'oi')).toEqual(['lgpd', 'Seus dados, Cliente 0022 Tudo bem Seus dados, Cliente 0022']) // it is asked again
  const before = (await ticketOf(no)).id
  const { vendas } = app.company.queues
  const opened = await admin('POST', '/tickets', { contactId: (await ticketOf(no)).contactId, whatsappId: loja, queueId: vendas })
  expect([opened.status, opened.body.status, opened.body.id === before]).toEqual([200, 'open', false]) // A-TICKET-01
  const old = app.db.selectFrom('ticket').select('status').where('id', '=', before)
  expect((await old.executeTakeFirstOrThrow()).status).toBe('closed')

  await writes(passed, 'oi')
  const taken = { status: 'open', userId: app.company.users.admin, queueId: app.company.queues.vendas }
  expect((await admin('PUT', `/tickets/${(await ticketOf(passed)).id}`, taken)).body.status).toBe('open')
  expect(await writes(passed, '1')).toEqual(['open', 'Seus dados, Cliente 0023'])

  await app.set('lgpdConsent', 'disabled')
  await set({ lgpdMessage: ' ', lgpdLink: null }, loja)
  expect(await writes(told, 'oi')).toEqual(['pending', 'Da empresa Escolha'])
  expect((await writes(told, '1'))[1]).toMatch(/^Da empresa Escolha/)
  await app.set('enableLGPD', 'disabled')
})
