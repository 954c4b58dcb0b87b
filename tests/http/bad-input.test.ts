import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errors } from '#domain/errors.ts'
import { type Answer, startTestApp, type TestApp } from '#tests/support/server.ts'
import { at, type Described, described, nowhere, sample } from './described.ts'

/* Any input from a client ends in a refusal from the catalogue. It causes no server error and changes nothing. */
let app: TestApp
let calls: Described[]
beforeAll(async () => {
  app = await startTestApp()
  calls = (await described(app)).filter(({ path }) => path !== '/api/auth/logout') // it would end the session of the test
})
afterAll(() => app.stop())

const codes = new Set(Object.keys(errors).map((code) => code.split('/')[0]))
const refused = ({ status, body }: Answer) => status >= 400 && status < 500 && codes.has(body?.error)
type Asked = { call: Described; path: string; body?: string; headers?: Record<string, string> }
/** Sends every call, and returns those that were not refused. */
async function passing(all: Asked[]): Promise<string[]> {
  const admin = app.as('admin')
  const wrong: string[] = []
  const next = all.values()
  const work = async () => {
    for (const { call, path, body, headers } of next) {
      const open = /\/auth\/(login|refresh)/.test(path)
      const answer = await (open ? app.stranger : admin)(call.method, path, body, {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      })
      if (!refused(answer))
        wrong.push(
          `${call.method} ${path.slice(0, 60)} ${body?.slice(0, 80) ?? ''} → ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 120)}`,
        )
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return wrong
}
const withBody = () => calls.filter(({ body }) => body !== null)
const everyBody = (bodies: string[]): Asked[] =>
  withBody().flatMap((call) => bodies.map((body) => ({ call, path: at(call, nowhere(call)), body })))

describe('a request body', () => {
  it('is refused if it is not JSON', async () =>
    expect(await passing(everyBody(['', '{', '{"a":}', 'undefined', 'NaN', '[1', '"', '\u0000', "{'a':1}", '{"a":1}}', '﻿{']))).toEqual([]))
  it('is refused if it is not an object', async () =>
    expect(await passing(everyBody(['null', '[]', '"texto"', '1', 'true', '[{}]']))).toEqual([]))
  it('is refused if it sets a prototype', async () =>
    expect(
      await passing(
        everyBody(['{"__proto__":{"profile":"admin"}}', '{"constructor":{"prototype":{"profile":"admin"}}}', '{"a":{"__proto__":{}}}']),
      ),
    ).toEqual([]))
  it('is refused if it is nested too deeply', async () =>
    expect(await passing(everyBody([`${'['.repeat(20_000)}${']'.repeat(20_000)}`, `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`]))).toEqual(
      [],
    ))
  it('is refused with another content type', async () => {
    const kinds = [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'application/octet-stream',
      'nonsense',
      'application/json; charset=utf-7;;',
    ]
    const all = withBody().flatMap((call) =>
      kinds.slice(0, -1).map((kind) => ({
        call,
        path: at(call, nowhere(call)),
        body: JSON.stringify(sample(call.body!)),
        headers: { 'content-type': kind },
      })),
    )
    expect(await passing(all)).toEqual([])
  })
  it('is refused above the size limit', async () => {
    const call = withBody().find(({ path }) => path === '/api/quick-messages')!
    expect(await passing([{ call, path: call.path, body: JSON.stringify({ shortcode: 'a', message: 'x'.repeat(4_000_000) }) }])).toEqual([])
  })
})

describe('a body field', () => {
  /*
   * Tries each field of each body while the other fields are valid. The address names nothing, so every call is
   * refused.
   */
  const poison = [
    '1e999',
    '-1',
    '2147483648',
    '1.5',
    '"undefined"',
    '"\\u0000"',
    '"\\ud800"',
    '"a\\udfffb"',
    '{}',
    '[[]]',
    '{"a":{"b":[1]}}',
    'true',
    'null',
    JSON.stringify('x'.repeat(100_000)),
  ]
  it('is refused with a value of the wrong type', async () => {
    const all = withBody().flatMap((call) =>
      Object.keys(call.body!.properties ?? {}).flatMap((field) => {
        const rest = JSON.stringify({ ...(sample(call.body!) as object), [field]: '@' })
        return poison.map((value) => ({ call, path: at(call, nowhere(call)), body: rest.replace('"@"', value) }))
      }),
    )
    expect(all.length).toBeGreaterThan(700)
    const creates = /^POST \/api\/(tags|contacts|quick-messages|files|queue|users|ticketreport\/filters|tickets\/listed\/close(-work)?) /
    /*
     * A call that creates may accept a null, a boolean or a number where the field allows it, and must store its
     * meaning.
     */
    const taken = (await passing(all)).filter((line) => !(creates.test(line) && / → 20[02] /.test(line)))
    expect(taken).toEqual([])
    const { rows } = await app.ctx.pool.query(
      `select name as text from tag union all select name from contact union all select shortcode from quick_message union all select message from quick_message union all select name from file_list union all select name from report_filter`,
    )
    for (const { text } of rows as { text: string }[]) expect(text.length < 20_000 && text.isWellFormed()).toBe(true)
  })
})

describe('a path', () => {
  const odd = [
    '0',
    '-1',
    '2147483648',
    '99999999999999999999',
    'abc',
    'NaN',
    'undefined',
    'null',
    '1.5',
    '0x10',
    '0x1',
    '01',
    '1e0',
    '%00',
    '%20',
    '1%00',
    '%ED%A0%80',
    '%',
    '%zz',
    '..%2f..%2fetc',
    "1'--",
    '1;drop',
    '[object%20Object]',
    'a'.repeat(5000),
    '__proto__',
    'constructor',
  ]
  it('is refused if an id is malformed', async () => {
    const all = calls.flatMap((call) =>
      call.params
        .filter((name) => name !== 'number')
        .flatMap((name) =>
          odd.map((value) => ({
            call,
            path: at(call, { ...nowhere(call), [name]: value }),
            ...(call.body && { body: JSON.stringify(sample(call.body)) }),
          })),
        ),
    )
    expect(all.length).toBeGreaterThan(400)
    expect(await passing(all)).toEqual([])
  })
  it('is not found with an unknown id', async () => {
    const all = calls
      .filter(({ params }) => params.length > 0)
      .map((call) => ({ call, path: at(call, nowhere(call)), ...(call.body && { body: JSON.stringify(sample(call.body)) }) }))
    expect(await passing(all)).toEqual([])
  })
  it('is not found by any method if no route serves it', async () => {
    for (const [method, path] of [
      ['GET', '/api/nothing'],
      ['POST', '/api/tickets/1/2/3'],
      ['DELETE', '/api/tickets'],
      ['PUT', '/api/auth/login'],
      ['PATCH', '/api/tickets/1'],
      ['GET', '/api/media/1/x/y'],
      ['GET', '/api/media/%00/../x'],
    ] as const)
      expect(await app.as('admin')(method, path)).toMatchObject({ status: 404, body: { error: expect.stringMatching(/^ERR_NO/) } })
  })
})

describe('a query', () => {
  const odd = [
    '',
    '-1',
    '0',
    '2147483648',
    '1e99',
    'NaN',
    'undefined',
    '%00',
    '%ED%A0%80',
    '%ZZ',
    '[',
    '[1',
    '["x"]',
    '[9999999999]',
    '[-1]',
    '{"a":1}',
    'x'.repeat(5000),
    "' or 1=1 --",
    '2026-02-31',
    '0000-00-00',
    '9999999-01-01',
    '%25',
    '_',
    '\\',
    '[]',
    'true',
    '["open","closed"]',
  ]
  it('is answered or refused with any value', async () => {
    const admin = app.as('admin')
    const faults: string[] = []
    let good = 0
    for (const call of calls.filter(({ query }) => Object.keys(query).length > 0))
      for (const name of Object.keys(call.query)) {
        const answers = await Promise.all(
          odd.map(
            async (value) =>
              [
                value,
                await admin('GET', `${at(call, { ...nowhere(call), connectionId: app.company.connections.loja })}?${name}=${value}`),
              ] as const,
          ),
        )
        for (const [value, answer] of answers) {
          if (answer.status < 300) good++
          else if (!refused(answer))
            faults.push(`${call.path}?${name}=${value.slice(0, 40)} → ${answer.status} ${JSON.stringify(answer.body)}`)
        }
      }
    expect(faults).toEqual([])
    expect(good).toBeGreaterThan(50)
  })
  it('is answered or refused with repeated parameters, lists and objects', async () => {
    for (const query of [
      'status=open&status=closed',
      'pageNumber[]=1',
      'pageNumber[a]=1',
      '__proto__[a]=1',
      'searchParam=a&searchParam=b',
      '&&&===',
      '?',
      'searchParam',
    ])
      expect((await app.as('admin')('GET', `/tickets?${query}`)).status).toBeLessThan(500)
  })
})

describe('request headers', () => {
  it('cause no error if they are malformed', async () => {
    for (const headers of [
      { authorization: 'Bearer' },
      { authorization: 'Basic YTpi' },
      { authorization: `Bearer ${'x'.repeat(6000)}` },
      { 'x-command-id': '../../x' },
      { cookie: 'guiche_session=%ZZ' },
      { 'x-forwarded-for': "'; drop" },
    ])
      expect((await app.stranger('GET', '/auth/me', undefined, headers as never)).status).toBe(403)
    const { status } = await app.as('admin')('GET', '/tickets', undefined, { 'x-command-id': `${'a'.repeat(5000)}` })
    expect(status).toBe(200)
  })
})

it('the app still works after all malformed input', async () => {
  expect((await app.as('admin')('GET', '/auth/me')).body.name).toBe('admin')
  await app.phone.says('5511955557777', 'ainda aí?')
  await app.settled()
  expect((await app.as('admin')('GET', '/tickets?status=pending&showAll=true')).body.tickets).toMatchObject([{ lastMessage: 'ainda aí?' }])
  expect((await app.stranger('GET', '/ready')).body.ready).toBe(true)
})
