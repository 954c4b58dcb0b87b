import { globSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forgetAnswered } from '#app/http/once.ts'
import type { Call, Calls } from '#domain/contract.ts'
import { startHouse, type TestHouse } from '#tests/kit/server.ts'
import { openScene, type Scene } from './scene.ts'
import { lists } from './table-lists.ts'

/* The same call asked again with its command id, after an answer that was lost: it answers what the first one answered. */
let house: TestHouse
let scene: Scene
beforeAll(async () => {
  house = await startHouse()
  scene = await openScene(house)
}, 30_000)
afterAll(() => house?.stop(), 30_000)

const again = async (method: string, path: string, body?: object) => {
  const headers = { 'x-command-id': crypto.randomUUID() }
  return [await house.as('ana')(method, path, body, headers), await house.as('ana')(method, path, body, headers)]
}

it('opens one ticket and answers with it, whatever became of it since', async () => {
  const headers = { 'x-command-id': crypto.randomUUID() }
  const asked = { contactId: (await scene.contact()).id, queueId: scene.queues.vendas }
  const open = () => house.as('ana')('POST', '/tickets', asked, headers)
  const first = await open()
  expect(first.status).toBe(200)
  const [again, another] = await Promise.all([open(), house.as('ana')('POST', '/tickets', asked)])
  expect([again.status, again.body.uuid, again.body.status]).toEqual([200, first.body.uuid, 'open'])
  expect([another.status, another.body.error]).toEqual([409, 'ERR_OTHER_OPEN_TICKET'])
  await scene.made('ana', 'PUT', `/tickets/${first.body.id}`, { status: 'closed' })
  await house.settled() // its place is free
  const late = await open()
  expect([late.status, late.body.uuid, late.body.status]).toEqual([200, first.body.uuid, 'closed'])
  const all = await house.db.selectFrom('ticket').select('id').where('contactId', '=', asked.contactId).execute()
  expect(all).toEqual([{ id: first.body.id }])
  expect((await house.as('bruno')('POST', '/tickets', asked, headers)).body.uuid).not.toBe(first.body.uuid) // another's act
})
it('says so where other words come under the id of a message or a note, and loses neither silently', async () => {
  const { id } = await scene.served()
  for (const [path, words] of [
    [`/messages/${id}`, (body: string) => ({ body })],
    ['/ticket-notes', (note: string) => ({ note, ticketId: id })],
  ] as const) {
    const headers = { 'x-command-id': crypto.randomUUID() }
    const first = await house.as('ana')('POST', path, words('um texto'), headers)
    expect([first.status, (await house.as('ana')('POST', path, words('um texto'), headers)).body]).toEqual([200, first.body])
    const other = await house.as('ana')('POST', path, words('outro texto'), headers)
    expect([other.status, other.body.error]).toEqual([409, 'ERR_COMMAND_REUSED'])
  }
})
it('takes no id that it would not know again', async () => {
  const { id } = await scene.served()
  for (const given of ['abc', "'; drop table", 'a'.repeat(5000)]) {
    const { status, body } = await house.as('ana')('POST', `/messages/${id}`, { body: 'oi' }, { 'x-command-id': given })
    expect([status, body.error, body.field]).toEqual([400, 'ERR_INVALID_INPUT', 'x-command-id'])
  }
})
it('opens one ticket when both come at once', async () => {
  const headers = { 'x-command-id': crypto.randomUUID() }
  const asked = { contactId: (await scene.contact()).id, queueId: scene.queues.vendas }
  const both = await Promise.all([0, 1].map(() => house.as('ana')('POST', '/tickets', asked, headers)))
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(both[0]!.body.id).toBe(both[1]!.body.id)
})
it('answers a transfer with the same ticket, also where it left the sight of who gave it, and one that closes with its successor', async () => {
  const to = { isTransfered: true, queueId: scene.queues.suporte, userId: scene.users.carla }
  const given = await scene.served()
  const [one, two] = await again('PUT', `/tickets/${given.id}`, to)
  expect([one!.status, two!.status, two!.body.id, two!.body.user.name]).toEqual([200, 200, given.id, 'carla'])
  expect((await house.as('ana')('PUT', `/tickets/${given.id}`, to)).status).toBe(404)
  await house.set('closeTicketOnTransfer', 'true')
  const closed = await scene.served()
  const [first, second] = await again('PUT', `/tickets/${closed.id}`, to)
  await house.set('closeTicketOnTransfer', 'false')
  expect([first!.status, second!.status, second!.body.uuid]).toEqual([200, 200, first!.body.uuid])
  expect(first!.body.id).not.toBe(closed.id)
  const all = await house.db.selectFrom('ticket').select('id').where('contactId', '=', closed.contactId).execute()
  expect(all).toHaveLength(2)
})
it('deletes once', async () => {
  const { id } = await scene.served()
  const headers = { 'x-command-id': crypto.randomUUID() }
  const remove = () => house.as('admin')('DELETE', `/tickets/${id}`, undefined, headers)
  expect([(await remove()).status, (await remove()).status]).toEqual([204, 204])
  expect((await house.as('admin')('DELETE', `/tickets/${id}`)).status).toBe(404)
})

