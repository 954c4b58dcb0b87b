import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendQueuePosition } from '#app/bots/position.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'
import { customerOf, receivedIn } from './customer.ts'

let app: TestApp
let line: number
const options: Record<string, number> = {}
beforeAll(async () => {
  app = await startTestApp()
  const { companies, queues, users, connections } = app.company
  const { casa: companyId } = companies
  const { db } = app
  await app.socket('ana') // so that the bot can hand over to her (A-ROT-01)
  const there = () => db.selectFrom('userPresence').select('online').where('id', '=', users.ana).executeTakeFirst()
  await eventually(there, (row) => row?.online === true)
  line = connections.loja
  await db
    .updateTable('connection')
    .set({
      greetingMessage: 'Olá, {nome}! Como podemos ajudar?',
      complationMessage: 'Até logo, {nome}!',
      outOfHoursMessage: 'Abrimos às 8h',
    })
    .where('id', '=', line)
    .execute()
  await db.updateTable('queue').set({ greetingMessage: 'Aqui é o setor {fila}.' }).where('id', '=', queues.vendas).execute()
  const none = {
    companyId,
    chatBotId: null,
    closeTicket: false,
    optQueueId: null,
    optUserId: null,
    optIntegrationId: null,
    optFileId: null,
  }
  const option = async (name: string, to: object) => {
    const row = {
      ...none,
      queueId: queues.vendas,
      position: Object.keys(options).length,
      name,
      greetingMessage: `${name}, {{nome}}:`,
      queueType: 'text' as const,
    }
    options[name] = (
      await db
        .insertInto('menuOption')
        .values({ ...row, ...to })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  }
  await option('Comprar', {})
  await option('Boleto', { closeTicket: true })
  await option('Falar com Ana', { queueType: 'attendent', optUserId: users.ana })
  await option('Ir ao suporte', { queueType: 'queue', optQueueId: queues.suporte })
  await option('Cafeteira', { chatBotId: options.Comprar })
  await option('Moedor', { chatBotId: options.Comprar })
})
afterAll(() => app?.stop())

const customer = (connection = line) => customerOf(app, connection)
const received = (ticketId: number) => receivedIn(app, ticketId)
const last4 = (from: string) => `Cliente ${from.slice(-4)}`

it('the bot asks for queue and option and hands over to the agent (A-BOT-02, A-BOT-03)', async () => {
  const one = customer()
  expect(await one.says('oi')).toEqual([`Olá, ${last4(one.from)}! Como podemos ajudar?\n\n*[ 1 ]* - Vendas\n*[ 2 ]* - Suporte`])
  expect(await one.ticket()).toMatchObject({ status: 'pending', isBot: true, queueId: null })
  expect((await one.says('não sei'))[0]).toMatch(/^Opção inválida/)
  expect((await one.says('um'))[0]).toMatch(/^Aqui é o setor Vendas\.\n\n\*\[ 1 ]\* - Comprar[\s\S]*\*\[ 0 ]\* - Voltar/)
  expect((await one.says('１'))[0]).toMatch(/^Comprar, Cliente \d+:\n\n\*\[ 1 ]\* - Cafeteira/)
  expect((await one.says('0'))[0]).toMatch(/^Aqui é o setor/)
  expect(await one.says('falar com ana')).toEqual([`Falar com Ana, ${last4(one.from)}:`])
  const { id, ...row } = await one.ticket()
  expect(row).toMatchObject({ status: 'pending', isBot: false, queueId: app.company.queues.vendas, userId: app.company.users.ana })
  expect(await one.says('oi?')).toEqual([]) // an agent has it now
  const log = await app.as('admin')('GET', `/tickets-log/${id}`)
  expect(log.body.map(({ type, user }: any) => (user ? `${type} ${user.name}` : type))).toEqual(['create', 'chatBot', 'queue', 'queue ana'])
  expect((await received(id)).filter((type) => /^[AR]-/.test(type))).toEqual([
    ...['A-BOT-02 queueMenu', 'A-BOT-05 wrongAnswer', 'A-BOT-02 queueChosen', 'A-BOT-03 optionMenu', 'A-BOT-03 optionChosen'],
    ...['A-BOT-03 optionMenu', 'A-BOT-02 back', 'A-BOT-03 optionChosen', 'A-BOT-03 person'],
  ])
})

it('the steps of the bot show what happened, why, and what comes next', async () => {
  const one = customer()
  for (const body of ['oi', '1', 'ana?', '3']) await one.says(body)
  const { id } = await one.ticket()
  const { body } = await app.as('ana')('GET', `/tickets/${id}/automation`)
  expect(
    body.steps.map(({ rule, reason, answers, choice, said, queue, user }: any) => [
      ...[rule, reason, answers.body, choice?.name ?? null, said.map((words: any) => words.body.split(/[,.:]/)[0])],
      ...[queue?.name ?? null, user?.name ?? null],
    ]),
  ).toEqual([
    ['A-BOT-02', 'queueMenu', 'oi', null, ['Olá'], null, null],
    ['A-BOT-02', 'queueChosen', '1', 'Vendas', [], 'Vendas', null],
    ['A-BOT-03', 'optionMenu', '1', null, ['Aqui é o setor Vendas'], null, null],
    ['A-BOT-05', 'wrongAnswer', 'ana?', null, ['Opção inválida'], null, null],
    ['A-BOT-03', 'optionChosen', '3', 'Falar com Ana', ['Falar com Ana'], null, null],
    ['A-BOT-03', 'person', '3', null, [], null, 'ana'],
  ])
  expect(body.next).toEqual([])
  const [{ said }] = body.steps
  await app.db.updateTable('message').set({ deletedBy: 'us' }).where('id', '=', said[0].messageId).execute()
  const now = (await app.as('ana')('GET', `/tickets/${id}/automation`)).body
  expect(now.steps[0].said).toEqual([{ ...said[0], body: '', deletedBy: 'us' }]) // A-LGPD-03
  await app.db.updateTable('message').set({ deletedBy: null }).where('id', '=', said[0].messageId).execute()
  const { queues } = app.company
  const redirects = { sendIdQueue: queues.suporte, timeSendQueue: '5' }
  await app.db.updateTable('connection').set(redirects).where('id', '=', line).execute()
  const other = customer()
  await other.says('oi')
  const next = (await app.as('admin')('GET', `/tickets/${(await other.ticket()).id}/automation`)).body.next
  expect(next).toMatchObject([{ rule: 'A-BOT-09' }])
  await app.db.updateTable('connection').set({ sendIdQueue: null, timeSendQueue: '0' }).where('id', '=', line).execute()
})

it('the steps of a long ticket are returned newest first, from a revision, or before one', async () => {
  const one = customer()
  for (const body of ['oi', '1', 'ana?', '3']) await one.says(body)
  const { id } = await one.ticket()
  const told = async (query = '') => (await app.as('admin')('GET', `/tickets/${id}/automation${query}`)).body
  const all = await told()
  expect(all).toMatchObject({ from: 0 })
  const [, , third] = all.steps
  expect((await told(`?from=${third.revision}`)).steps).toEqual(all.steps.slice(2))
  expect(await told(`?before=${third.revision}`)).toMatchObject({ steps: all.steps.slice(0, 2), from: 0, to: third.revision })
  expect(await told(`?from=${all.to + 5}`)).toMatchObject({ steps: [], from: all.to, to: all.to })
  const by = { companyId: app.company.companies.casa, by: { kind: 'bot' as const, flowId: null } }
  const effects = Array.from({ length: 400 }, () => ({ does: 'stand' as const, node: 'start/menu', menus: 1 }))
  for (const n of [1, 2, 3]) {
    const act = { rule: 'A-POS-01', reason: 'position', effects }
    await app.ctx.execute(id, { type: 'Remark', answers: null, act, afterMs: 0, ...by }, `much-${id}-${n}`)
  }
  const newest = await told()
  expect([newest.to - newest.from, newest.steps.length]).toEqual([1000, 2])
  const before = await told(`?before=${newest.from}`)
  expect(before.steps).toEqual([...all.steps, expect.objectContaining({ reason: 'position' })])
  expect([before.from, before.to]).toEqual([0, newest.from])
  for (const query of ['from=-1', 'from=x', 'before=1.5', 'before=2147483648'])
    expect((await app.as('admin')('GET', `/tickets/${id}/automation?${query}`)).status).toBe(400)
})

it('a closing leaf sends the farewell, and the next message starts again', async () => {
  const one = customer()
  await one.says('oi')
  await one.says('1')
  expect(await one.says('Boleto')).toEqual([`Boleto, ${last4(one.from)}:`, `Até logo, ${last4(one.from)}!`])
  const { id, status } = await one.ticket()
  expect([status, (await received(id)).includes('A-BOT-03 leaf')]).toEqual(['closed', true])
  expect((await one.says('mais uma coisa'))[0]).toMatch(/^Olá/)
})

it('the bot hands over after too many wrong answers (A-BOT-05)', async () => {
  const one = customer()
  await one.says('oi')
  for (const answer of ['?', '??']) expect(await one.says(answer)).toHaveLength(1)
  expect(await one.says('???')).toEqual([expect.stringMatching(/equipe vai continuar/)])
  expect(await one.ticket()).toMatchObject({ status: 'pending', isBot: false, queueId: null })
  expect(await one.says('1')).toEqual([])
})

it('every answer gets its reply in order, however fast the customer writes', async () => {
  const one = customer()
  for (const body of ['oi', '1', '1', '2']) await app.phone.says(one.from, body, { connection: line })
  const all = await one.heard()
  expect(all.map((body) => body.split(/[,.:\n]/)[0])).toEqual(['Olá', 'Aqui é o setor Vendas', 'Comprar', 'Moedor'])
  expect(await one.ticket()).toMatchObject({ isBot: false, queueId: app.company.queues.vendas })
})

it('the files of a list are sent in order after the text (A-BOT-03, A-BOT-07)', async () => {
  const { companies, queues } = app.company
  const companyId = companies.casa
  const admin = app.as('admin')
  const entries = [{ name: 'Capa' }, { name: 'Verso' }, { name: 'Sem arquivo' }]
  const { body: list } = await admin('POST', '/files', { name: 'Catálogo', message: 'Veja, {nome}:', options: entries })
  for (const [n, mime] of ['image/png', 'video/mp4'].entries()) {
    const media = { key: `${n}`.repeat(64), mime, name: `${n}`, size: 9, width: null, height: null, seconds: null }
    const file = { companyId, list: 'fileListOption', rowId: list.options[n].id, key: media.key, media: JSON.stringify(media) }
    await app.db.insertInto('rowFile').values(file).execute()
  }
  const brings = { queueType: 'file', optFileId: list.id } as const
  await app.db.updateTable('menuOption').set(brings).where('id', '=', options.Moedor!).execute()
  const one = customer()
  for (const body of ['oi', '1', '1']) await one.says(body)
  const told = await one.says('moedor')
  expect(told.map((body) => body.split(',')[0])).toEqual(['Moedor', 'Veja', '', ''])
  const sent = (await admin('GET', `/sandbox/${line}/outbox?to=${one.from}`)).body.slice(-3)
  expect(sent.map(({ mime }: any) => mime)).toEqual([null, 'image/png', 'video/mp4'])
  const { id, ...row } = await one.ticket()
  expect(row).toMatchObject({ isBot: false, queueId: queues.vendas })
  const { events } = await app.ctx.eventStore.read(`ticket-${companyId}-${id}`)
  const left = await app.db.selectFrom('outbox').select(['revision', 'dueAt']).where('ticketId', '=', id).orderBy('n').execute()
  const behind = left.map(({ revision, dueAt }) => Date.parse(dueAt) - Date.parse(events[revision]!.meta.at as string))
  for (const [n, ms] of behind.slice(-2).entries()) expect(ms).toBeGreaterThanOrEqual((n + 1) * 1000) // a second apart

  await app.db.updateTable('queue').set({ fileListId: list.id }).where('id', '=', queues.vendas).execute()
  const other = customer()
  await other.says('oi')
  expect((await other.says('1')).map((body) => body.split(/[,.]/)[0])).toEqual([
    'Aqui é o setor Vendas',
    'Veja',
    '',
    '',
    '*[ 1 ]* - Comprar\n*[ 2 ]* - Boleto\n*[ 3 ]* - Falar com Ana\n*[ 4 ]* - Ir ao suporte\n*[ 0 ]* - Voltar\n*[ # ]* - Menu inicial',
  ])
  await app.db.updateTable('queue').set({ fileListId: null }).where('id', '=', queues.vendas).execute()
  await app.db.updateTable('menuOption').set({ queueType: 'text', optFileId: null }).where('id', '=', options.Moedor!).execute()
})

it('the greeting’s file comes first, and the place in the queue is told (A-BOT-11, A-POS-01)', async () => {
  const { companies, queues } = app.company
  const media = { key: 'b'.repeat(64), mime: 'image/png', name: 'bem-vindo.png', size: 9, width: 1, height: 1, seconds: null }
  const file = { companyId: companies.casa, list: 'connection', rowId: line, key: media.key, media: JSON.stringify(media) }
  await app.db.insertInto('rowFile').values(file).execute()
  await app.set('sendQueuePosition', 'enabled')
  await app.set('sendQueuePositionMessage', 'Você é o número {position} em {fila}.')
  const one = customer()
  expect((await one.says('oi')).map((body) => body.split(',')[0])).toEqual(['', 'Olá'])
  const { body } = await app.as('admin')('GET', `/sandbox/${line}/outbox?to=${one.from}`)
  expect(body.map(({ kind, mime }: any) => [kind, mime])).toEqual([
    ['image', 'image/png'],
    ['chat', null],
  ])
  expect((await one.says('suporte')).at(-1)).toMatch(/^Você é o número 1 em Suporte\./)
  const next = customer()
  await next.says('oi')
  expect((await next.says('2')).at(-1)).toMatch(/^Você é o número 2 em Suporte\./)
  expect((await received((await next.ticket()).id)).filter((type) => type.startsWith('A-'))).toContain('A-POS-01 position')
  const { id, queueId } = await next.ticket()
  expect(queueId).toBe(queues.suporte)
  const admin = app.as('admin')
  expect((await admin('PUT', `/tickets/${id}`, { status: 'open', userId: app.company.users.admin, queueId })).status).toBe(200)
  expect((await admin('PUT', `/tickets/${id}`, { isTransfered: true, userId: null, queueId: queues.vendas })).status).toBe(200)
  await app.settled()
  const due = app.db
    .selectFrom('deadline')
    .select(['companyId', 'aggregateId', 'kind'])
    .where('aggregateId', '=', id)
    .where('kind', 'like', 'position/%')
  for (let times = 0; times < 2; times++) await sendQueuePosition(await due.executeTakeFirstOrThrow(), app.ctx) // once the undo time is over
  expect((await next.heard()).filter((text) => text.includes('em Vendas'))).toHaveLength(1)
  await app.set('sendQueuePosition', 'disabled')
  await app.db.deleteFrom('rowFile').where('list', '=', 'connection').execute()
})

it('the bot ends when an agent accepts the ticket (A-BOT-08)', async () => {
  const one = customer()
  await one.says('oi')
  const { id } = await one.ticket()
  const taken = { status: 'open', userId: app.company.users.admin, queueId: app.company.queues.vendas }
  expect((await app.as('admin')('PUT', `/tickets/${id}`, taken)).status).toBe(200)
  expect(await one.says('1')).toEqual([])
  expect(await one.ticket()).toMatchObject({ status: 'open', isBot: false })
})

it('a contact with a disabled bot gets no answer, and changes apply at once (R-BOT-05)', async () => {
  const one = customer()
  await one.says('oi')
  const { contactId } = await one.ticket()
  expect((await app.as('ana')('PUT', `/contacts/toggleDisableBot/${contactId}`)).body).toMatchObject({ disableBot: true })
  expect(await one.says('1')).toEqual([])
  const other = customer()
  await app.db.updateTable('queue').set({ name: 'Balcão' }).where('id', '=', app.company.queues.suporte).execute()
  expect((await other.says('oi'))[0]).toMatch(/\*\[ 2 ]\* - Balcão/)
})

it('the bot pauses in closed hours and vacations (A-HOURS-02, A-HOURS-03, A-VAC-01)', async () => {
  await app.set('scheduleType', 'connection')
  await app.db.updateTable('connection').set({ schedules: '[]' }).where('id', '=', line).execute()
  const one = customer()
  expect([await one.says('oi'), await one.says('alguém?')]).toEqual([['Abrimos às 8h'], []])
  expect(await one.ticket()).toMatchObject({ status: 'pending', isBot: false })
  const away = { collectiveVacationStart: '2020-01-01', collectiveVacationEnd: '2999-01-01', collectiveVacationMessage: 'Férias!' }
  await app.db.updateTable('connection').set(away).where('id', '=', line).execute()
  expect([await one.says('oi'), await one.says('oi')]).toEqual([['Férias!'], []])
  await app.db.updateTable('connection').set({ collectiveVacationStart: null }).where('id', '=', line).execute()
  await app.set('scheduleType', 'disabled')
  expect((await one.says('e agora?'))[0]).toMatch(/^Olá/)
})

it('a voice message is refused if the company accepts none (A-AUDIO-01)', async () => {
  await app.set('acceptAudioMessageContact', 'disabled')
  const one = customer(app.company.connections.balcao)
  const head = Buffer.from('RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\0\0\0\0', 'latin1')
  const mediaUrl = `data:audio/wav;base64,${Buffer.concat([head, Buffer.alloc(800, 128)]).toString('base64')}`
  expect((await one.says('', { mediaUrl }))[0]).toMatch(/áudio/)
  expect((await one.says('', { mediaUrl })).join()).not.toMatch(/áudio/)
  await app.set('acceptAudioMessageContact', 'enabled')
  const other = customer(app.company.connections.balcao)
  expect((await other.says('', { mediaUrl })).join()).not.toMatch(/áudio/)
  const { contactId } = await other.ticket()
  expect((await app.as('ana')('PUT', `/contacts/toggleAcceptAudio/${contactId}`)).body).toMatchObject({ acceptAudioMessage: false })
  expect((await other.says('', { mediaUrl }))[0]).toMatch(/áudio/) // refused from this contact
})
