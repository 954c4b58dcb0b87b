import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { generateApi } from 'swagger-typescript-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { modulesFor } from '#app/modules.ts'
import { errors } from '#domain/errors.ts'
import { emits } from '#domain/live/contract.ts'
import { password } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { openScene } from './scene.ts'

/* The description in /docs/json is enough to generate a working client. */
const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
let app: TestApp
let document: any
let folder: string
beforeAll(async () => {
  app = await startTestApp()
  document = (await app.stranger('GET', '/docs/json')).body
  folder = await mkdtemp(path.join(root, 'node_modules', '.client-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await app.stop()
})

type Operation = Record<string, any>
const operations = (): [string, Operation][] =>
  Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(([at, of]) =>
    Object.entries(of).map(([method, call]): [string, Operation] => [`${method.toUpperCase()} ${at}`, call]),
  )
const those = (wrong: (call: Operation, name: string) => boolean) =>
  operations()
    .filter(([name, call]) => wrong(call, name))
    .map(([name]) => name)

describe('the documented socket', () => {
  it('lists every channel and every emit by name', () => {
    const named = document.info.description as string
    const names = [
      ...modulesFor(app.ctx.config).flatMap(({ topics }) => topics?.(app.ctx).map(({ topic }) => topic.name) ?? []),
      ...emits,
      'auth',
      'live',
      'updateUnread',
      'refresh',
      'unknown',
    ]
    expect(names.filter((name) => !new RegExp(`[\`"]${name}[\`"]`).test(named))).toEqual([])
  })
})

describe('each documented call', () => {
  it('has a unique operation id and a summary', () => {
    expect(those(({ operationId, summary }) => !/^[a-z]\w+\.[a-z]\w+$/i.test(operationId) || !/^[A-Z].*\.$/.test(summary))).toEqual([])
    const names = operations().map(([, { operationId }]) => operationId)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining(['tickets.list', 'messages.send', 'ticketLogs.list', 'auth.login']))
  })
  it('requires a bearer token unless it is public', () => {
    expect([document.security, document.components.securitySchemes.bearer]).toMatchObject([
      [{ bearer: [] }],
      { type: 'http', scheme: 'bearer' },
    ])
    expect(those(({ security }) => security !== undefined).sort()).toEqual(
      [
        ...['DELETE /api/auth/logout', 'GET /api/version', 'POST /api/auth/login', 'POST /api/auth/refresh_token'],
        ...['POST /api/auth/password', 'POST /api/auth/password-link', 'POST /api/auth/forgot-password', 'POST /api/auth/reset-password'],
        ...['GET /api/public-settings/{key}', 'GET /api/settings/userCreation'],
      ].sort(),
    )
  })
  it('lists its statuses, and all refusals share one shape', () => {
    const stored = { $ref: '#/components/schemas/Stored' }
    const late = ({ responses }: Operation) =>
      JSON.stringify(responses[202]?.content?.['application/json'].schema) === JSON.stringify(stored)
    const good = ({ responses }: Operation) => Object.keys(responses).filter((status) => status.startsWith('2'))
    expect(those((call) => good(call).length !== (late(call) ? 2 : 1))).toEqual([])
    expect(those(late)).toEqual(
      expect.arrayContaining(['PUT /api/tickets/{id}', 'DELETE /api/tickets/{id}', 'POST /api/messages/{ticketId}']),
    )
    for (const [name, { responses, parameters = [], requestBody, security }] of operations()) {
      const refusals = Object.keys(responses).filter((status) => !status.startsWith('2'))
      const wanted = ['429', ...(security ? [] : ['402', '403']), ...(requestBody ? ['400', '413', '415'] : [])]
      if (parameters.some((one: any) => one.in === 'path')) wanted.push('400', '404')
      expect({ name, refusals }).toEqual({ name, refusals: expect.arrayContaining(wanted) })
      for (const status of refusals)
        expect(responses[status].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Error' })
    }
    const { properties, required } = document.components.schemas.Error
    expect(required).toEqual(['error', 'message'])
    expect(new Set(properties.error.enum)).toEqual(new Set(Object.keys(errors).map((code) => code.split('/')[0])))
  })
  it('takes a command id exactly if it writes', () => {
    const named = ({ parameters = [] }: Operation) => parameters.some((one: any) => one.in === 'header' && one.name === 'x-command-id')
    expect(those((call, name) => named(call) === name.startsWith('GET '))).toEqual([])
  })
})

describe('documented schemas', () => {
  it('have no defaults in bodies that change something', () => {
    const filled = operations().flatMap(([name, { requestBody }]) => {
      const schema = requestBody?.content?.['application/json']?.schema
      const shape = schema?.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema
      const given: string[] = shape?.required ?? []
      return Object.entries<any>(shape?.properties ?? {})
        .filter(([field, { default: filler }]) => name.startsWith('PUT ') && filler !== undefined && !given.includes(field))
        .map(([field]) => `${name} ${field}`)
    })
    expect(filled).toEqual([])
  })
  it('are named and referenced for rows, bodies and answers', () => {
    const names = Object.keys(document.components.schemas)
    expect(names).toEqual(
      expect.arrayContaining(['Ticket', 'TicketContact', 'Message', 'Contact', 'Tag', 'TagBody', 'MessagesSendBody', 'Me']),
    )
    expect(names.filter((name) => /^def-|\d$/.test(name))).toEqual([])
    const list = document.paths['/api/tickets'].get.responses[200].content['application/json'].schema
    expect(list).toEqual({ $ref: '#/components/schemas/TicketsListAnswer' })
    expect(document.components.schemas.TicketsListAnswer.properties.tickets.items).toEqual({ $ref: '#/components/schemas/Ticket' })
    expect(document.components.schemas.Ticket.properties.contact).toEqual({ $ref: '#/components/schemas/TicketContact' })
    const bare = those(({ requestBody }) => requestBody && !requestBody.content['application/json'].schema.$ref)
    expect(bare).toEqual([])
  })
  it('contain no broken reference', () => {
    const pointed = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name!)
    expect(pointed.filter((name) => !(name in document.components.schemas))).toEqual([])
  })
  it('describe query lists as arrays; one value, repeated values and JSON text are accepted', async () => {
    const { parameters } = document.paths['/api/tickets'].get
    const tags = parameters.find(({ name }: { name: string }) => name === 'tags')
    expect(tags).toMatchObject({ in: 'query', explode: true, schema: { type: 'array', items: { type: 'integer' } } })
    const scene = await openScene(app)
    const { vendas, suporte } = scene.queues
    await scene.waiting()
    const found = async (query: string) => {
      const { status, body } = await app.as('admin')('GET', `/tickets?showAll=true&status=pending&${query}`)
      return [status, body.tickets?.length ?? body.error]
    }
    for (const query of [`queueIds=${vendas}`, `queueIds=${vendas}&queueIds=${suporte}`, `queueIds=[${vendas},${suporte}]`])
      expect([query, ...(await found(query))]).toEqual([query, 200, expect.toSatisfy((n: number) => n > 0, 'some')])
    expect(await found('statusFilter=open&statusFilter=closed')).toEqual([200, expect.any(Number)])
    for (const query of ['tags=1&tags=x', 'tags=01', 'tags=1&tags=[2]', 'statusFilter=open&statusFilter=gone', 'tags=x'])
      expect([query, ...(await found(query))]).toEqual([query, 400, 'ERR_INVALID_INPUT'])
  })
})

it('the description names the socket’s transport and its additional channels (A-RT-05)', () => {
  for (const word of [
    '/api/live',
    'guiche.v1',
    'bearer.<token>',
    '{ emit, data }',
    'unknown',
    'joinTickets',
    'ticketNote',
    'ticketHistory',
  ])
    expect(document.info.description).toContain(word)
})

it('a generated client compiles unchanged and lists tickets without a cast', async () => {
  await generateApi({ spec: document, output: folder, fileName: 'client.ts', httpClientType: 'fetch', silent: true })
  await writeFile(
    path.join(folder, 'list.ts'),
    `import { Api } from './client.ts'
export async function names(baseUrl: string, email: string, password: string, connection: number): Promise<string[]> {
  const { data } = await new Api({ baseUrl }).api.authLogin({ email, password })
  const api = new Api({ baseUrl, baseApiParams: { headers: { authorization: \`Bearer \${data.token}\` } } }).api
  const list = await api.ticketsList({ status: 'pending', showAll: true, whatsapps: [connection] })
  const rows: { id: number; contact: { name: string }; queueId: number | null }[] = list.data.tickets
  return rows.map(({ contact }) => contact.name)
}
`,
  )
  const options = { strict: true, noEmit: true, target: 'ES2024', module: 'NodeNext', lib: ['ES2024', 'DOM', 'DOM.Iterable'], types: [] }
  const compilerOptions = { ...options, allowImportingTsExtensions: true, skipLibCheck: false }
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['client.ts', 'list.ts'] }))
  const compiled = await run(path.join(root, 'node_modules', '.bin', 'tsc'), ['-p', folder]).catch((error) => error)
  expect(compiled.stdout).toBe('')
  await app.phone.says('5511955554444', 'olá')
  await app.settled()
  const { names } = await import(/* @vite-ignore */ pathToFileURL(path.join(folder, 'list.ts')).href)
  expect(await names(app.url, 'admin@casa.test', password, app.company.connections.balcao)).toContain('Cliente 4444')
})
