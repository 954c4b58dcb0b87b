import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { table } from '#tests/calls/table.ts'
import { lists } from '#tests/calls/table-lists.ts'
import { said } from '#tests/calls/table-messages.ts'
import { startHouse, type TestHouse } from '#tests/kit/server.ts'

/* The calls that the specification names and this product serves today, as it writes them. */
const named = [
  ...['POST /auth/login', 'POST /auth/refresh_token', 'DELETE /auth/logout', 'GET /auth/me', 'GET /version'],
  ...['GET /tickets', 'GET /tickets/u/{uuid}', 'POST /tickets', 'PUT /tickets/{id}', 'DELETE /tickets/{id}', 'POST /tickets/closeAll'],
  ...['GET /tickets-log/{ticketId}', 'GET /ticket-notes/list', 'POST /ticket-notes', 'DELETE /ticket-notes/{id}'],
  ...['GET /messages/{ticketId}', 'POST /messages/{ticketId}', 'POST /messages/edit/{id}', 'PUT /messages/{id}', 'DELETE /messages/{id}'],
  ...['POST /messages/{id}/reactions', 'POST /message/forward'],
  ...['GET /contacts', 'GET /contacts/{id}', 'POST /contacts', 'PUT /contacts/{id}', 'GET /contactTags/{contactId}', 'POST /tags/sync'],
  ...['GET /queue', 'GET /queue/{id}', 'POST /queue', 'PUT /queue/{id}', 'DELETE /queue/{id}'],
  ...['GET /tags', 'GET /tags/list', 'GET /tags/{id}', 'POST /tags', 'PUT /tags/{id}', 'DELETE /tags/{id}', 'GET /tag/kanban'],
  'DELETE /tags-contacts/{tagId}/{contactId}',
  ...['GET /quick-messages', 'GET /quick-messages/list', 'GET /quick-messages/{id}', 'POST /quick-messages', 'PUT /quick-messages/{id}'],
  ...['DELETE /quick-messages/{id}', 'GET /users', 'GET /users/list', 'PUT /users/{id}/language', 'PUT /users/toggleChangeWidht/{userId}'],
  ...['GET /settings', 'PUT /settings/{key}', 'GET /setting/{key}', 'GET /companySettings/{companyId}', 'GET /companySettingOne'],
  ...['PUT /companySettings', 'GET /settings/userCreation', 'GET /public-settings/{key}', 'GET /whatsapp'],
]

let house: TestHouse
let paths: Record<string, Record<string, { responses?: object; security?: unknown }>>
const mounted = () =>
  Object.entries(paths).flatMap(([path, of]) => Object.keys(of).map((method) => `${method.toUpperCase()} ${path.replace('/api', '')}`))
beforeAll(async () => {
  house = await startHouse()
  paths = (await house.stranger('GET', '/docs/json')).body.paths
}, 30_000)
afterAll(() => house.stop(), 30_000)

describe('the published calls', () => {
  it('are all described at /docs/json', () => expect(named.filter((call) => !mounted().includes(call))).toEqual([]))
  it('are below /api (A-ROUTE-00)', () => expect(Object.keys(paths).filter((path) => !path.startsWith('/api/'))).toEqual([]))
  it('are each held by a test: a call without a line in tests/calls does not pass', () => {
    const held = Object.keys({ ...table, ...lists, ...said }).map((call) => call.replace(/:(\w+)/g, '{$1}'))
    expect(held.sort()).toEqual(mounted().sort())
  })
  it('say what they answer', () => {
    const silent = ['DELETE ', 'PUT /users/', 'POST /sandbox/']
    const empty = mounted().filter((call) => {
      const [method, path] = call.split(' ') as [string, string]
      return !Object.keys(paths[`/api${path}`]![method.toLowerCase()]!.responses ?? {}).some((status) => status.startsWith('2'))
    })
    expect(empty.filter((call) => !silent.some((start) => call.startsWith(start)))).toEqual([])
  })
})
