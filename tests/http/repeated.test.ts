import { globSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forgetAnswered } from '#app/http/idempotency.ts'
import type { Call, Calls } from '#domain/contract.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { openScene, type Scene } from './scene.ts'
import { lists } from './table-lists.ts'

/* The same call asked again with its command id, after an answer that was lost: it answers what the first one answered. */
let app: TestApp
let scene: Scene
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
})
afterAll(() => app?.stop())

const again = async (method: string, path: string, body?: object) => {
  const headers = { 'x-command-id': crypto.randomUUID() }
  return [await app.as('ana')(method, path, body, headers), await app.as('ana')(method, path, body, headers)]
}

it('opens one ticket and answers with it, whatever became of it since', async () => {
  const headers = { 'x-command-id': crypto.randomUUID() }
  const asked = { contactId: (await scene.contact()).id, queueId: scene.queues.vendas }
  const open = () => app.as('ana')('POST', '/tickets', asked, headers)
  const first = await open()
  expect(first.status).toBe(200)
  const [again, another] = await Promise.all([open(), app.as('ana')('POST', '/tickets', asked)])
  expect([again.status, again.body.uuid, again.body.status]).toEqual([200, first.body.uuid, 'open'])
  expect([another.status, another.body.error]).toEqual([409, 'ERR_OTHER_OPEN_TICKET'])
  await scene.made('ana', 'PUT', `/tickets/${first.body.id}`, { status: 'closed' })
  await app.settled() // its place is free
  const late = await open()
  expect([late.status, late.body.uuid, late.body.status]).toEqual([200, first.body.uuid, 'closed'])
  const all = await app.db.selectFrom('ticket').select('id').where('contactId', '=', asked.contactId).execute()
  expect(all).toEqual([{ id: first.body.id }])
  expect((await app.as('bruno')('POST', '/tickets', asked, headers)).body.uuid).not.toBe(first.body.uuid) // another's act
})
it('says so where other words come under the id of a message or a note, and loses neither silently', async () => {
  const { id } = await scene.served()
  for (const [path, words] of [
    [`/messages/${id}`, (body: string) => ({ body })],
    ['/ticket-notes', (note: string) => ({ note, ticketId: id })],
  ] as const) {
    const headers = { 'x-command-id': crypto.randomUUID() }
    const first = await app.as('ana')('POST', path, words('um texto'), headers)
    const second = await app.as('ana')('POST', path, words('um texto'), headers)
    const said = ({ body }: typeof first) => JSON.stringify(body).replace(/"ack":\d/g, '') // it may have left in between
    expect([first.status, said(second)]).toEqual([200, said(first)])
    const other = await app.as('ana')('POST', path, words('outro texto'), headers)
    expect([other.status, other.body.error]).toEqual([409, 'ERR_COMMAND_REUSED'])
  }
})
it('takes no id that it would not know again', async () => {
  const { id } = await scene.served()
  for (const given of ['abc', "'; drop table", 'a'.repeat(5000)]) {
    const { status, body } = await app.as('ana')('POST', `/messages/${id}`, { body: 'oi' }, { 'x-command-id': given })
    expect([status, body.error, body.field]).toEqual([400, 'ERR_INVALID_INPUT', 'x-command-id'])
  }
})
it('opens one ticket when both come at once', async () => {
  const headers = { 'x-command-id': crypto.randomUUID() }
  const asked = { contactId: (await scene.contact()).id, queueId: scene.queues.vendas }
  const both = await Promise.all([0, 1].map(() => app.as('ana')('POST', '/tickets', asked, headers)))
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(both[0]!.body.id).toBe(both[1]!.body.id)
})
it('answers a transfer with the same ticket, also where it left the sight of who gave it, and one that closes with its successor', async () => {
  const to = { isTransfered: true, queueId: scene.queues.suporte, userId: scene.users.carla }
  const given = await scene.served()
  const [one, two] = await again('PUT', `/tickets/${given.id}`, to)
  expect([one!.status, two!.status, two!.body.id, two!.body.user.name]).toEqual([200, 200, given.id, 'carla'])
  expect((await app.as('ana')('PUT', `/tickets/${given.id}`, to)).status).toBe(404)
  await app.set('closeTicketOnTransfer', 'true')
  const closed = await scene.served()
  const [first, second] = await again('PUT', `/tickets/${closed.id}`, to)
  await app.set('closeTicketOnTransfer', 'false')
  expect([first!.status, second!.status, second!.body.uuid]).toEqual([200, 200, first!.body.uuid])
  expect(first!.body.id).not.toBe(closed.id)
  const all = await app.db.selectFrom('ticket').select('id').where('contactId', '=', closed.contactId).execute()
  expect(all).toHaveLength(2)
})
it.each([
  ['/tickets/closeAll', () => ({ status: 'pending', selectedQueueIds: [scene.queues.vendas] })],
  ['/tickets/listed/close', () => ({ status: 'pending', showAll: true })],
] as const)('%s and its undo mean the tickets they meant at first, and answer how many those were', async (path, of) => {
  const admin = app.as('admin')
  const statusOf = async ({ uuid }: { uuid: string }) => (await admin('GET', `/tickets/u/${uuid}`)).body.status
  const headers = { 'x-command-id': crypto.randomUUID() }
  const closed = [await scene.waiting(), await scene.waiting()]
  const first = await admin('POST', path, of(), headers)
  expect(first.body.count).toBeGreaterThanOrEqual(2)
  const between = await scene.waiting()
  const second = await admin('POST', path, of(), headers)
  expect([second.status, second.body]).toEqual([first.status, first.body])
  expect(await Promise.all([...closed, between].map(statusOf))).toEqual(['closed', 'closed', 'pending'])
  expect((await admin('POST', path, { ...of(), status: 'open' }, headers)).body.error).toBe('ERR_COMMAND_REUSED')

  const back = { 'x-command-id': crypto.randomUUID() }
  const undo = () => admin('POST', '/tickets/closeAll/undo', { batch: first.body.batch }, back)
  expect((await undo()).body).toEqual({ count: first.body.count })
  const again = await admin('PUT', `/tickets/${closed[0]!.id}`, { status: 'open', userId: scene.users.admin })
  expect(again.status).toBe(200)
  expect((await undo()).body).toEqual({ count: first.body.count })
  expect(await Promise.all(closed.map(statusOf))).toEqual(['open', 'pending'])
})
it('a close-all and its undo that were killed half-way go on with the tickets they meant, and count those that were done before', async () => {
  const of = { status: 'pending', selectedQueueIds: [scene.queues.vendas] }
  expect((await app.as('admin')('POST', '/tickets/closeAll', of)).status).toBe(200) // none is left over
  const [id, back] = [crypto.randomUUID(), crypto.randomUUID()]
  const waiting = [await scene.waiting(), await scene.waiting(), await scene.waiting()]
  const half = (commandId: string) => app.db.updateTable('answered').set({ count: null }).where('commandId', '=', commandId).execute() // as it stands before the last of them
  const all = await app.as('admin')('POST', '/tickets/closeAll', of, { 'x-command-id': id })
  await half(id)
  expect((await app.as('admin')('POST', '/tickets/closeAll', of, { 'x-command-id': id })).body).toEqual({
    ...all.body,
    count: waiting.length,
  })
  const undo = () => app.as('admin')('POST', '/tickets/closeAll/undo', { batch: all.body.batch }, { 'x-command-id': back })
  expect((await undo()).body).toEqual({ count: waiting.length })
  await half(back)
  expect((await undo()).body).toEqual({ count: waiting.length })
})
it('deletes once', async () => {
  const { id } = await scene.served()
  const headers = { 'x-command-id': crypto.randomUUID() }
  const remove = () => app.as('admin')('DELETE', `/tickets/${id}`, undefined, headers)
  expect([(await remove()).status, (await remove()).status]).toEqual([204, 204])
  expect((await app.as('admin')('DELETE', `/tickets/${id}`)).status).toBe(404)
})

