import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { EventStoreDBClient } from '@eventstore/db-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureAccount, grantReadAll, parseNodesAndAccount } from '#app/event-store/esdb-account.ts'
import { command } from '#tests/support/command.ts'
import { eventStoreDouble } from '#tests/support/eventstore.ts'

const admin = { username: 'admin', password: 'of-the-admin' }

describe('the account of the event store', () => {
  const accounts = new Map<string, string>([[admin.username, admin.password]])
  let server: Server
  const node = () => ({ address: '127.0.0.1', port: (server.address() as AddressInfo).port, ca: null, isSecured: false })

  // answers as EventStoreDB 23.10 does for paths below /users
  async function answered(request: IncomingMessage): Promise<number> {
    const auth = Buffer.from((request.headers.authorization ?? '').slice(6), 'base64').toString()
    const [name = '', password = ''] = auth.split(':')
    let text = ''
    for await (const part of request) text += part
    const body = (text ? JSON.parse(text) : {}) as { loginName: string; password: string; newPassword: string }
    if (accounts.get(name) !== password) return 401
    if (request.method === 'GET' && request.url === '/users/$current') return 200
    if (name !== admin.username) return 401
    const [, whose] = /^\/users\/(\w+)\/command\/reset-password$/.exec(request.url ?? '') ?? []
    if (whose && accounts.has(whose)) {
      accounts.set(whose, body.newPassword)
      return 200
    }
    if (request.url !== '/users/' || request.method !== 'POST') return 404
    if (accounts.has(body.loginName)) return 409
    accounts.set(body.loginName, body.password)
    return 201
  }
  beforeAll(async () => {
    server = createServer((request, response) => void answered(request).then((status) => response.writeHead(status).end()))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => server.close())

  it('is created once, and its password follows the address', async () => {
    const account = { username: 'guiche', password: 'first' }
    expect(await ensureAccount(node(), account, admin)).toBe('made')
    expect(await ensureAccount(node(), account, admin)).toBe('same')
    expect(await ensureAccount(node(), { ...account, password: 'second' }, admin)).toBe('changed')
    expect(accounts.get('guiche')).toBe('second')
  })

  it('is never the admin’s, and needs the admin’s password', async () => {
    await expect(ensureAccount(node(), admin, admin)).rejects.toThrow(/^EVENTSTORE_URL: uses the administrator admin/)
    const guess = { ...admin, password: 'changeit' }
    await expect(ensureAccount(node(), { username: 'other', password: 'x' }, guess)).rejects.toThrow(/^EVENTSTORE_ADMIN_PASSWORD: /)
    expect(accounts.has('other')).toBe(false)
  })
})

it('the account may read $all besides the previous readers, and is added once', async () => {
  const double = await eventStoreDouble()
  const client = EventStoreDBClient.connectionString(double.url)
  try {
    expect(await grantReadAll(client, 'guiche', admin)).toBe('opened')
    expect(await grantReadAll(client, 'guiche', admin)).toBe('same')
    expect(await grantReadAll(client, 'auditor', admin)).toBe('opened')
    const { metadata } = await client.getStreamMetadata('$all', { credentials: admin })
    expect(metadata?.acl?.readRoles).toEqual(['$admins', 'guiche', 'auditor'])
  } finally {
    await client.dispose()
    double.kill()
  }
})

it('the account is read from an address of one node or three', () => {
  const { nodes, account } = parseNodesAndAccount('esdb://guiche:p%40ss@one:2113,two:2114?tls=false')
  expect(nodes.map(({ address, port, isSecured }) => [address, port, isSecured])).toEqual([
    ['one', 2113, false],
    ['two', 2114, false],
  ])
  expect(account).toEqual({ username: 'guiche', password: 'p@ss' })
})

it.each([
  ['without an address', {}, 'EVENTSTORE_URL: is missing'],
  ['without an account', { EVENTSTORE_URL: 'esdb://one:2113' }, 'EVENTSTORE_URL: has no account: esdb://name:password@host:2113'],
  ['without the admin’s password', { EVENTSTORE_URL: 'esdb://guiche:secret@one:2113' }, 'EVENTSTORE_ADMIN_PASSWORD: is missing'],
])('the command states in one line what it needs %s', async (_, env, line) => {
  expect(await command('commands/esdb-account.ts', [], env)).toEqual({ code: 2, out: '', err: `${line}\n` })
})
