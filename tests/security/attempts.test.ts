import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { lockIds } from '#app/scheduler/locks.ts'
import { network } from '#app/session/attempts.ts'
import { password } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* The test sets the client address in each call, as a proxy would. */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'] })
})
afterAll(() => app.stop())
beforeEach(async () => {
  app.ctx.loginThrottle.forget()
  await app.db.deleteFrom('loginFailure').execute()
  await app.db.deleteFrom('securityEvent').execute()
})

const from = (address: string, secret = 'errada', who = 'ana') =>
  app.stranger('POST', '/auth/login', { email: `${who}@casa.test`, password: secret }, { 'x-forwarded-for': address })
const v4 = (n: number) => `203.0.${Math.floor(n / 250)}.${(n % 250) + 1}`
/** Moves the counters back by the time that the answer asked for. */
async function wait(seconds: number) {
  app.ctx.loginThrottle.forget()
  const rows = await app.db.selectFrom('loginFailure').selectAll().execute()
  await app.db.deleteFrom('loginFailure').execute()
  const earlier = (at: string) => new Date(Date.parse(at) - seconds * 1000).toISOString()
  if (rows.length > 0)
    await app.db
      .insertInto('loginFailure')
      .values(rows.map(({ key, at }) => ({ key, at: earlier(at) })))
      .execute()
}

describe('passwords of one account tried from many addresses (A-AUTH-13)', () => {
  it('are checked twenty times, then after growing pauses of up to a minute', async () => {
    let looked = 0
    const pauses: number[] = []
    for (let n = 0; n < 60; n++) {
      const { status, body, headers } = await from(v4(n))
      if (status === 401) looked++
      else {
        expect({ status, error: body.error }).toEqual({ status: 429, error: 'ERR_INVALID_CREDENTIALS' })
        expect(headers.get('retry-after')).toBe(String(body.retryAfter))
        if (pauses.length < 9) await wait(body.retryAfter)
        pauses.push(body.retryAfter)
      }
    }
    expect(Math.max(...pauses)).toBeGreaterThan(50)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(60)
    expect(looked).toBeLessThanOrEqual(31) // twenty, and one after each pause; a slow machine also waits out the shortest pauses
  })
  it('do not lock out the owner at a known address, and elsewhere only for the pause', async () => {
    const home = '198.51.100.7'
    expect((await from(home, password)).status).toBe(200)
    for (let n = 0; n < 40; n++) await from(v4(n))
    expect((await from(home, password)).status).toBe(200)
    const elsewhere = await from('192.0.2.44', password)
    expect(elsewhere.status).toBe(429)
    await wait(elsewhere.body.retryAfter)
    expect((await from('192.0.2.44', password)).status).toBe(200)
  })
  it('are not checked more often if they come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => from(v4(n))))
    const looked = answers.filter(({ status }) => status === 401).length
    expect(looked).toBeGreaterThanOrEqual(20)
    expect(looked).toBeLessThanOrEqual(24) // the first pauses last seconds
  })
  it('do not reveal whether the account exists', async () => {
    const tell = async (who: string) => {
      const told = []
      for (let n = 0; n < 22; n++) told.push((await from(v4(n), 'errada', who)).body)
      return told.map(({ retryAfter, ...rest }) => ({ ...rest, waits: retryAfter !== undefined }))
    }
    expect(await tell('ninguem')).toEqual(await tell('bruno'))
  })
})

