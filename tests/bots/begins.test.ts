import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendQueuePosition } from '#app/bots/position.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { customerOf, receivedIn } from './customer.ts'

let app: TestApp
let line: number
const menu = 'Olá!\n\n*[ 1 ]* - Vendas\n*[ 2 ]* - Suporte'
beforeAll(async () => {
  app = await startTestApp()
  line = app.company.connections.loja
  await app.db.updateTable('connection').set({ greetingMessage: 'Olá!' }).where('id', '=', line).execute()
  await app.db.updateTable('user').set({ super: true }).where('id', '=', app.company.users.admin).execute()
})
afterAll(() => app?.stop())
const customer = () => customerOf(app, line)

it('the bot starts at the first message that can be answered (A-BOT-01)', async () => {
  const caller = customer()
  for (const call of ['voice', 'video']) expect(await caller.says('', { call })).toEqual([])
  expect(await caller.ticket()).toMatchObject({ status: 'pending', queueId: null })
  expect(await caller.says('oi')).toEqual([menu])
  expect(await caller.ticket()).toMatchObject({ isBot: true })
  const unread = customer()
  expect(await unread.says('', { undecryptable: true })).toEqual([])
  expect(await unread.says('alô?')).toEqual([menu])
})

it('the bot starts after the consent that followed a call (A-BOT-01, A-LGPD-01)', async () => {
  await app.set('enableLGPD', 'enabled')
  await app.set('lgpdConsent', 'enabled')
  await app.set('lgpdMessage', 'Usamos seus dados.')
  const one = customer()
  expect((await one.says('', { call: 'voice' })).join()).toMatch(/^Usamos seus dados/)
  expect(await one.says('1')).toEqual([])
  expect(await one.ticket()).toMatchObject({ status: 'pending' })
  expect(await one.says('oi')).toEqual([menu])
  const { id, contactId } = await one.ticket()
  const { events } = await app.ctx.eventStore.read(`ticket-${app.company.companies.casa}-${id}`)
  const { text } = events.find(({ type }) => type === 'ConsentGiven')!.data as { text: string }
  expect(text).toMatch(/^[0-9a-f]{64}$/)
  expect((await app.as('admin')('GET', `/contacts/${contactId}`)).body).toMatchObject({ lgpdText: text }) // in any later ticket too

  const [before, behind] = [customer(), customer()]
  for (const [of, id] of [
    [before, 'unread-1'],
    [behind, 'unread-2'],
  ] as const)
    expect((await of.says('', { id, undecryptable: true })).join()).toMatch(/^Usamos seus dados/)
  await before.says('oi', { id: 'unread-1' })
  expect(await before.says('1')).toEqual([menu]) // the first message can be read now
  expect(await behind.says('1')).toEqual([])
  expect(await behind.says('oi', { id: 'unread-2' })).toEqual([menu])
  await app.set('enableLGPD', 'disabled')
})

it('a ticket that waited before the bot was configured stays with agents (A-BOT-01)', async () => {
  const set = (greetingMessage: string | null) => app.db.updateTable('connection').set({ greetingMessage }).where('id', '=', line).execute()
  await set(null)
  const one = customer()
  expect(await one.says('oi')).toEqual([])
  await set('Olá!')
  expect(await one.says('tem alguém?')).toEqual([])
  expect((await receivedIn(app, (await one.ticket()).id)).filter((type) => type.includes('-'))).toEqual([])
})

it('a connection without queues greets with a file, once (A-BOT-11)', async () => {
  const { companies, connections } = app.company
  const companyId = companies.casa
  const { balcao } = connections
  const served = await app.db.deleteFrom('connectionQueue').where('connectionId', '=', balcao).returningAll().execute()
  const media = { key: 'c'.repeat(64), mime: 'image/png', name: 'oi.png', size: 9, width: 1, height: 1, seconds: null }
  const file = { companyId, list: 'connection', rowId: balcao, key: media.key, media: JSON.stringify(media) }
  await app.db.insertInto('rowFile').values(file).execute()
  const one = customerOf(app, balcao)
  expect([await one.says('oi'), await one.says('oi?')]).toEqual([[''], []])
  const sent = (await app.as('admin')('GET', `/sandbox/${balcao}/outbox?to=${one.from}`)).body
  expect(sent.map(({ kind, mime }: any) => [kind, mime])).toEqual([['image', 'image/png']])
  expect((await receivedIn(app, (await one.ticket()).id)).filter((type) => type.includes('-'))).toEqual(['A-BOT-02 noQueue'])
  await app.db.deleteFrom('rowFile').where('list', '=', 'connection').execute()
  await app.db.insertInto('connectionQueue').values(served).execute()
})

