import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { password } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { browserLanguage } from '#web/i18n.ts'
import { forgetDrafts } from '#web/message/composer/drafts.ts'

let app: TestApp
beforeAll(async () => {
  const settings = { demo: true }
  app = await startTestApp({ roles: ['web', 'projector'], config: settings })
})
afterAll(() => app.stop())

const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
const cookieOf = (headers: Headers) => (headers.get('set-cookie') ?? '').split(';')[0]!
async function login(who: string) {
  const answer = await app.stranger('POST', '/auth/login', { email: `${who}@casa.test`, password, remember: true })
  return { token: answer.body.token as string, cookie: cookieOf(answer.headers) }
}
const refresh = async (cookie: string) => {
  const { status, headers } = await app.stranger('POST', '/auth/refresh_token', undefined, { cookie })
  return { status, cookie: cookieOf(headers) }
}

describe('a session', () => {
  it('survives three tabs with secrets of the last ten seconds (A-AUTH-03)', async () => {
    const first = (await login('ana')).cookie
    const second = (await refresh(first)).cookie
    const third = (await refresh(second)).cookie
    expect((await refresh(first)).status).toBe(200)
    expect((await refresh(second)).status).toBe(200)
    expect((await refresh(third)).status).toBe(200)
  })
  it('ends with a log entry when an older secret is used', async () => {
    const first = (await login('ana')).cookie
    const second = (await refresh(first)).cookie
    const open = app.db.updateTable('session').where('userId', '=', app.company.users.ana).where('endedAt', 'is', null)
    const { spent } = await app.db
      .selectFrom('session')
      .select('spent')
      .where('endedAt', 'is', null)
      .where('userId', '=', app.company.users.ana)
      .executeTakeFirstOrThrow()
    await open.set({ spent: JSON.stringify(spent.map((one) => ({ ...one, at: ago(11_000) }))) }).execute()
    expect([(await refresh(first)).status, (await refresh(second)).status]).toEqual([401, 401])
    const { events } = (await app.as('admin')('GET', '/security-log?kind=sessionEnded')).body
    expect(events).toMatchObject([{ user: { name: 'ana' }, detail: { reason: 'stale' } }])
  })
  it('ends thirty days after its start, however often it was renewed', async () => {
    const { cookie } = await login('bruno')
    const days = (n: number) => ago(n * 86_400_000)
    const mine = app.db.updateTable('session').where('userId', '=', app.company.users.bruno).where('endedAt', 'is', null)
    await mine.set({ createdAt: days(29) } as object).execute()
    const next = await refresh(cookie)
    expect(next.status).toBe(200)
    const { expiresAt } = await app.db
      .selectFrom('session')
      .select('expiresAt')
      .where('endedAt', 'is', null)
      .where('userId', '=', app.company.users.bruno)
      .executeTakeFirstOrThrow()
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(86_400_000)
    await mine.set({ createdAt: days(31) } as object).execute()
    expect((await refresh(next.cookie)).status).toBe(401)
  })
  it('has a cookie behind TLS that no other host of the domain can set', async () => {
    const asked = { email: 'carla@casa.test', password }
    const { headers } = await app.stranger('POST', '/auth/login', asked, { 'x-forwarded-proto': 'https' })
    expect(headers.get('set-cookie')).toMatch(/^__Host-guiche_session=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    const again = { cookie: cookieOf(headers), 'x-forwarded-proto': 'https' }
    expect((await app.stranger('POST', '/auth/refresh_token', undefined, again)).status).toBe(200)
    const without = { cookie: cookieOf(headers).replace('__Host-', ''), 'x-forwarded-proto': 'https' }
    expect((await app.stranger('POST', '/auth/refresh_token', undefined, without)).status).toBe(401)
  })
})

it('the viewer cache forgets only the users of a change', async () => {
  const { viewerCache } = app.ctx
  const { users } = app.company
  const idOf = async (who: 'ana' | 'bruno') => {
    await login(who)
    const open = app.db.selectFrom('session').select('id').where('userId', '=', users[who]).where('endedAt', 'is', null)
    return (await open.executeTakeFirstOrThrow()).id
  }
  const ids = { ana: await idOf('ana'), bruno: await idOf('bruno') }
  /** Who is read anew once the change is heard. */
  const forgottenBy = async (change: () => Promise<unknown>) => {
    await quiet()
    const before = { ana: viewerCache.ofSession(ids.ana), bruno: viewerCache.ofSession(ids.bruno) }
    await Promise.all(Object.values(before))
    await change()
    await expect.poll(() => viewerCache.ofSession(ids.ana) === before.ana).toBe(false)
    return viewerCache.ofSession(ids.bruno) === before.bruno ? 'ana' : 'both'
  }
  /** All that was told so far has been heard: a change of a name that means nothing comes last. */
  const quiet = async () => {
    const last = `changes-${crypto.randomUUID()}`
    const heard = new Promise<void>((done) => app.ctx.notifications.on('changes', (line) => line.includes(last) && done()))
    await sql`select pg_notify('changes', ${`nothing update 0 ${last}`})`.execute(app.db)
    await heard
  }
  const session = app.db.updateTable('session').where('id', '=', ids.ana)
  expect(await forgottenBy(() => session.set({ rotatedAt: ago(0) }).execute())).toBe('ana')
  const user = app.db.updateTable('user').where('id', '=', users.ana)
  expect(await forgottenBy(() => user.set({ color: '#123456' }).execute())).toBe('ana')
  const company = app.db.updateTable('company').where('id', '=', app.company.companies.casa)
  expect(await forgottenBy(() => company.set({ name: 'Casa' }).execute())).toBe('both')
  const bruno = viewerCache.ofSession(ids.bruno)
  await bruno
  await login('ana')
  await quiet()
  expect(viewerCache.ofSession(ids.bruno)).toBe(bruno)
})

it('a removed queue takes effect at once, also for cached rights', async () => {
  const me = async () => (await app.as('carla')('GET', '/auth/me')).body.queues.length as number
  const mine = async () => (await app.ctx.viewerCache.ofToken(await app.tokenOf('carla')))?.viewer.queueIds.length
  app.forget('carla')
  expect([await me(), await mine()]).toEqual([1, 1])
  await app.db.deleteFrom('userQueue').where('userId', '=', app.company.users.carla).execute()
  await expect.poll(mine, { timeout: 9000 }).toBe(0) // before the cache forgets by itself, after ten seconds
})

it('demo users are offered on the machine itself, and never behind a proxy', async () => {
  expect((await app.stranger('GET', '/demo')).status).toBe(404) // there is none of its people yet
  const ana = { email: 'ana@demo.test', name: 'Ana', companyId: app.company.companies.casa, passwordHash: 'x', flags: '{}' }
  await app.db
    .insertInto('user')
    .values({ ...ana, whatsappId: null, farewellMessage: null })
    .execute()
  const { status, body } = await app.stranger('GET', '/demo')
  expect([status, body.map(({ email }: { email: string }) => email)]).toEqual([200, ['ana@demo.test']])
  for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
    expect({ header, status: (await app.stranger('GET', '/demo', undefined, { [header]: '203.0.113.9' })).status }).toEqual({
      header,
      status: 404,
    })
})

it.each([
  [['pt-PT', 'en'], 'pt-BR'],
  [['de', 'tr-TR', 'en'], 'tr'],
  [['EN-us'], 'en'],
  [['de', 'fr'], null],
])('a browser that wants %j gets %s at the first visit', (wanted, spoken) => expect(browserLanguage(wanted)).toBe(spoken))

it('signing out removes the drafts of that user only', () => {
  const shelf: Record<string, unknown> & { removeItem(name: string): void } = Object.assign(
    Object.create({
      removeItem(this: Record<string, unknown>, name: string) {
        delete this[name]
      },
    }),
    {
      'draft-7-1': 'a',
      'draft-7-2': 'b',
      'draft-8-1': 'c',
      token: 't',
    },
  )
  forgetDrafts(shelf, 7)
  expect(Object.keys(shelf)).toEqual(['draft-8-1', 'token'])
  forgetDrafts(shelf, 8)
  expect(Object.keys(shelf)).toEqual(['token'])
})