describe('an address', () => {
  it('is refused for 15 minutes after a hundred failures with any accounts', async () => {
    for (let n = 0; n < 100; n++) expect((await from('203.0.113.9', 'errada', `conta${n}`)).status).toBe(401)
    const refused = await from('203.0.113.9', password, 'carla')
    expect({ status: refused.status, waits: refused.body.retryAfter > 840 }).toEqual({ status: 429, waits: true })
    expect((await from('203.0.113.10', password, 'carla')).status).toBe(200)
    await wait(901)
    expect((await from('203.0.113.9', password, 'carla')).status).toBe(200)
  })
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:0:7::1', '2001:db8:0:7::/64'],
    ['2001:db8:0:7:ffff::2', '2001:db8:0:7::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('the address %s counts as %s', (ip, net) => expect(network(ip)).toBe(net))
})

it('every checked password is recorded, and each pause once', async () => {
  const answers = []
  for (let n = 0; n < 25; n++) answers.push((await from(v4(n))).status)
  const rows = await app.db.selectFrom('securityEvent').selectAll().orderBy('n').execute()
  const told = rows.map(({ kind }) => kind)
  expect(told.filter((kind) => kind === 'signInRefused')).toHaveLength(answers.filter((status) => status === 401).length)
  expect(rows.filter(({ kind }) => kind === 'signInPaused').length).toBeGreaterThanOrEqual(1)
  expect(rows.every(({ userId }) => userId === app.company.users.ana)).toBe(true)
})

describe('an attempt refused without checking a password', () => {
  const kinds = async () =>
    (await app.db.selectFrom('securityEvent').select(['kind']).execute()).map(({ kind }) => kind).filter((kind) => kind === 'signInPaused')
  it('is recorded once per pause', async () => {
    for (let n = 0; n < 30; n++) await from('203.0.113.60', 'errada', 'bruno')
    expect(await kinds()).toHaveLength(1)
    await Promise.all(Array.from({ length: 40 }, () => from('203.0.113.60', 'errada', 'bruno')))
    expect(await kinds()).toHaveLength(1)
  })
  it('is recorded once also while the whole installation is under attack', async () => {
    const at = new Date().toISOString()
    await app.db
      .insertInto('loginFailure')
      .values(Array.from({ length: 1000 }, () => ({ key: 'all', at })))
      .execute()
    for (let n = 0; n < 45; n++) await from('203.0.113.61', 'errada', `conta${n}`)
    expect(await kinds()).toHaveLength(1)
  })
  it('uses neither a lock nor a row of the database', async () => {
    for (let n = 0; n < 12; n++) await from('203.0.113.62', 'errada', 'carla')
    const asked = vi.spyOn(app.ctx.pool, 'connect')
    for (let n = 0; n < 5; n++) expect((await from('203.0.113.62', 'errada', 'carla')).status).toBe(429)
    expect(asked).not.toHaveBeenCalled()
    asked.mockRestore()
  })
})

describe('many sign-ins at once', () => {
  it('have their own limited queue, so that agents keep their database connections', async () => {
    const busiest = { most: 0 }
    const watch = () => (busiest.most = Math.max(busiest.most, app.ctx.pool.totalCount - app.ctx.pool.idleCount))
    app.ctx.pool.on('acquire', watch)
    const answers = await Promise.all(Array.from({ length: 70 }, (_, n) => from('203.0.113.63', 'errada', `pessoa${n}`)))
    app.ctx.pool.off('acquire', watch)
    const full = answers.filter(({ status }) => status === 429)
    expect(full.length).toBeGreaterThanOrEqual(15)
    expect(full.every(({ body }) => body.error === 'ERR_TOO_MANY_REQUESTS' && body.retryAfter > 0)).toBe(true)
    expect(answers.filter(({ status }) => status === 401).length).toBe(answers.length - full.length)
    expect(busiest.most).toBeLessThanOrEqual(3)
    expect((await from('203.0.113.64', password, 'carla')).status).toBe(200)
  })
  it('are counted while another process counts the same account', async () => {
    await app.tokenOf('admin')
    const held = app.ctx.db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${lockIds.signIn}, hashtext(${'address 203.0.113.65'}))`.execute(tx)
      const trying = from('203.0.113.65')
      expect((await app.as('admin')('GET', '/tickets?status=open')).status).toBe(200)
      return { trying }
    })
    expect((await (await held).trying).status).toBe(401)
  })
})

it('invalid password links do not block sign-ins from the same address', async () => {
  const look = (token: string) => app.stranger('POST', '/auth/password-link', { token }, { 'x-forwarded-for': '203.0.113.66' })
  const statuses: number[] = []
  for (let n = 0; n < 130; n++) statuses.push((await look(String(n).padStart(43, 'z'))).status)
  expect([statuses[0], statuses.at(-1)]).toEqual([400, 429])
  expect((await from('203.0.113.66', password, 'bruno')).status).toBe(200)
})
