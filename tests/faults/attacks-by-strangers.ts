import { expect } from 'vitest'
import { parseConfig } from '#app/config.ts'
import { password } from '#tests/support/seed-companies.ts'
import type { Answer } from '#tests/support/server.ts'
import { openLine, Refused } from '#tests/support/socket.ts'
import { head, soon } from '#tests/support/wire.ts'
import { type Attacker, type Attacks, json, secrets } from './attacker.ts'

const elsewhere = { 'x-forwarded-for': '203.0.113.9' }

/** Attacks without a session, and floods by a signed-in user. */
export const byStrangers = ({ house: app, scene, ask, raw, served, says }: Attacker): Attacks => ({
  F1: [
    'a stranger’s bodies of 2.8 MB are refused by length, while an agent is answered',
    async () => {
      const floods = await Promise.all(Array.from({ length: 12 }, () => raw(head('POST /api/auth/login', ...json(2_800_000)))))
      await served()
      for (const one of floods) {
        expect(await soon(one.closed)).toBe('closed')
        expect(one.heard()).toMatch(/^HTTP\/1\.1 413 /)
      }
    },
  ],
  F2: [
    'slow bodies and endless headers are disconnected',
    async () => {
      const slow = await Promise.all([raw(head('POST /api/auth/login', ...json(100))), raw('GET /api/version HTTP/1.1\r\nX-A: ')])
      const drip = setInterval(() => slow.map(({ socket }) => socket.writable && socket.write(' ')), 1000)
      expect(await Promise.all(slow.map(({ closed }) => soon(closed)))).toEqual(['closed', 'closed'])
      clearInterval(drip)
      expect(slow.map((one) => one.heard().slice(0, 12))).toEqual(['HTTP/1.1 408', 'HTTP/1.1 408'])
    },
  ],
  F3: [
    'password guesses from many addresses are soon refused unchecked, and are logged',
    async () => {
      const guess = (n: number) =>
        says(
          ask(null, 'POST', '/auth/login', { email: 'dulce@casa.test', password: secrets.wrong }, { 'x-forwarded-for': `198.51.100.${n}` }),
        )
      const guesses: unknown[] = []
      for (let n = 1; n <= 26; n++) guesses.push((await guess(n))[0])
      expect(guesses.slice(0, 20)).toEqual(Array(20).fill(401))
      expect(guesses.slice(20).filter((status) => status === 401).length).toBeLessThanOrEqual(2) // each further guess waits, longer each time
      const { events } = (await ask('admin', 'GET', '/security-log?kind=signInRefused')).body
      expect(events.length).toBeGreaterThanOrEqual(20)
      expect((await ask('admin', 'GET', '/security-log/check')).body.holds).toBe(true)
    },
  ],
  F4: [
    'demo accounts are shown to no other machine, and are off by default on a public address',
    async () => {
      for (const header of ['x-forwarded-for', 'forwarded', 'via'])
        expect((await ask(null, 'GET', '/demo', undefined, { [header]: '203.0.113.9' })).status).toBe(404)
      expect(parseConfig({ HOST: '0.0.0.0' })).toMatchObject({ demo: false, sandbox: false, docs: false })
    },
  ],
  F14: [
    'only /api/live accepts an upgrade',
    async () => {
      const upgrade = [
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ]
      for (const path of ['/', '/api/tickets', '/metrics', '/%61pi/live']) {
        const one = await raw(head(`GET ${path}`, ...upgrade))
        expect(await soon(one.closed)).toBe('closed')
        expect(one.heard()).toMatch(/^HTTP\/1\.1 404 /)
      }
    },
  ],
  F15: [
    'too many sockets are refused, endless joins close the socket, and the lists still work',
    async () => {
      const token = await app.tokenOf('bruno')
      const open = await Promise.all(Array.from({ length: 100 }, () => openLine(app.url, token)))
      await expect(openLine(app.url, token)).rejects.toEqual(new Refused(429))
      for (let n = 1; n <= 20_000; n++) open[0]!.emit('joinChatBox', { ticketId: n })
      expect(await open[0]!.closed).toBe(1008)
      await served()
      for (const { socket } of open) socket.terminate()
    },
  ],
  F18: [
    'metrics, positions and docs are hidden from other machines',
    async () => {
      expect((await ask(null, 'GET', '/metrics', undefined, elsewhere)).status).toBe(403)
      expect((await ask(null, 'GET', '/health', undefined, elsewhere)).body).toEqual({ alive: true })
      for (const path of ['/docs', '/docs/json']) expect((await ask(null, 'GET', path, undefined, elsewhere)).status).toBe(404)
    },
  ],
  F19: [
    'a session survives three late tabs, and none lasts over thirty days',
    async () => {
      const cookieOf = ({ headers }: Answer) => headers.get('set-cookie')?.split(';')[0] ?? ''
      const refresh = (cookie: string) => ask(null, 'POST', '/auth/refresh_token', undefined, { cookie })
      const first = cookieOf(await ask(null, 'POST', '/auth/login', { email: 'root@casa.test', password, remember: true }))
      const second = cookieOf(await refresh(first))
      const third = await refresh(second)
      expect([(await refresh(first)).status, (await refresh(second)).status, third.status]).toEqual([200, 200, 200])
      const createdAt = new Date(Date.now() - 31 * 86_400_000).toISOString()
      const mine = app.db.updateTable('session').where('userId', '=', scene.users.root).where('endedAt', 'is', null)
      await mine.set({ createdAt } as object).execute()
      expect((await refresh(cookieOf(third))).status).toBe(401)
      app.forget('root')
    },
  ],
})
