import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openNotificationBus } from '#app/postgres/notification-bus.ts'
import { clockOf, followClock } from '#app/scheduler/clock.ts'
import { openStore } from '#projections/postgres.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

/* POST /sandbox/clock moves one clock for all processes of an installation. `other` is the clock of another process. */
let app: TestApp
let other: Awaited<ReturnType<typeof openOther>>
async function openOther() {
  const { connectionString } = app.ctx
  const { db } = openStore(connectionString, 2)
  const notifications = openNotificationBus(connectionString)
  const clock = await followClock(db, notifications)
  return { clock, close: () => notifications.close().then(() => db.destroy()) }
}
beforeAll(async () => {
  app = await startTestApp()
  await app.db.updateTable('user').set({ super: true }).where('id', '=', app.company.users.admin).execute()
  other = await openOther()
})
afterAll(async () => {
  await other.close()
  await app.stop()
})

const hour = 3_600_000
const advance = (advanceMs: number, commandId = crypto.randomUUID()) =>
  app.as('admin')('POST', '/sandbox/clock', { advanceMs }, { 'x-command-id': commandId })
const ahead = (iso: string) => Math.round((Date.parse(iso) - Date.now()) / hour)

describe('the simulated clock', () => {
  it('starts as the system clock and is only moved forward, by a super user', async () => {
    expect((await app.as('admin')('GET', '/sandbox/clock')).body.aheadMs).toBe(0)
    expect((await app.as('root')('POST', '/sandbox/clock', { advanceMs: hour })).body.error).toBe('ERR_NO_PERMISSION')
    for (const advanceMs of [0, -1, 1.5, '1', null, 367 * 24 * hour]) {
      const { status, body } = await app.as('admin')('POST', '/sandbox/clock', { advanceMs })
      expect([advanceMs, status, body.error]).toEqual([advanceMs, 400, 'ERR_INVALID_INPUT'])
    }
    await expect(app.db.updateTable('clockOffset').set({ offsetMs: 5 }).execute()).resolves.toBeDefined()
    await expect(app.db.updateTable('clockOffset').set({ offsetMs: 4 }).execute()).rejects.toThrow('cannot go back')
  })

  it('is the system clock without a sandbox, with a warning if the table has an offset', async () => {
    const notifications = openNotificationBus(app.ctx.connectionString)
    const warnings: object[] = []
    const ahead = async (sandbox: boolean) =>
      (await clockOf(sandbox, app.db, notifications, { warn: (of: object) => warnings.push(of) } as never)).offsetMs()
    expect([await ahead(false), await ahead(true)]).toEqual([0, 5])
    expect(warnings).toEqual([{ offsetMs: 5 }])
    await notifications.close()
  })

  it('moves in every process before the call returns, and once per command', async () => {
    const socket = await app.socket('ana')
    const commandId = crypto.randomUUID()
    for (const _ of [1, 2]) {
      const { status, body } = await advance(3 * hour, commandId)
      expect([status, body.aheadMs, ahead(body.now)]).toEqual([200, 3 * hour + 5, 3])
      expect([app.ctx.clock.offsetMs(), other.clock.offsetMs()]).toEqual([3 * hour + 5, 3 * hour + 5])
    }
    expect(await socket.heard(({ channel }) => channel.endsWith('-clock'))).toMatchObject({ action: 'update', aheadMs: 3 * hour + 5 })
    expect((await app.as('ana')('GET', '/auth/me')).body.aheadMs).toBe(3 * hour + 5)
    const late = await openOther() // a process that starts later
    expect(late.clock.offsetMs()).toBe(3 * hour + 5)
    await late.close()
  })

  it('dates new messages, and does not change sessions', async () => {
    await app.phone.says('5511940000001', 'oi')
    await app.settled()
    const [ticket] = (await app.as('admin')('GET', '/tickets?status=pending')).body.tickets
    expect([ahead(ticket.waitingSince), ahead(ticket.createdAt), ahead(ticket.lastMessageAt)]).toEqual([3, 3, 3])
    const { balcao } = app.company.connections
    const [line] = (await app.as('admin')('GET', `/sandbox/${balcao}/phone/5511940000001`)).body
    expect(ahead(line.at)).toBe(3)
    const contact = (await app.as('admin')('GET', `/contacts/${ticket.contactId}`)).body
    expect(ahead(contact.createdAt)).toBe(3)
    const rows = await app.db.selectFrom('session').select('createdAt').execute()
    expect(rows.every(({ createdAt }) => ahead(createdAt) === 0)).toBe(true)
  })

  it('runs due deadlines at once', async () => {
    await app.phone.says('5511940000002', 'oi')
    await app.settled()
    const { tickets } = (await app.as('admin')('GET', '/tickets?status=pending')).body
    const { id } = tickets.find((one: { contact: { number: string } }) => one.contact.number === '5511940000002')
    await app.as('ana')('PUT', `/tickets/${id}`, { status: 'open', userId: app.company.users.ana })
    await app.as('ana')('POST', `/messages/${id}`, { body: 'Pois não?' })
    await app.settled()
    const status = async () => (await app.as('admin')('GET', '/tickets?status=closed&showAll=true')).body.tickets.map((t: any) => t.id)
    expect(await status()).not.toContain(id)
    expect((await advance(25 * hour)).status).toBe(200)
    await eventually(status, (ids) => ids.includes(id))
  })

  it('cannot be moved while a real provider is connected', async () => {
    const { loja } = app.company.connections
    const provider = (to: string) => app.db.updateTable('connection').set({ provider: to }).where('id', '=', loja).execute()
    await provider('baileys')
    const before = app.ctx.clock.offsetMs()
    const { status, body } = await advance(hour)
    expect([status, body.error, app.ctx.clock.offsetMs()]).toEqual([409, 'ERR_REAL_CONNECTION', before])
    await provider('sandbox')
  })
})