/** Writing calls whose repetition is not told by the answers that are kept, and why. */
const otherwise: Record<string, string> = {
  'POST /auth/login': 'each makes a session and ends the one before',
  'POST /auth/refresh_token': 'a secret that was used counts for ten seconds more (A-AUTH-03)',
  'DELETE /auth/logout': 'there is no session to end the second time',
  'POST /auth/password-link': 'only looks',
  'POST /auth/password': 'a link is good for once',
  'POST /auth/forgot-password': 'the newest link counts, and no more than a few are sent',
  'POST /auth/reset-password': 'a link is good for once',
  'POST /tickets/closeAll': 'the tickets it meant stand under its id, and how many they were',
  'POST /tickets/closeAll/undo': 'the tickets it meant stand under its id, and how many they were',
  'POST /tickets/listed/close': 'the tickets it meant stand under its id, and how many they were',
  'POST /tickets/listed/close-work': 'the work is called by its id',
  'POST /tickets/:id/seen': 'a mark that only goes forward',
  'POST /message/forward': 'its commands derive from its id, contact by contact',
  'POST /messages/:id/dismiss': 'what is put away stays put away',
  'POST /messages/:ticketId/print': 'a command of the ticket’s',
  'PUT /users/:id/away': 'one’s own, and set to the same again',
  'POST /users/:id/password-link': 'each makes a new link, and the one before leads nowhere',
  'POST /settings/mail/test': 'one more mail to oneself',
  'PUT /users/:id/language': 'one’s own, and set to the same again',
  'PUT /users/toggleChangeWidht/:userId': 'one’s own, and set to the same again',
  'POST /users/:id/media-upload': 'one’s own, and the same picture again',
  'DELETE /users/:id/media-upload': 'one’s own, and none again',
  'POST /works/:id/cancel': 'what was stopped stays stopped',
  'DELETE /works/:id': 'what was put away is not there any more',
  'POST /parked/:id/release': 'tried once more at the most',
  'POST /parked/:id/give-up': 'names the event, which is given up once',
  'POST /sandbox/:connectionId/inbound': 'the provider’s message id is taken once',
  'POST /whatsappsession/:id': 'a session that stands is not begun again',
  'PUT /whatsappsession/:id': 'asks for another code, and the newest one counts',
  'POST /whatsappsession/:id/code': 'asks for another code, and the newest one counts',
  'POST /whatsappsession/:id/register': 'a number that is registered stays so',
  'DELETE /whatsappsession/:id': 'what has ended stays ended',
  'POST /facebook': 'a page that is here already gets the newest token',
  'POST /messages/:id/check': 'only asks; what it finds is told once',
  'POST /facebook/login': 'one more way through the login, each good for once',
  'POST /facebook/pages': 'a way through the login is entered once',
  'POST /closedimported/:id': 'the work is called by its id',
  'POST /whatsapp-restart': 'what is begun again stands where it stood',
  'POST /sandbox/:connectionId/scan': 'a code is read once',
  'POST /sandbox/:connectionId/session': 'says how it stands',
  'POST /sandbox/:connectionId/marks': 'a mark that only goes forward',
  'POST /sandbox/:connectionId/faults': 'sets how many the next are',
  'POST /sandbox/clock': 'the id of whoever moved it last stands beside it',
}

