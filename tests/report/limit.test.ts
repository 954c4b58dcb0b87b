import excel from 'exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seesDashboard, seesPanel } from '#domain/access.ts'
import { openScene, type Scene } from '#tests/http/scene.ts'
import type { Person } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { groups } from '#web/calls.ts'

/* Dashboard, panel and report of a user without the profile admin, limited to queues (A-VIS-04). Dulce serves Vendas. */
let app: TestApp
let scene: Scene
let vendas: number
let suporte: number
const ofVendas: number[] = []
const ofSuporte: number[] = []
/** 3 open and 1 closed ticket of Vendas, 5 and 2 of Suporte, and one that waits without a queue. */
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
  ;({ vendas, suporte } = app.company.queues)
  for (let n = 0; n < 4; n++) ofVendas.push((await served('ana', vendas)).id)
  for (let n = 0; n < 7; n++) ofSuporte.push((await served('carla', suporte)).id)
  for (const id of [ofVendas[3], ofSuporte[5], ofSuporte[6]]) await put(`/tickets/${id}`, { status: 'closed', sendFarewellMessage: false })
  await app.phone.says('5511930000001', 'Sem fila', { connection: app.company.connections.loja })
  await app.settled()
})
afterAll(() => app.stop())

async function served(who: Person, queueId: number, more: object = {}): Promise<{ id: number; contactId: number }> {
  const { id: contactId } = await scene.contact(who)
  return scene.made(who, 'POST', '/tickets', { contactId, queueId, ...more })
}
const put = async (path: string, body: object) => expect((await app.as('admin')('PUT', path, body)).status).toBeLessThan(300)
/** Changes Dulce's limit, and waits until this process is notified. */
async function limit(reportQueueIds: number[] | null, more: object = {}): Promise<void> {
  await put(`/users/${app.company.users.dulce}`, { allowRealTime: 'enabled', showDashboard: 'enabled', reportQueueIds, ...more })
  const token = await app.tokenOf('dulce')
  const isLimited = !('profile' in more) || more.profile === 'user'
  await expect
    .poll(async () => (await app.ctx.viewerCache.ofToken(token))?.viewer.reportQueueIds)
    .toEqual(isLimited ? reportQueueIds : null)
}
const get = async (path: string, who: Person = 'dulce') => (await app.as(who)('GET', path)).body
const id = ({ id: of }: { id: number }) => of
const names = (rows: { name: string | null }[]) => rows.map(({ name }) => name)
async function sheet(path: string): Promise<unknown[][]> {
  const answer = await fetch(`${app.url}/api${path}`, { headers: { authorization: `Bearer ${await app.tokenOf('dulce')}` } })
  const book = new excel.Workbook()
  await book.xlsx.load(await answer.arrayBuffer())
  const rows: unknown[][] = []
  book.worksheets[0]!.eachRow((row, n) => n > 1 && rows.push((row.values as unknown[]).slice(1)))
  return rows
}
const whole = '/ticketreport/reports?pageSize=9999999&sort=id&direction=asc'

