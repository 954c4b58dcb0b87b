import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { limitConnections, network } from '#app/http/connections.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { openLine, Refused } from '#tests/support/socket.ts'
import { head, openRaw, type Raw, soon } from '#tests/support/wire.ts'

/* A stranger who floods the server or stalls is refused or disconnected, while users are answered. */
let app: TestApp
const sockets: Socket[] = []
beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'] })
  await Promise.all([app.tokenOf('ana'), app.tokenOf('admin')])
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await app.stop()
})

const port = () => Number(new URL(app.url).port)
const raw = (text: string, at = port()) => openRaw(text, at, sockets)
const json = (bytes: number) => ['Content-Type: application/json', `Content-Length: ${bytes}`]
const served = async () => expect((await app.as('ana')('GET', '/tickets?status=open')).status).toBe(200)

describe('large request bodies (F1)', () => {
  const nested = `{"email":${'['.repeat(1_400_000)}${']'.repeat(1_400_000)}}`

  it('are refused by their declared length on calls before sign-in', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => raw(head('POST /api/auth/login', ...json(nested.length)))))
    for (const { heard, closed } of answers) {
      expect(await soon(closed)).toBe('closed') // no body was sent
      expect(heard()).toMatch(/^HTTP\/1\.1 413 [\s\S]*ERR_TOO_LARGE/)
    }
    await served()
  })
  it('are read up to the limit if they declare no length', async () => {
    const { socket, heard, closed } = await raw(
      head('POST /api/auth/login', 'Content-Type: application/json', 'Transfer-Encoding: chunked'),
    )
    const chunk = `4000\r\n${'['.repeat(0x4000)}\r\n`
    socket.write(`4000\r\n{"email":${'['.repeat(0x4000 - 9)}\r\n${chunk}${chunk}`)
    expect(await soon(closed)).toBe('closed')
    expect(heard()).toContain('ERR_TOO_LARGE')
  })
  it('are not read before the permission check; sending on ends the connection', async () => {
    const { socket, heard, closed } = await raw(head('POST /api/quick-messages', ...json(50_000_000)))
    while (!heard().includes('ERR_SESSION_EXPIRED')) await sleep(5)
    expect(heard()).toMatch(/^HTTP\/1\.1 403/)
    const pump = () => socket.write('['.repeat(64 * 1024), () => socket.destroyed || pump())
    pump()
    expect(await soon(closed)).toBe('closed')
    expect(socket.bytesWritten).toBeLessThan(50_000_000)
    await served()
  })
  it('have a limit for signed-in users too', async () => {
    const answer = await app.as('ana')('POST', '/quick-messages', { shortcode: 'a', message: 'x'.repeat(300_000) })
    expect([answer.status, answer.body.error]).toEqual([413, 'ERR_TOO_LARGE'])
  })
  it('do not hide the answer that the access token has expired', async () => {
    const stale = app.server.jwt.sign({ sid: crypto.randomUUID() }, { expiresIn: '1ms' })
    const data = new FormData()
    data.append('medias', new Blob([Buffer.alloc(5_000_000, 'a')]), 'a.txt')
    const answer = await app.stranger('POST', '/messages/1', data, { authorization: `Bearer ${stale}` })
    expect([answer.status, answer.body.error]).toEqual([403, 'ERR_SESSION_EXPIRED'])
  })
})

describe('repeated calls of a stranger (F1)', () => {
  it('are limited before anything is read, even on refused calls, and limit nobody else', async () => {
    const other = await startTestApp({ roles: ['web', 'projector'] })
    try {
      const token = await other.tokenOf('ana')
      const statuses = new Set<number>()
      const from = { 'x-forwarded-for': '203.0.113.7' }
      for (let n = 0; n < 14; n++)
        for (const { status } of await Promise.all(
          Array.from({ length: 50 }, (_, i) => other.stranger(i % 2 ? 'POST' : 'GET', '/tickets', undefined, from)),
        ))
          statuses.add(status)
      expect(statuses).toEqual(new Set([403, 429]))
      const late = await other.stranger('POST', '/auth/login', '{nonsense', { ...from, 'content-type': 'application/json' })
      expect([late.status, late.body.error, Number(late.headers.get('retry-after')) > 0]).toEqual([429, 'ERR_TOO_MANY_REQUESTS', true])
      expect((await other.stranger('GET', '/version', undefined, { 'x-forwarded-for': '203.0.113.8' })).status).toBe(200)
      expect((await other.stranger('GET', '/tickets', undefined, { ...from, authorization: `Bearer ${token}` })).status).toBe(200)
    } finally {
      await other.stop()
    }
  })
  it('share one limit for all addresses of a /64 network', async () => {
    const other = await startTestApp({ roles: ['web', 'projector'] })
    try {
      const knock = (n: number) => other.stranger('GET', '/tickets', undefined, { 'x-forwarded-for': `2001:db8:1:2::${n.toString(16)}` })
      for (let n = 0; n < 13; n++) await Promise.all(Array.from({ length: 50 }, (_, i) => knock(n * 50 + i + 1)))
      expect((await knock(9999)).status).toBe(429)
      expect((await other.stranger('GET', '/tickets', undefined, { 'x-forwarded-for': '2001:db8:1:3::1' })).status).toBe(403)
    } finally {
      await other.stop()
    }
  })
})