describe('a plain list', async () => {
  const root = fileURLToPath(new URL('../../domain', import.meta.url))
  const contracts: Calls[] = []
  for (const file of globSync('*/contract.ts', { cwd: root }))
    for (const one of Object.values(await import(path.join(root, file)))) if (isCalls(one)) contracts.push(one)
  const marked = contracts.flatMap((calls) => Object.values(calls).filter((call) => call.idempotent))
  const nameOf = ({ method, path: at }: Call) => `${method} ${at}`
  const names = [...new Set(marked.map(nameOf))]

  it('has nothing that writes a row and is done twice: every call that writes is done once, or says why it need not be', () => {
    const writing = contracts.flatMap((calls) => Object.values(calls).filter(({ method }) => method !== 'GET'))
    const bare = writing.filter(({ idempotent, eventuallyConsistent }) => !idempotent && !eventuallyConsistent).map(nameOf) // a ticket's store knows its commands
    expect([...new Set(bare)].sort()).toEqual(Object.keys(otherwise).sort())
    for (const calls of contracts) // what is answered again is read as one reads the row
      for (const { idempotent, answer } of Object.values(calls)) if (idempotent && answer) expect(answer).toEqual(calls.find!.answer)
  })

  it.each(names)('%s is done once, answers as it did, and lends its id to nothing else', async (name) => {
    const { who = 'ana', path: at, body } = await lists[name]!.pass(scene)
    const [method = ''] = name.split(' ')
    const headers = { 'x-command-id': crypto.randomUUID() }
    const ask = () => app.as(who!)(method, at, body, headers)
    const kept = async () => [
      await app.db.selectFrom('audit').select('id').execute(),
      await app.db.selectFrom('securityEvent').select('id').where('kind', '=', 'settingChanged').execute(),
    ]
    const [first, atOnce] = await Promise.all([ask(), ask()])
    expect(first.status).toBeLessThan(300)
    expect([atOnce.status, atOnce.body]).toEqual([first.status, first.body])
    const before = await kept()
    const again = await ask()
    expect({ status: again.status, body: again.body }).toEqual({ status: first.status, body: first.body })
    expect(await kept()).toEqual(before)
    const other = await app.as(who!)('POST', '/tags', { name: 'Outra coisa', color: '#101010' }, headers)
    expect([other.status, other.body.error]).toEqual([409, 'ERR_COMMAND_REUSED'])
  })

  it('answers an edit with the row as it now is, and writes over nobody who came later', async () => {
    const { id } = await scene.tag()
    const headers = { 'x-command-id': crypto.randomUUID() }
    const edit = () => app.as('ana')('PUT', `/tags/${id}`, { name: 'De Ana', version: 1 }, headers)
    expect((await edit()).body).toMatchObject({ name: 'De Ana', version: 2 })
    await scene.made('bruno', 'PUT', `/tags/${id}`, { name: 'De Bruno', version: 2 })
    const late = await edit()
    expect([late.status, late.body.name, late.body.version]).toEqual([200, 'De Bruno', 3])
    expect((await app.as('ana')('POST', '/tags', { name: 'Mais uma', color: '#101010' }, headers)).body.error).toBe('ERR_COMMAND_REUSED')
    expect((await app.as('bruno')('POST', '/tags', { name: 'De outro', color: '#101010' }, headers)).status).toBe(200)
  })

  it.each([
    ['PUT /settings/:key', '/settings/requiredTag', (value: string) => ({ value })],
    ['PUT /companySettings', '/companySettings', (data: string) => ({ column: 'requiredTag', data })],
  ])('%s sets nothing over what somebody set later, whether it had anything to set or not', async (_, at, body) => {
    const set = (value: string, headers = {}) => app.as('admin')('PUT', at, body(value), headers)
    await set('disabled')
    for (const value of ['enabled', 'enabled']) {
      const headers = { 'x-command-id': crypto.randomUUID() }
      expect((await set(value, headers)).body).toEqual({ key: 'requiredTag', value })
      await set('disabled')
      const late = await set(value, headers)
      expect([late.status, late.body]).toEqual([200, { key: 'requiredTag', value: 'disabled' }])
      await set(value) // so that the next has nothing to set
    }
  })

  it('forgets what was answered a week ago', async () => {
    const ages = ['8 days', '6 days']
    for (const age of ages)
      await sql`insert into answered values (1, 1, ${age}, 'POST /tags', '', 1, now() - ${age}::interval)`.execute(app.db)
    await forgetAnswered(app)
    const left = await app.db.selectFrom('answered').select('commandId').where('commandId', 'in', ages).execute()
    expect(left).toEqual([{ commandId: '6 days' }])
  })
})

function isCalls(one: unknown): one is Calls {
  return (
    typeof one === 'object' &&
    one !== null &&
    Object.values(one).length > 0 &&
    Object.values(one).every((call) => call?.method && call.path)
  )
}