describe('a supervisor who is limited to a queue (V2)', () => {
  it('counts, lists and exports the tickets of that queue only', async () => {
    await limit([vendas])
    const counted = { supportHappening: 3, supportPending: 0, supportWithBot: 0, tickets: 4, supportFinished: 1, closings: 1 }
    expect((await get('/dashboard')).counters).toMatchObject(counted)
    expect(await get('/dashboard/now')).toMatchObject({ supportHappening: 3, supportPending: 0 })
    expect((await get('/dashboard/ticketsUsers')).data).toEqual([{ id: app.company.users.ana, name: 'ana', quantity: 1 }])
    expect((await get('/dashboard/ticketsDay')).count).toBe(4)
    expect((await get('/usersMoments')).tickets.map(id).toSorted()).toEqual(ofVendas.slice(0, 3))
    expect((await get('/dashboard/moments')).tickets.map(id).toSorted()).toEqual(ofVendas.slice(0, 3))
    const { tickets, totalTickets } = await get(whole)
    expect([tickets.map(id), totalTickets.total]).toEqual([ofVendas, 4])
    expect((await sheet('/ticketreport/reports/export?sort=id&direction=asc')).map(([n]) => n)).toEqual(ofVendas)
    expect((await get('/dashboard', 'admin')).counters).toMatchObject({ supportHappening: 8, tickets: 12, supportFinished: 3 })
    expect((await get(whole, 'admin')).totalTickets.total).toBe(12)
  })

  it('finds nothing by another queue, by no queue, or by a ticket of another queue', async () => {
    const none = { supportHappening: 0, tickets: 0, supportFinished: 0, supportPending: 0 }
    for (const query of [`queueIds=[${suporte}]`, 'queueIds=[0]']) {
      expect((await get(`/dashboard?${query}`)).counters).toMatchObject(none)
      expect(await get(`/dashboard/now?${query}`)).toMatchObject({ supportHappening: 0, supportPending: 0 })
      expect((await get(`/dashboard/ticketsUsers?${query}`)).data).toEqual([])
      expect((await get(`/dashboard/ticketsDay?${query}`)).count).toBe(0)
      expect((await get(`/dashboard/moments?${query}`)).tickets).toEqual([])
      expect((await get(`/ticketreport/reports?${query}`)).totalTickets.total).toBe(0)
      expect(await sheet(`/ticketreport/reports/export?${query}`)).toEqual([])
    }
    expect((await get(`/ticketreport/reports?searchParam=${ofSuporte[0]}`)).tickets).toEqual([])
    expect((await get(`/dashboard?queueIds=[${vendas},${suporte}]`)).counters).toMatchObject({ supportHappening: 3, tickets: 4 })
  })

  it('sees the agents who serve the queue or have tickets in it, and is offered no others', async () => {
    const { attendants, counters } = await get('/dashboard')
    expect(new Set(names(attendants))).toEqual(new Set(['ana', 'bruno', 'dulce']))
    expect(new Set(names((await get('/dashboard/breakdown?by=user')).groups))).toEqual(new Set(['ana', 'bruno', 'dulce']))
    expect(attendants.reduce((sum: number, { tickets }: { tickets: number }) => sum + tickets, 0)).toBe(counters.supportFinished)
    expect(counters.usersTotal).toBe(3)
    expect((await sheet('/dashboard/attendants')).map(([name]) => name)).toEqual(expect.arrayContaining(['ana', 'bruno', 'dulce']))
    expect(JSON.stringify(await sheet('/dashboard/attendants'))).not.toContain('carla')
    const choices = await get('/ticketreport/choices')
    expect([names(choices.queues), names(choices.users)]).toEqual([['Vendas'], ['ana', 'bruno', 'dulce']])
    expect(names((await get('/ticketreport/choices', 'admin')).queues)).toEqual(['Suporte', 'Vendas'])
    expect((await get('/dashboard', 'admin')).counters.usersTotal).toBe(5)
  })

  it('counts new contacts who have a ticket in the queue', async () => {
    expect((await get('/dashboard')).counters.leads).toBe(4)
    expect((await get('/dashboard', 'admin')).counters.leads).toBeGreaterThan(4)
  })

  it('keeps the closing of a ticket that went on elsewhere, without its text', async () => {
    const gone = await served('ana', vendas)
    await put(`/tickets/${gone.id}`, { status: 'closed', sendFarewellMessage: false })
    await put(`/tickets/${gone.id}`, { status: 'open', userId: app.company.users.carla, queueId: suporte })
    expect((await app.as('carla')('POST', `/messages/${gone.id}`, { body: 'Segredo do suporte' })).status).toBeLessThan(300)
    await app.settled()
    const query = `/ticketreport/reports?dateField=closedAt&searchParam=${gone.id}`
    expect((await get(query, 'admin')).tickets).toMatchObject([{ id: gone.id, lastMessage: expect.stringContaining('Segredo') }])
    expect((await get(query)).tickets).toMatchObject([{ id: gone.id, queueName: 'Vendas', lastMessage: '' }])
    expect((await get(`/ticketreport/reports?searchParam=${gone.id}`)).tickets).toEqual([])
    await put(`/tickets/${gone.id}`, { status: 'closed', sendFarewellMessage: false })
  })

  it('shares no count of now with a viewer of all queues, and opens no ticket by its log', async () => {
    await app.settled()
    const [mine, all] = await Promise.all([get('/dashboard/now'), get('/dashboard/now', 'admin')])
    expect([mine.supportHappening, all.supportHappening]).toEqual([3, 8])
    expect((await app.as('dulce')('GET', `/tickets-log/${ofSuporte[0]}`)).status).toBe(404)
    expect((await app.as('carla')('GET', `/tickets-log/${ofSuporte[0]}`)).status).toBe(200)
  })

  it('gets no live frame of another queue, also while one changes', async () => {
    const line = await app.socket('dulce')
    line.emit('joinTickets', 'open')
    line.emit('joinTickets', 'pending')
    await line.fence()
    const other = await served('carla', suporte)
    const own = await served('ana', vendas, { status: 'pending' })
    await put(`/tickets/${other.id}`, { status: 'closed', sendFarewellMessage: false })
    await line.heard((frame) => frame.ticket?.id === own.id)
    await app.settled()
    await line.fence()
    expect(line.of('ticket').map(({ id: of }) => of)).not.toContain(other.id)
    await put(`/tickets/${own.id}`, { status: 'closed', sendFarewellMessage: false })
    line.close()
  })
})

