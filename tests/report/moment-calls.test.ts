import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, type Scene } from '#tests/http/scene.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* Past moments over HTTP: who may see them, and what they show. */
let app: TestApp
let scene: Scene
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
})
afterAll(() => app.stop())

const now = () => new Date(app.ctx.clock.now()).toISOString()
const read = (path: string, who: 'admin' | 'ana' | 'rita' = 'admin') => app.as(who)('GET', path)
const grant = async (change: object) => expect((await app.as('admin')('PUT', `/users/${scene.users.ana}`, change)).status).toBe(200)

describe('GET /dashboard/at', () => {
  it('answers the counts of now at the moment now, and keeps those of an earlier one (A-PAST-01)', async () => {
    const one = await scene.waiting()
    await app.settled()
    const then = now()
    const filters = `queueIds=[${scene.queues.vendas}]`
    const before = (await read(`/dashboard/now?${filters}`)).body
    const { usersOnline: _, usersTotal: __, ...counts } = before
    expect((await read(`/dashboard/at?moment=${then}&${filters}`)).body).toMatchObject({ ...counts, moment: then })
    await scene.made('ana', 'PUT', `/tickets/${one.id}`, { status: 'open', userId: scene.users.ana, queueId: scene.queues.vendas })
    await app.settled()
    expect((await read(`/dashboard/at?moment=${then}&${filters}`)).body).toMatchObject(counts)
    expect((await read(`/dashboard/at?moment=${now()}&${filters}`)).body).toMatchObject({
      supportHappening: counts.supportHappening + 1,
      supportPending: counts.supportPending - 1,
    })
  })

  it('is for supervisors, and counts nothing of another company (R-DASH-06)', async () => {
    for (const path of [`/dashboard/at?moment=${now()}`, '/dashboard/film?day=2026-01-01'])
      expect(await read(path, 'ana')).toMatchObject({ status: 403, body: { error: 'ERR_NO_PERMISSION' } })
    const of = `/dashboard/at?moment=${now()}&queueIds=[${scene.theirs.queue}]`
    expect((await read(of)).body).toMatchObject({ supportHappening: 0, supportPending: 0, tickets: 0 })
  })

  it.each(['', 'moment=', 'moment=2026-11-10', 'moment=2026-02-30T10:00:00Z', 'moment=2026-11-10T10:40:00Z&queueIds=all'])(
    'refuses %j',
    async (query) => {
      expect((await read(`/dashboard/at?${query}`)).body.error).toBe('ERR_INVALID_INPUT')
      expect((await read(`/usersMoments/at?${query}`)).body.error).toBe('ERR_INVALID_INPUT')
    },
  )

  it.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '1969-12-31T23:59:59Z'])('has zeros at %s', async (moment) => {
    expect(await read(`/dashboard/at?moment=${moment}`)).toMatchObject({ status: 200, body: { supportPending: 0, tickets: 0 } })
    expect(await read(`/usersMoments/at?moment=${moment}`)).toMatchObject({ status: 200, body: { tickets: [] } })
    expect((await read(`/dashboard/film?day=${moment.slice(0, 10)}`)).status).toBeLessThan(500)
  })
})

describe('GET /usersMoments/at', () => {
  it('shows a masked supervisor no digits, and no text of a conversation (A-LGPD-05)', async () => {
    expect((await read(`/usersMoments/at?moment=${now()}`, 'ana')).status).toBe(403)
    const number = '5511987650021'
    await app.phone.says(number, 'Segredo do cliente', { name: number })
    await app.settled()
    await grant({ allowRealTime: 'enabled' })
    for (const key of ['enableLGPD', 'lgpdHideNumber'] as const) await app.set(key, 'enabled')
    const { status, body } = await read(`/usersMoments/at?moment=${now()}`, 'ana')
    expect(status).toBe(200)
    expect(body.tickets.map(({ contactName }: { contactName: string }) => contactName)).toContain('5511*******21')
    expect(JSON.stringify(body)).not.toMatch(/98765|Segredo/)
    expect((await read(`/usersMoments/at?moment=${now()}`)).body.tickets.length).toBe(body.tickets.length)
  })

  it('has the tickets of the live panel, in pages (A-PAST-01)', async () => {
    await scene.served()
    await app.settled()
    const idsOf = ({ body }: { body: { tickets: { id: number }[] } }) => body.tickets.map(({ id }) => id).toSorted((a, b) => a - b)
    const live = idsOf(await read('/usersMoments'))
    expect(live.length).toBeGreaterThan(1)
    expect(idsOf(await read(`/usersMoments/at?moment=${now()}`))).toEqual(live)
    expect((await read(`/usersMoments/at?moment=${now()}&pageNumber=2`)).body).toEqual({ tickets: [], hasMore: false })
    const theirs = await read(`/usersMoments/at?moment=${now()}`, 'rita')
    expect(theirs.status === 403 || idsOf(theirs).every((id) => !live.includes(id))).toBe(true)
  })
})