describe('slow and idle connections (F2)', () => {
  it('are closed: bodies sent byte by byte, endless headers, and silence', async () => {
    const slow = await Promise.all([
      raw(head('POST /api/auth/login', ...json(100))),
      raw(head('POST /api/quick-messages', ...json(100))), // it is answered long before
      raw('GET /api/version HTTP/1.1\r\nHost: a\r\nX-A: '),
      raw(''),
    ])
    const drip = setInterval(() => slow.slice(0, 3).map(({ socket }) => socket.writable && socket.write(' ')), 500)
    try {
      expect(await Promise.all(slow.map(({ closed }) => soon(closed)))).toEqual(slow.map(() => 'closed'))
      expect(slow[0]!.heard()).toMatch(/^HTTP\/1\.1 408 [\s\S]*ERR_TOO_SLOW/)
      await served()
    } finally {
      clearInterval(drip)
    }
  })
  it('of strangers are closed in favour of newer ones, and never displace a signed-in user', async () => {
    const server = createServer((request, response) => {
      if (request.headers.authorization) known(request.socket)
      response.end('here')
    })
    const { markSignedIn: known } = limitConnections(server, () => false, { address: 8, all: 1000 })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const there = (server.address() as AddressInfo).port
    const hers = await raw(head('GET /', 'Authorization: Bearer hers'), there)
    while (!hers.heard().includes('here')) await sleep(5)
    const idle: Raw[] = []
    for (let n = 0; n < 40; n++) idle.push(await raw('', there))
    expect(await Promise.all(idle.slice(0, 32).map(({ closed }) => soon(closed)))).toEqual(Array(32).fill('closed'))
    expect(idle.slice(32).map(({ socket }) => socket.destroyed)).toEqual(Array(8).fill(false))
    hers.socket.write(head('GET /again'))
    while (hers.heard().split('here').length < 3) await sleep(5)
    server.close()
    server.closeAllConnections()
  })
})

describe('the network of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('of %s is %s', (address, expected) => expect(network(address)).toBe(expected))
})

describe('upgrade requests (F14)', () => {
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']
  it.each([
    '/',
    '/api/tickets',
    '/api/version',
    '/api/health',
    '/metrics',
    '/docs',
    '/api/live/',
    '/api/livex',
    '/%61pi/live',
    '//api/live',
  ])('at %s are refused and disconnected', async (path) => {
    const { heard, closed } = await raw(head(`GET ${path}`, ...upgrade))
    expect(await soon(closed)).toBe('closed')
    expect(heard()).toMatch(/^HTTP\/1\.1 404 [\s\S]*ERR_NOT_FOUND/)
  })
  it('of another protocol or without a session are refused too', async () => {
    const other = await raw(
      head('GET /api/version', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'),
    )
    const stranger = await raw(head('GET /api/live', ...upgrade))
    expect(await Promise.all([other, stranger].map(({ closed }) => soon(closed)))).toEqual(['closed', 'closed'])
    expect(other.heard()).toMatch(/^HTTP\/1\.1 404/)
    expect(stranger.heard()).toMatch(/^HTTP\/1\.1 401/)
  })
})

describe('upgrade requests of strangers', () => {
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']
  it('are limited like other calls', async () => {
    const statuses = new Set<string>()
    for (let n = 0; n < 14; n++) {
      const all = await Promise.all(
        Array.from({ length: 50 }, () => raw(head('GET /api/live', ...upgrade, 'X-Forwarded-For: 203.0.113.9'))),
      )
      await Promise.all(all.map(({ closed }) => soon(closed)))
      for (const { heard } of all) statuses.add(heard().slice(9, 12))
    }
    expect(statuses).toEqual(new Set(['401', '429']))
    const { close } = await openLine(app.url, await app.tokenOf('ana')) // no other user is limited
    close()
  })
  it('are refused if the offered protocol is longer than any token', async () => {
    const offer = `Sec-WebSocket-Protocol: guiche.v1,${' '.repeat(5000)}bearer.x`
    const { heard, closed } = await raw(head('GET /api/live', ...upgrade, offer))
    expect(await soon(closed)).toBe('closed')
    expect(heard()).toMatch(/^HTTP\/1\.1 401/)
  })
})

describe('many sockets (F15)', () => {
  it('of one session are refused above a limit, and closing one makes room', async () => {
    const token = await app.tokenOf('bruno')
    const open = await Promise.all(Array.from({ length: 100 }, () => openLine(app.url, token)))
    await expect(openLine(app.url, token)).rejects.toEqual(new Refused(429))
    open[0]!.close()
    await open[0]!.closed
    for (let tries = 0; ; tries++) {
      const again = await openLine(app.url, token).catch((error) => (tries < 100 ? null : Promise.reject(error)))
      if (again) break
      await sleep(20)
    }
    expect(open[1]!.socket.readyState).toBe(WebSocket.OPEN)
    for (const { socket } of open) socket.terminate()
  })
  it('that send too many messages are all closed, counted per session', async () => {
    const token = await app.tokenOf('carla')
    const lines = await Promise.all([openLine(app.url, token), openLine(app.url, token)])
    for (let n = 0; n < 20_000; n++) lines[n % 2]!.emit('joinChatBox', { ticketId: n + 1 })
    expect(await Promise.all(lines.map(({ closed }) => closed))).toEqual([1008, 1008])
    await served()
  })
})

describe('an unknown emit on the socket (A-RT-05)', () => {
  it('is answered as unknown and ignored', async () => {
    const line = await app.socket('ana')
    line.emit('joinTomorrow', { ticketId: 1 })
    expect(await line.heard(({ action }) => action === 'unknown')).toEqual({ channel: 'live', action: 'unknown', emit: 'joinTomorrow' })
    expect(line.socket.readyState).toBe(WebSocket.OPEN)
  })
})
