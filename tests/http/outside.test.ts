import { createHmac } from 'node:crypto'
import { connect } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '#app/config.ts'
import { serializeError } from '#app/event-store/error-serializer.ts'
import { openServer } from '#app/http/server.ts'
import { errorTexts } from '#domain/error-texts.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* A stranger sees nothing internal, an operator sees everything, and the log never contains request data. */
const metricsToken = 'a token of 16 or more'.replaceAll(' ', '-')
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'], config: { metricsToken, docs: false } })
})
afterAll(() => app.stop())

const elsewhere = { 'x-forwarded-for': '203.0.113.9' }

describe('/metrics and /api/health (F18)', () => {
  it('show a stranger nothing internal', async () => {
    const metrics = await app.stranger('GET', '/metrics', undefined, elsewhere)
    expect([metrics.status, metrics.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
    const { status, body } = await app.stranger('GET', '/health', undefined, elsewhere)
    expect([status, body]).toEqual([200, { alive: true }])
    const ready = await app.stranger('GET', '/ready', undefined, elsewhere)
    expect([ready.status, ready.body]).toEqual([200, { ready: true }])
  })
  it.each(['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'])(
    'treat a request with the header %s as a stranger’s, even from this machine',
    async (name) => {
      expect((await app.stranger('GET', '/metrics', undefined, { [name]: '127.0.0.1' })).status).toBe(403)
      expect((await app.stranger('GET', '/health', undefined, { [name]: '127.0.0.1' })).body.followers).toBeUndefined()
    },
  )
  it('require a host name of this machine, against DNS rebinding', async () => {
    const named = (host: string) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
        let heard = ''
        socket
          .on('data', (chunk) => (heard += chunk))
          .on('close', () => resolve(heard))
          .on('error', reject)
        socket.write(`GET /api/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      })
    for (const host of ['rebound.example', 'localhost.example', '127.0.0.1.example:80', '10.0.0.1'])
      expect({ host, inside: (await named(host)).includes('followers') }).toEqual({ host, inside: false })
    for (const host of ['localhost', '127.0.0.1:8080', '[::1]:8080'])
      expect({ host, inside: (await named(host)).includes('followers') }).toEqual({ host, inside: true })
  })
  it('show everything to this machine and to callers with the token', async () => {
    const token = { ...elsewhere, authorization: `Bearer ${metricsToken}` }
    for (const headers of [{}, token]) {
      expect((await app.stranger('GET', '/metrics', undefined, headers)).body).toContain('guiche_follower_lag')
      expect((await app.stranger('GET', '/health', undefined, headers)).body.followers.length).toBeGreaterThan(0)
    }
    for (const wrong of [`Bearer ${metricsToken}x`, 'Bearer', `Basic ${metricsToken}`, `Bearer ${await app.tokenOf('admin')}`])
      expect((await app.stranger('GET', '/metrics', undefined, { ...elsewhere, authorization: wrong })).status).toBe(403)
  })
})

describe('a processor that is parked or stopped', () => {
  const value = async (name: string, of: string) => {
    const { body } = await app.stranger('GET', '/metrics')
    return Number(new RegExp(`^${name}\\{name="${of}"\\} (\\S+)$`, 'm').exec(body)?.[1])
  }
  it('appears in /metrics and /api/health, and the web role stays ready', async () => {
    const { body: contact } = await app.as('admin')('POST', '/contacts', { name: 'Rui', number: '5511955500001' })
    const { queues, connections } = app.company
    const asked = { contactId: contact.id, queueId: queues.vendas, whatsappId: connections.balcao, status: 'pending' }
    expect((await app.as('admin')('POST', '/tickets', asked)).status).toBe(200)
    const [runs, stands] = ['tickets', 'ticketReactor']
    const waits = {
      companyId: 1,
      follower: runs,
      ticketId: 1,
      stream: 'ticket-1-1',
      eventType: 'TicketQueued',
      reason: 'no',
      releasedAt: null,
    }
    for (const [at, stream] of ['ticket-1-9000001', 'ticket-1-9000002'].entries())
      await app.db
        .insertInto('parkedStream')
        .values({ ...waits, stream, ticketId: 9_000_001 + at, revision: 1, behind: 1, eventId: crypto.randomUUID() })
        .execute()
    await app.db.updateTable('checkpoint').set({ position: '0' }).where('name', '=', stands).execute() // no worker runs in this test
    expect(await value('guiche_parked', runs)).toBe(2)
    expect(await value('guiche_parked', stands)).toBe(0)
    expect(await value('guiche_follower_lag', stands)).toBeGreaterThan(0)
    const until = new Date(Date.now() + 60_000).toISOString()
    await app.db.insertInto('worker').values({ pid: 1, until }).execute()
    const receivedAt = new Date(Date.now() - 500_000).toISOString()
    const heard = JSON.stringify({ type: 'call' })
    const entry = { companyId: 1, connectionId: connections.balcao, externalId: 'old', conversation: 'old', payload: heard, receivedAt }
    await app.db.insertInto('inboundEvent').values(entry).execute()
    const { body: all } = await app.stranger('GET', '/metrics')
    for (const line of [/^guiche_workers 1$/m, /^guiche_waiting_seconds\{table="journal"\} 5\d\d/m]) expect(all).toMatch(line)
    await app.db.deleteFrom('worker').execute()
    await app.db.deleteFrom('inboundEvent').execute()
    expect((await app.stranger('GET', '/metrics')).body).toMatch(/^guiche_workers 0$/m)
    const { followers } = (await app.stranger('GET', '/health')).body
    expect(followers.find(({ name }: { name: string }) => name === runs)).toMatchObject({ parked: 2 })
    const ready = await app.stranger('GET', '/ready', undefined, elsewhere)
    expect([ready.status, ready.body]).toEqual([200, { ready: true }])
    await app.db.deleteFrom('parkedStream').execute()
    expect(await value('guiche_parked', runs)).toBe(0)
  })
})

describe('/docs (F18)', () => {
  it('is absent if it is switched off', async () => {
    for (const path of ['/docs', '/docs/json', '/docs/static/index.html']) expect((await app.stranger('GET', path)).status).toBe(404)
  })
  it('is on by default only if the server listens on this machine alone', () => {
    const docs = (env: Record<string, string>) => parseConfig(env).docs
    expect([docs({}), docs({ HOST: 'localhost' }), docs({ HOST: '::1' })]).toEqual([true, true, true])
    expect([docs({ HOST: '0.0.0.0' }), docs({ HOST: '10.0.0.1' }), docs({ HOST: '0.0.0.0', DOCS: '1' }), docs({ DOCS: '0' })]).toEqual([
      false,
      false,
      true,
      false,
    ])
  })
})

describe('a response (F20)', () => {
  it('is not cached, and requires TLS from then on if it came by TLS', async () => {
    const plain = await app.as('ana')('GET', '/tickets?status=open')
    expect([plain.headers.get('cache-control'), plain.headers.get('strict-transport-security')]).toEqual(['no-store', null])
    const secure = await app.stranger('GET', '/version', undefined, { 'x-forwarded-proto': 'https' })
    expect(secure.headers.get('strict-transport-security')).toMatch(/^max-age=31536000/)
    expect((await app.stranger('GET', '/tickets')).headers.get('cache-control')).toBe('no-store')
    expect((await app.stranger('GET', '/api/nowhere')).headers.get('cache-control')).toBe('no-store')
  })
  it('requires a token with the app’s own signature algorithm', async () => {
    const [, claims] = (await app.tokenOf('ana')).split('.')
    const signed = (alg: string, hash: string) => {
      const text = `${Buffer.from(JSON.stringify({ alg, typ: 'JWT' })).toString('base64url')}.${claims}`
      return `${text}.${alg === 'none' ? '' : createHmac(hash, app.ctx.secret).update(text).digest('base64url')}`
    }
    const me = (token: string) => app.stranger('GET', '/auth/me', undefined, { authorization: `Bearer ${token}` })
    expect((await me(signed('HS256', 'sha256'))).status).toBe(200)
    for (const [alg, hash] of [
      ['HS512', 'sha512'],
      ['HS384', 'sha384'],
      ['none', ''],
    ] as const)
      expect((await me(signed(alg, hash))).status).toBe(403)
  })
})

describe('an error response (A-ERR-01)', () => {
  it.each([
    [undefined, 0],
    ['*', 0],
    ['en', 1],
    ['en-GB,en;q=0.9', 1],
    ['fr-FR,es;q=0.4,tr;q=0.8', 3],
    ['es-AR', 2],
    ['pt-PT', 0],
    ['en;q=0,tr', 3],
    ['zz;q=x,,;;', 0],
  ] as const)('to Accept-Language %j has a text in a supported language', async (language, column) => {
    const { body } = await app.stranger('GET', '/tickets', undefined, language ? { 'accept-language': language } : {})
    expect(body).toEqual({ error: 'ERR_SESSION_EXPIRED', message: errorTexts.ERR_SESSION_EXPIRED[column] })
  })
  it('uses the company’s language if the request names no supported one (A-ERR-01)', async () => {
    const ana = app.as('ana')
    const told = async (accepts: Record<string, string>) => (await ana('GET', '/tickets/99999999', undefined, accepts)).body.message
    const missing = async (accepts: Record<string, string> = {}) =>
      (await ana('GET', '/messages/99999999', undefined, accepts)).body.message
    for (const [language, column] of [
      ['tr', 3],
      ['es', 2],
      ['pt-BR', 0],
    ] as const) {
      await app.set('customerLanguage', language)
      await expect.poll(() => missing()).toBe(errorTexts.ERR_NO_TICKET_FOUND[column])
      expect(await missing({ 'accept-language': 'fr-FR,*;q=0.5' })).toBe(errorTexts.ERR_NO_TICKET_FOUND[column])
      expect(await missing({ 'accept-language': 'en' })).toBe(errorTexts.ERR_NO_TICKET_FOUND[1])
      expect(await told({})).toBe(errorTexts.ERR_NOT_FOUND[column]) // no such address
    }
  })
  it('has a text for unknown paths, malformed JSON and malformed HTTP too', async () => {
    const missing = await app.stranger('GET', '/api/nowhere', undefined, { 'accept-language': 'en' })
    expect(missing.body).toEqual({ error: 'ERR_NOT_FOUND', message: 'Not found.' })
    const odd = await app.stranger('GET', '/api/%zz', undefined, { 'accept-language': 'en' })
    expect(odd.body).toMatchObject({ message: errorTexts.ERR_INVALID_INPUT[1] })
    const raw = await new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(app.url).port), '127.0.0.1', () => socket.write('nonsense\r\n\r\n'))
      socket.once('data', (some) => resolve(some.toString()))
    })
    expect(raw).toContain(errorTexts.ERR_INVALID_INPUT[0])
    const upgrade = await new Promise<string>((resolve) => {
      const headers = 'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nAccept-Language: tr'
      const socket = connect(Number(new URL(app.url).port), '127.0.0.1', () =>
        socket.write(`GET /elsewhere HTTP/1.1\r\n${headers}\r\n\r\n`),
      )
      socket.once('data', (some) => resolve(some.toString()))
    })
    expect(upgrade).toContain(errorTexts.ERR_NOT_FOUND[3])
  })
  it('names an unknown body field, also a nested one', async () => {
    const field = async (body: object) => (await app.as('ana')('POST', '/contacts', body)).body.field
    const good = { name: 'Maria', number: '5511987650000' }
    expect(await field({ ...good, profile: 'admin' })).toBe('profile')
    expect(await field({ ...good, extraInfo: [{ name: 'CPF', value: '1', colour: 'red' }] })).toBe('extraInfo/0/colour')
  })
})

describe('the request log (F17)', () => {
  it('has one line a call with route pattern and caller, and never request data', async () => {
    const lines: Record<string, any>[] = []
    const logger = pino(
      { level: 'info', serializers: { err: serializeError } },
      { write: (line: string) => void lines.push(JSON.parse(line)) },
    )
    const viewer = { id: 7, companyId: 3 }
    const held = async () => ({ viewer, sessionId: 's', expired: false })
    const server = await openServer({
      ...{ logger, secret: Buffer.alloc(32), uploadDir: '/nowhere', assertDisk: async () => {}, trustProxy: 'loopback', docs: null },
      viewerCache: { ofToken: held } as never,
    })
    const call = { method: 'GET', path: '/things/:id', may: () => null, summary: 'A thing.' } as const
    server.get('/api/things/:id', { config: { call } }, async ({ params }) => {
      if ((params as { id: string }).id === '2') throw new TypeError('it broke')
      return {}
    })
    const headers = { authorization: 'Bearer x' }
    const at = await server.listen({ host: '127.0.0.1', port: 0 })
    lines.length = 0 // without the line of the start
    for (const asked of ['things/1', 'things/2', 'segredo']) await fetch(`${at}/api/${asked}?searchParam=segredo`, { headers })
    await server.close()
    expect(lines).toMatchObject([
      { level: 30, method: 'GET', route: '/api/things/:id', status: 200, companyId: 3, userId: 7, ms: expect.any(Number) },
      { level: 50, err: { type: 'TypeError', message: 'it broke', stack: expect.any(String) }, route: '/api/things/:id' },
      { level: 30, route: '/api/things/:id', status: 500 },
    ])
    expect(JSON.stringify(lines)).not.toContain('segredo')
  })
  it('logs an error as an error, also if only its message was kept', () => {
    expect(serializeError('connection lost')).toEqual({ message: 'connection lost' })
    expect(serializeError({ code: 7 })).toEqual({ message: '{"code":7}' })
  })
})