/** How many tickets, agents or queues each call of supervisors answers. */
const sizes: Record<string, () => Promise<number>> = {
  'GET /dashboard': async () => (await get('/dashboard')).counters.tickets,
  'GET /dashboard/attendants': async () => (await sheet('/dashboard/attendants')).length,
  'GET /dashboard/now': async () => (await get('/dashboard/now')).supportHappening,
  'GET /dashboard/ticketsUsers': async () => (await get('/dashboard/ticketsUsers')).data.length,
  'GET /dashboard/ticketsDay': async () => (await get('/dashboard/ticketsDay')).count,
  'GET /dashboard/breakdown': async () => (await get('/dashboard/breakdown?by=queue')).groups.length,
  'GET /dashboard/week': async () => (await get('/dashboard/week')).hours.length,
  'GET /dashboard/at': async () => (await get(`/dashboard/at?moment=${new Date().toISOString()}`)).tickets,
  /* Its steps are every fifth minute, so that the tickets of this minute are in none; the moment above is counted in the same way. */
  'GET /dashboard/film': async () => (await get(`/dashboard/at?moment=${new Date().toISOString()}`)).tickets,
  'GET /usersMoments/at': async () => (await get(`/usersMoments/at?moment=${new Date().toISOString()}`)).tickets.length,
  'GET /usersMoments': async () => (await get('/usersMoments')).tickets.length,
  'GET /dashboard/moments': async () => (await get('/dashboard/moments')).tickets.length,
  'GET /ticketreport/reports': async () => (await get('/ticketreport/reports')).totalTickets.total,
  'GET /ticketreport/reports/export': async () => (await sheet('/ticketreport/reports/export')).length,
  'GET /ticketreport/choices': async () => (await get('/ticketreport/choices')).queues.length,
}
/* Saved filters hold no numbers. Their weekly mail is tested where it is sent. */
const isOfFilter = (call: string) => /^[A-Z]+ \/ticketreport\/filters(\/|$)/.test(call)
it('every call of supervisors is within the limit', async () => {
  const all = Object.values(groups).flatMap((calls): { method: string; path: string; may: unknown }[] => Object.values(calls))
  const theirs = all.filter(({ may }) => may === seesDashboard || may === seesPanel).map(({ method, path }) => `${method} ${path}`)
  expect(Object.keys(sizes).toSorted()).toEqual(theirs.filter((call) => !isOfFilter(call)).toSorted())
  const answers = async () => {
    const read = Object.entries(sizes).map(async ([call, size]) => [call, await size()] as const)
    return await Promise.all(read)
  }
  await limit([vendas])
  expect((await answers()).filter(([, n]) => n === 0)).toEqual([])
  await limit([])
  expect((await answers()).filter(([, n]) => n !== 0)).toEqual([])
})