describe('a plain list', async () => {
  const root = fileURLToPath(new URL('../../domain', import.meta.url))
  const contracts: Calls[] = []
  for (const file of globSync('*/contract.ts', { cwd: root }))
    for (const one of Object.values(await import(path.join(root, file)))) if (isCalls(one)) contracts.push(one)
  const marked = contracts.flatMap((calls) => Object.values(calls).filter((call) => call.once))
  const nameOf = ({ method, path: at }: Call) => `${method} ${at}`
  const names = [...new Set(marked.map(nameOf))]

  it('has nothing that writes a row and is done twice', () => {
    const rows = contracts.filter(({ find, create }) => find && create && !create.follows)
    const twice = rows.flatMap(({ find, ...calls }) =>
      Object.values(calls).filter(({ method, answer, once }) => method !== 'GET' && (!answer || answer === find!.answer) && !once),
    )
    expect(twice.map(nameOf)).toEqual([])
    expect(names.length).toBeGreaterThan(13)
    for (const calls of contracts) // what is answered again is read as one reads the row
      for (const { once, answer } of Object.values(calls)) if (once && answer) expect(answer).toEqual(calls.find!.answer)
  })

  it.each(names)('%s is done once, answers as it did, and lends its id to nothing else', async (name) => {
    const { who = 'ana', path: at, body } = await lists[name]!.pass(scene)
    const [method = ''] = name.split(' ')
    const headers = { 'x-command-id': crypto.randomUUID() }
    const ask = () => house.as(who!)(method, at, body, headers)
    const kept = () => house.db.selectFrom('audit').select('id').execute()
    const [first, atOnce] = await Promise.all([ask(), ask()])
    expect(first.status).toBeLessThan(300)
    expect([atOnce.status, atOnce.body]).toEqual([first.status, first.body])
    const before = await kept()
    const again = await ask()
    expect({ status: again.status, body: again.body }).toEqual({ status: first.status, body: first.body })
    expect(await kept()).toEqual(before)
    const other = await house.as(who!)('POST', '/tags', { name: 'Outra coisa', color: '#101010' }, headers)
    expect([other.status, other.body.error]).toEqual([409, 'ERR_COMMAND_REUSED'])
  })

  it('answers an edit with the row as it now is, and writes over nobody who came later', async () => {
    const { id } = await scene.tag()
    const headers = { 'x-command-id': crypto.randomUUID() }
    const edit = () => house.as('ana')('PUT', `/tags/${id}`, { name: 'De Ana', version: 1 }, headers)
    expect((await edit()).body).toMatchObject({ name: 'De Ana', version: 2 })
    await scene.made('bruno', 'PUT', `/tags/${id}`, { name: 'De Bruno', version: 2 })
    const late = await edit()
    expect([late.status, late.body.name, late.body.version]).toEqual([200, 'De Bruno', 3])
    expect((await house.as('ana')('POST', '/tags', { name: 'Mais uma', color: '#101010' }, headers)).body.error).toBe('ERR_COMMAND_REUSED')
    expect((await house.as('bruno')('POST', '/tags', { name: 'De outro', color: '#101010' }, headers)).status).toBe(200)
  })

  it('forgets what was answered a week ago', async () => {
    const ages = ['8 days', '6 days']
    for (const age of ages)
      await sql`insert into answered values (1, 1, ${age}, 'POST /tags', '', 1, now() - ${age}::interval)`.execute(house.db)
    await forgetAnswered(house)
    const left = await house.db.selectFrom('answered').select('commandId').where('commandId', 'in', ages).execute()
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
