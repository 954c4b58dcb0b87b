import excel from 'exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, type Scene } from '#tests/http/scene.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
let scene: Scene
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
})
afterAll(() => app.stop())

const report = (query: string, who: 'admin' | 'ana' | 'root' = 'admin') => app.as(who)('GET', `/ticketreport/reports?${query}`)

describe('GET /ticketreport/reports', () => {
  it('is for supervisors', async () => {
    expect(await report('', 'ana')).toMatchObject({ status: 403, body: { error: 'ERR_NO_PERMISSION' } })
  })

  it('answers pages and all rows alike', async () => {
    const made = [await scene.waiting(), await scene.served(), await scene.served()]
    await app.settled()
    const page = (await report('pageSize=5&sort=id&direction=asc')).body
    const all = (await report('pageSize=9999999&sort=id&direction=asc')).body
    expect(all.totalTickets.total).toBe(all.tickets.length)
    expect(page).toEqual({ tickets: all.tickets.slice(0, 5), totalTickets: all.totalTickets, countedTickets: all.tickets.length })
    expect(all.tickets.map(({ id }: { id: number }) => id)).toEqual(expect.arrayContaining(made.map(({ id }) => id)))
    expect((await report('pageSize=9999999&users=[2147483]')).body).toEqual({ tickets: [], totalTickets: { total: 0 } })
    expect((await report('pageSize=7')).status).toBe(400)
  })

  it('shows nothing of another company, also by its ids', async () => {
    const { queue, user, connection, contact } = scene.theirs
    for (const filter of [`queueIds=[${queue}]`, `users=[${user}]`, `whatsappId=[${connection}]`, `contactId=${contact}`])
      expect({ filter, total: (await report(filter)).body.totalTickets.total }).toEqual({ filter, total: 0 })
  })
})

async function fileOf(who: 'admin' | 'ana', query: string) {
  const headers = { authorization: `Bearer ${await app.tokenOf(who)}` }
  const answer = await fetch(`${app.url}/api/ticketreport/reports/export?${query}`, { headers })
  const book = new excel.Workbook()
  await book.xlsx.load(await answer.arrayBuffer())
  return book
}

describe('GET /ticketreport/reports/export', () => {
  it('shows a masked supervisor no digits, in the list and in the file (A-LGPD-05, V19)', async () => {
    const number = '5511987650021'
    await app.phone.says(number, `${number}@s.whatsapp.net`, { name: number })
    await app.settled()
    await app.as('admin')('PUT', `/users/${scene.users.ana}`, { showDashboard: 'enabled' })
    for (const key of ['enableLGPD', 'lgpdHideNumber'] as const) await app.set(key, 'enabled')
    const query = `searchParam=${number}`
    const { tickets } = (await report(query, 'ana')).body
    expect(tickets).toMatchObject([{ contactName: '5511*******21', contactNumber: '5511*******21' }])
    expect(JSON.stringify(tickets)).not.toContain('98765')
    const book = await fileOf('ana', query)
    const cells: string[] = []
    book.worksheets[0]!.eachRow((row) => row.eachCell(({ text }) => void cells.push(text)))
    expect([cells.filter((cell) => cell === '5511*******21').length, cells.some((cell) => cell.includes('98765'))]).toEqual([2, false])
    for (const key of ['enableLGPD', 'lgpdHideNumber'] as const) await app.set(key, 'disabled')
  })

  it('answers the listed tickets as a file, and the export is in the security log', async () => {
    const answer = await fetch(`${app.url}/api/ticketreport/reports/export?sort=id&direction=asc`, {
      headers: { authorization: `Bearer ${await app.tokenOf('admin')}` },
    })
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
      200,
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'attachment; filename="relatorio-de-atendimentos.xlsx"',
    ])
    const book = new excel.Workbook()
    await book.xlsx.load(await answer.arrayBuffer())
    const numbers: unknown[] = []
    book.worksheets[0]!.eachRow((row, n) => n > 1 && numbers.push(row.getCell(1).value))
    const all = (await report('pageSize=9999999&sort=id&direction=asc')).body
    expect(numbers).toEqual(all.tickets.map(({ id }: { id: number }) => id))
    const { body } = await app.as('dulce')('GET', '/security-log?kind=exported')
    expect(JSON.stringify(body)).toContain('xlsx')
  })

  it('measures in opening hours like the list and the dashboard, and names the mode (A-COUNT-05)', async () => {
    const [, ...titles] = await Promise.all([
      scene.served(),
      ...['reports/export?openHours=true', 'reports/export?openHours=false'].map(async (path) => {
        const headers = { authorization: `Bearer ${await app.tokenOf('admin')}` }
        const book = new excel.Workbook()
        await book.xlsx.load(await (await fetch(`${app.url}/api/ticketreport/${path}`, { headers })).arrayBuffer())
        return book.worksheets[0]!.getRow(1).getCell(12).text
      }),
    ])
    expect(titles).toEqual(['Espera (só horário de atendimento)', 'Espera'])
    const { counters } = (await app.as('admin')('GET', '/dashboard?openHours=true')).body
    expect(counters.closedTimes.waiting.n).toBe(counters.times.waiting.n)
    expect((await app.as('admin')('GET', '/dashboard')).body.counters.closedTimes).toBe(null)
    for (const path of ['/dashboard', '/dashboard/attendants', '/ticketreport/reports'])
      expect(await app.as('admin')('GET', `${path}?openHours=maybe`)).toMatchObject({ status: 400, body: { error: 'ERR_INVALID_INPUT' } })
  })

  it('refuses a wrong range before the file begins', async () => {
    const answer = await app.as('admin')('GET', '/ticketreport/reports/export?dateFrom=2026-11-02&dateTo=2026-11-01')
    expect(answer).toMatchObject({ status: 400, body: { error: 'ERR_INVALID_RANGE' } })
  })
})