describe('a change of the limit or of the right', () => {
  it('applies at once, also to open sockets, which reconnect with the new rights', async () => {
    await limit([vendas])
    const line = await app.socket('dulce')
    await limit([suporte])
    expect(await line.closed).toBe(1001)
    await expect.poll(async () => (await get('/dashboard')).counters.supportHappening).toBe(5)
    expect((await get('/auth/me')).reportQueues).toMatchObject([{ id: suporte, name: 'Suporte' }])
    await limit(null)
    await expect.poll(async () => (await get('/dashboard')).counters.supportHappening).toBe(8)
    expect((await get('/auth/me')).reportQueues).toBeNull()
  })

  it('ends every call when the right is taken', async () => {
    await limit([vendas], { showDashboard: 'disabled', allowRealTime: 'disabled' })
    for (const path of ['/dashboard', '/dashboard/now', '/dashboard/ticketsDay', '/usersMoments', '/ticketreport/reports'])
      await expect.poll(async () => (await app.as('dulce')('GET', path)).status).toBe(403)
    await limit([vendas])
  })

  it('an empty list shows nothing, and an admin is never limited', async () => {
    await limit([])
    const { counters, attendants } = await get('/dashboard')
    expect(counters).toMatchObject({ supportHappening: 0, tickets: 0, leads: 0, usersTotal: 0 })
    expect([attendants, (await get('/usersMoments')).tickets]).toEqual([[], []])
    await limit([], { profile: 'admin' })
    await expect.poll(async () => (await get('/dashboard')).counters.supportHappening).toBe(8)
    expect((await get('/auth/me')).reportQueues).toBeNull()
    await limit([vendas], { profile: 'user' })
  })
})

describe('the setting of the user', () => {
  const detail = async () => (await app.as('admin')('GET', `/users/${app.company.users.dulce}`)).body
  it('names queues of the company, and only an admin sets it', async () => {
    const unknown = [suporte, 99_999]
    for (const reportQueueIds of [unknown, [scene.theirs.queue]])
      expect(await app.as('admin')('PUT', `/users/${app.company.users.dulce}`, { reportQueueIds })).toMatchObject({
        status: 404,
        body: { error: 'ERR_NO_QUEUE_FOUND', field: 'reportQueueIds' },
      })
    for (const reportQueueIds of ['todas', [0], [vendas, vendas], ['x']])
      expect((await app.as('admin')('PUT', `/users/${app.company.users.dulce}`, { reportQueueIds })).status).toBe(400)
    const own = await app.as('dulce')('PUT', `/users/${app.company.users.dulce}`, { reportQueueIds: null })
    expect(own).toMatchObject({ status: 403, body: { error: 'ERR_NO_PERMISSION' } })
    const body = { name: 'Sol', email: 'sol@casa.test', reportQueueIds: [suporte, vendas] }
    const { body: made } = await app.as('admin')('POST', '/users', body)
    expect(made).toMatchObject({ reportQueueIds: [vendas, suporte], reportQueues: [{ name: 'Vendas' }, { name: 'Suporte' }] })
    expect((await scene.person()) as object).toMatchObject({ reportQueueIds: null, reportQueues: null })
  })

  it('stays when a change omits it, and the audit names its queues', async () => {
    await limit([vendas])
    await put(`/users/${app.company.users.dulce}`, { name: 'Dulce' })
    expect((await detail()).reportQueueIds).toEqual([vendas])
    await limit(null)
    const { changes } = (await app.as('admin')('GET', `/audit?list=user&rowId=${app.company.users.dulce}`)).body
    expect(changes[0]).toMatchObject({ before: { reportQueues: [{ name: 'Vendas' }] }, after: { reportQueues: null } })
  })

  it('loses a deleted queue, and does not become all when it was the last', async () => {
    const extra = await scene.queue()
    await limit([vendas, extra.id])
    const before = await detail()
    expect((await app.as('admin')('DELETE', `/queue/${extra.id}`)).status).toBeLessThan(300)
    expect(await detail()).toMatchObject({ reportQueueIds: [vendas], version: before.version + 1 })
    const last = await scene.queue()
    await limit([last.id])
    const line = await app.socket('dulce')
    expect((await app.as('admin')('DELETE', `/queue/${last.id}`)).status).toBeLessThan(300)
    expect(await line.closed).toBe(1001)
    expect((await detail()).reportQueueIds).toEqual([])
    expect((await get('/dashboard')).counters).toMatchObject({ tickets: 0, supportHappening: 0 })
    expect((await get('/auth/me')).reportQueues).toEqual([])
  })
})
