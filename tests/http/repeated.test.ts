import { globSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteOldCommandIds } from '#app/http/idempotency.ts'
import type { Call, Calls } from '#domain/contract.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { openScene, type Scene } from './scene.ts'
import { lists } from './table-lists.ts'

/* A call repeated with its command id after a lost response returns the first response. */
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

it('a repeated opening returns the first ticket, whatever happened to it since', async () => {
  const headers = { 'x-command-id': crypto.randomUUID() }
  const asked = { contactId: (await scene.contact()).id, queueId: scene.queues.vendas }
  const open = () => app.as('ana')('POST', '/tickets', asked, headers)
  const first = await open()
  expect(first.status).toBe(200)
  const [again, another] = await Promise.all([open(), app.as('ana')('POST', '/tickets', asked)])
  expect([again.status, again.body.uuid, again.body.status]).toEqual([200, first.body.uuid, 'open'])
  expect([another.status, another.body.error]).toEqual([409, 'ERR_OTHER_OPEN_TICKET'])
  await scene.made('ana', 'PUT', `/tickets/${first.body.id}`, { status: 'closed' })
  await app.settled() // the contact has no open ticket
  const late = await open()
  expect([late.status, late.body.uuid, late.body.status]).toEqual([200, first.body.uuid, 'closed'])
  const all = await app.db.selectFrom('ticket').select('id').where('contactId', '=', asked.contactId).execute()
  expect(all).toEqual([{ id: first.body.id }])
  expect((await app.as('bruno')('POST', '/tickets', asked, headers)).body.uuid).not.toBe(first.body.uuid) // another user's command
})
it('refuses another text under the command id of a message or a note', async () => {
  const { id } = await scene.served()
  for (const [path, words] of [
    [`/messages/${id}`, (body: string) => ({ body })],
    ['/ticket-notes', (note: string) => ({ note, ticketId: id })],
  ] as const) {
    const headers = { 'x-command-id': crypto.randomUUID() }
    const first = await app.as('ana')('POST', path, words('um texto'), headers)
    const second = await app.as('ana')('POST', path, words('um texto'), headers)
    const said = ({ body }: typeof first) => JSON.stringify(body).replace(/"ack":\d/g, '') // the message may have been sent in between
    expect([first.status, said(second)]).toEqual([200, said(first)])
    const other = await app.as('ana')('POST', path, words('outro texto'), headers)
    expect([other.status, other.body.error]).toEqual([409, 'ERR_COMMAND_REUSED'])
  }
})
it('refuses a malformed command id', async () => {
  const { id } = await scene.served()
  for (const given of ['abc', "'; drop table", 'a'.repeat(5000)]) {
    const { status, body } = await app.as('ana')('POST', `/messages/${id}`, { body: 'oi' }, { 'x-command-id': given })
    expect([status, body.error, body.field]).toEqual([400, 'ERR_INVALID_INPUT', 'x-command-id'])
  }
})
it('opens one ticket for two simultaneous calls', async () => {
  const headers = { 'x-command-id': crypto.randomUUID() }
  const asked = { contactId: (await scene.contact()).id, queueId: scene.queues.vendas }
  const both = await Promise.all([0, 1].map(() => app.as('ana')('POST', '/tickets', asked, headers)))
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(both[0]!.body.id).toBe(both[1]!.body.id)
})
it('a repeated transfer returns the same ticket, also an invisible one or a successor', async () => {
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
] as const)('%s and its undo keep their first tickets and count', async (path, of) => {
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
it('an interrupted close-all and its undo resume with their tickets and count all of them', async () => {
  const of = { status: 'pending', selectedQueueIds: [scene.queues.vendas] }
  expect((await app.as('admin')('POST', '/tickets/closeAll', of)).status).toBe(200) // no ticket is waiting now
  const [id, back] = [crypto.randomUUID(), crypto.randomUUID()]
  const waiting = [await scene.waiting(), await scene.waiting(), await scene.waiting()]
  const half = (commandId: string) => app.db.updateTable('idempotencyKey').set({ count: null }).where('commandId', '=', commandId).execute() // as it is before the last ticket
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
it('a repeated deletion deletes once', async () => {
  const { id } = await scene.served()
  const headers = { 'x-command-id': crypto.randomUUID() }
  const remove = () => app.as('admin')('DELETE', `/tickets/${id}`, undefined, headers)
  expect([(await remove()).status, (await remove()).status]).toEqual([204, 204])
  expect((await app.as('admin')('DELETE', `/tickets/${id}`)).status).toBe(404)
})

/** Writing calls that do not store their response for repetitions, with the reason. */
const otherwise: Record<string, string> = {
  'POST /auth/login': 'each call creates a session and ends the previous one',
  'POST /auth/refresh_token': 'a used secret stays valid for ten seconds (A-AUTH-03)',
  'DELETE /auth/logout': 'the second call finds no session to end',
  'DELETE /auth/sign-ins': 'the second call finds no other session to end',
  'POST /auth/password-link': 'only reads',
  'POST /auth/password': 'a link works once',
  'POST /auth/forgot-password': 'the newest link is valid, and their number is limited',
  'POST /auth/reset-password': 'a link works once',
  'POST /tickets/closeAll': 'its tickets and their number are stored under its id',
  'POST /tickets/closeAll/undo': 'its tickets and their number are stored under its id',
  'POST /tickets/listed/close': 'its tickets and their number are stored under its id',
  'POST /tickets/listed/close-work': "the bulk operation has the command's id",
  'POST /tickets/:id/seen': 'a read position that only advances',
  'POST /message/forward': 'its commands derive from its id, contact by contact',
  'POST /messages/:id/dismiss': 'a dismissed message stays dismissed',
  'POST /messages/:ticketId/print': 'a command of the ticket',
  'PUT /users/:id/away': "sets the user's own value again",
  'POST /ticketreport/filters/:id/mail/test': 'each call sends a test mail',
  'POST /users/:id/password-link': 'each call creates a new link and invalidates the previous one',
  'POST /settings/mail/test': 'one more mail to the caller',
  'PUT /queue/order': 'sets the same order again',
  'PUT /tag/kanban/order': 'sets the same order again',
  'PUT /users/:id/notifications': "sets the user's own value again",
  'PUT /users/:id/language': "sets the user's own value again",
  'PUT /users/toggleChangeWidht/:userId': "sets the user's own value again",
  'POST /users/:id/media-upload': "stores the user's own picture again",
  'DELETE /users/:id/media-upload': "removes the user's own picture again",
  'POST /works/:id/cancel': 'a stopped operation stays stopped',
  'DELETE /works/:id': 'a removed operation is gone',
  'POST /parked/:id/release': 'at most one more retry',
  'POST /parked/:id/give-up': 'names the event, which is discarded once',
  'POST /sandbox/:connectionId/inbound': 'the provider’s message id is journaled once',
  'POST /whatsappsession/:id': 'a running session is not started again',
  'PUT /whatsappsession/:id': 'requests another code, and the newest one is valid',
  'POST /whatsappsession/:id/code': 'requests another code, and the newest one is valid',
  'POST /whatsappsession/:id/register': 'a registered number stays registered',
  'DELETE /whatsappsession/:id': 'an ended session stays ended',
  'POST /facebook': 'a connected page only gets the newest token',
  'POST /messages/:id/check': 'only asks, and its result is recorded once',
  'POST /facebook/login': 'one more login, each of which works once',
  'POST /facebook/pages': 'a login works once',
  'POST /closedimported/:id': "the bulk operation has the command's id",
  'POST /uploads': 'a part that arrived already changes nothing',
  'POST /contacts/upload': "replaces the user's own table that waits",
  'PUT /contacts/upload/:id': 'sets the same fields and checks the rows again',
  'PUT /contacts/upload/:id/rows': 'sets whether the same rows are left out',
  'POST /contacts/upload/:id/begin': "the bulk operation has the command's id",
  'POST /contacts/import': "the bulk operation has the command's id",
  'POST /contacts/import/chats': "the bulk operation has the command's id",
  'POST /contacts/:id/erasure': 'a person is erased once',
  'POST /contacts/:id/export': 'answers the export that runs, or makes one more',
  'POST /whatsapp-restart': 'a restarted session has the same state',
  'POST /sandbox/:connectionId/scan': 'a code is scanned once',
  'POST /sandbox/:connectionId/people': 'stores the same people once',
  'POST /sandbox/:connectionId/session': 'sets the connection state',
  'POST /sandbox/:connectionId/marks': 'a receipt that only advances',
  'POST /sandbox/:connectionId/faults': 'sets the number of the next faults',
  'POST /sandbox/clock': 'the id of the last advance is stored with it',
}

describe('a call of a plain list', async () => {
  const root = fileURLToPath(new URL('../../domain', import.meta.url))
  const contracts: Calls[] = []
  for (const file of globSync('*/contract.ts', { cwd: root }))
    for (const one of Object.values(await import(path.join(root, file)))) if (isCalls(one)) contracts.push(one)
  const marked = contracts.flatMap((calls) => Object.values(calls).filter((call) => call.idempotent))
  const nameOf = ({ method, path: at }: Call) => `${method} ${at}`
  const names = [...new Set(marked.map(nameOf))]

  it('is idempotent if it writes, or is listed with the reason', () => {
    const writing = contracts.flatMap((calls) => Object.values(calls).filter(({ method }) => method !== 'GET'))
    const bare = writing.filter(({ idempotent, eventuallyConsistent }) => !idempotent && !eventuallyConsistent).map(nameOf) // the aggregate repository detects a ticket's duplicate commands
    expect([...new Set(bare)].sort()).toEqual(Object.keys(otherwise).sort())
    for (const calls of contracts) // a repeated call returns the row in the shape that reading it has
      for (const { idempotent, answer } of Object.values(calls)) if (idempotent && answer) expect(answer).toEqual(calls.find!.answer)
  })

  it.each(names)('%s runs once, repeats its answer, and its id serves no other call', async (name) => {
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

  it('returns the current row for a repeated edit and overwrites no later edit', async () => {
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
  ])('%s, repeated, does not overwrite a later value', async (_, at, body) => {
    const set = (value: string, headers = {}) => app.as('admin')('PUT', at, body(value), headers)
    await set('disabled')
    for (const value of ['enabled', 'enabled']) {
      const headers = { 'x-command-id': crypto.randomUUID() }
      expect((await set(value, headers)).body).toEqual({ key: 'requiredTag', value })
      await set('disabled')
      const late = await set(value, headers)
      expect([late.status, late.body]).toEqual([200, { key: 'requiredTag', value: 'disabled' }])
      await set(value) // the next call has nothing to change
    }
  })

  it('forgets stored responses after a week', async () => {
    const ages = ['8 days', '6 days']
    for (const age of ages)
      await sql`insert into idempotency_key values (1, 1, ${age}, 'POST /tags', '', 1, now() - ${age}::interval)`.execute(app.db)
    await deleteOldCommandIds(app)
    const left = await app.db.selectFrom('idempotencyKey').select('commandId').where('commandId', 'in', ages).execute()
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