it('a group ticket gets no bot message and waits for agents at once (A-BOT-01)', async () => {
  const { companies, queues } = app.company
  const on = app.db.updateTable('connection').where('id', '=', line)
  await on.set({ groupAsTicket: 'enabled' }).execute()
  await app.set('sendQueuePosition', 'enabled')
  await app.set('acceptAudioMessageContact', 'disabled')
  const group = { id: '5511970000001-1700000000', name: 'Vizinhos' }
  const some = customerOf(app, line, group)
  await app.db.deleteFrom('connectionQueue').where('connectionId', '=', line).where('queueId', '=', queues.suporte).execute()
  expect(await some.says('bom dia')).toEqual([])
  const { id, ...row } = await some.ticket()
  expect(row).toMatchObject({ companyId: companies.casa, status: 'pending', isGroup: false, isBot: false, queueId: queues.vendas })
  expect((await receivedIn(app, id)).slice(-2)).toEqual(['A-BOT-01 group', 'BotEnded'])
  expect(await some.says('1')).toEqual([])
})

it('a redirected or transferred contact is told the place in the queue (A-POS-01, A-BOT-09)', async () => {
  const { queues } = app.company
  const admin = app.as('admin')
  const goesBy = async (ms: number) =>
    expect((await admin('POST', '/sandbox/clock', { advanceMs: ms }, { 'x-command-id': crypto.randomUUID() })).status).toBe(200)
  const connection = app.db.updateTable('connection').where('id', '=', line)
  const redirects = (sendIdQueue: number | null, timeSendQueue: string) => connection.set({ sendIdQueue, timeSendQueue }).execute()
  const tells = async ({ heard }: ReturnType<typeof customer>, text: string) =>
    expect.poll(heard).toContainEqual(expect.stringContaining(text))
  const waitingIn = async (queueId: number) => {
    const rows = app.db.selectFrom('ticket').select('id').where('queueId', '=', queueId).where('status', '=', 'pending')
    return (await rows.where('isBot', '=', false).execute()).length
  }
  await app.db
    .insertInto('connectionQueue')
    .values({ companyId: app.company.companies.casa, connectionId: line, queueId: queues.suporte })
    .execute()
  await app.set('sendQueuePosition', 'enabled')
  await app.set('sendQueuePositionMessage', 'Você é o número {position} em {fila}.')

  await redirects(queues.suporte, '5')
  const silent = customer()
  await silent.says('oi')
  await goesBy(6 * 60_000)
  await tells(silent, 'em Suporte.') // with all tickets that waited for nobody
  await redirects(null, '0')

  for (const closes of ['disabled', 'enabled']) {
    await app.set('closeTicketOnTransfer', closes) // a separate ticket follows
    const [one, next] = [customer(), customer()]
    await one.says('oi')
    const { id } = await one.ticket()
    const own = { status: 'open', userId: app.company.users.admin, queueId: queues.suporte }
    expect((await admin('PUT', `/tickets/${id}`, own)).status).toBe(200)
    const there = await waitingIn(queues.vendas)
    expect((await admin('PUT', `/tickets/${id}`, { isTransfered: true, userId: null, queueId: queues.vendas })).status).toBe(200)
    await next.says('oi')
    expect((await next.says('vendas')).at(-1)).toMatch(new RegExp(`^Você é o número ${there + 2} em Vendas`))
    await goesBy(11_000)
    await tells(one, `Você é o número ${there + 1} em Vendas.`)
  }
  await app.set('closeTicketOnTransfer', 'disabled')

  const [one, before] = [customer(), customer()]
  for (const body of ['oi', 'vendas']) await before.says(body)
  await one.says('oi')
  const [{ id }, theirs] = [await one.ticket(), await before.ticket()]
  const goesTo = async (ticketId: number, queueId: number) =>
    expect((await admin('PUT', `/tickets/${ticketId}`, { isTransfered: true, userId: null, queueId })).status).toBe(200)
  for (const queueId of [queues.suporte, queues.vendas]) await goesTo(id, queueId)
  await goesTo(theirs.id, queues.suporte)
  expect((await admin('POST', `/tickets/${theirs.id}/undo`, {})).status).toBe(200) // it waits in its former place
  await app.settled()
  const due = app.db.selectFrom('deadline').select(['companyId', 'aggregateId', 'kind']).where('aggregateId', '=', id)
  const both = await due.where('kind', 'like', 'position/%').orderBy('dueAt').execute()
  expect(both).toHaveLength(2)
  for (const entry of both) await sendQueuePosition(entry, app.ctx)
  const places = (await one.heard()).filter((text) => text.startsWith('Você é o número'))
  expect(places).toEqual([`Você é o número ${await waitingIn(queues.vendas)} em Vendas.`])
})
