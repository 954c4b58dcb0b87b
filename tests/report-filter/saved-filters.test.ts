import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mostFilters } from '#domain/report-filter/rules.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const filter = { period: 'thisMonth', onlyRated: true, sort: 'NPS', direction: 'asc' }
type Who = 'admin' | 'dulce' | 'root' | 'ana'
const save = (who: Who, name: string, more: object = {}) => app.as(who)('POST', '/ticketreport/filters', { name, filter, ...more })
const names = async (who: Who) => (await app.as(who)('GET', '/ticketreport/filters')).body.filters.map(({ name }: { name: string }) => name)
const at = ({ body }: { body: { id: number } }) => `/ticketreport/filters/${body.id}`
const code = ({ status, body }: { status: number; body: any }) => [status, body?.error ?? null]

describe('saved filters of the report', () => {
  it('are private until they are shared with the supervisors of the company', async () => {
    const { vendas } = app.company.queues
    const mine = await save('dulce', 'Avaliados', { filter: { ...filter, queueIds: `[${vendas}]`, users: `[${app.company.users.bruno}]` } })
    expect(mine.body).toMatchObject({ name: 'Avaliados', shared: false, userName: 'dulce', filter: { queueIds: `[${vendas}]` } })
    expect([await names('dulce'), await names('admin'), await names('root')]).toEqual([['Avaliados'], [], []])
    expect(code(await app.as('admin')('PUT', at(mine), { shared: true }))).toEqual([404, 'ERR_NO_REPORT_FILTER_FOUND'])
    expect((await app.as('dulce')('PUT', at(mine), { shared: true, version: 1 })).body).toMatchObject({ shared: true, version: 2 })
    expect([await names('admin'), await names('root')]).toEqual([['Avaliados'], []])
    expect(code(await app.as('root')('GET', at(mine)))).toEqual([404, 'ERR_NO_REPORT_FILTER_FOUND'])
    expect(code(await app.as('dulce')('PUT', at(mine), { name: 'Outro', version: 1 }))).toEqual([409, 'ERR_ROW_CHANGED'])
    expect((await app.as('dulce')('DELETE', at(mine))).status).toBe(204)
    expect(await names('admin')).toEqual([])
  })

  it('are changed by their owner; an admin may change a shared one, another supervisor may not', async () => {
    const shared = await save('admin', 'De todos', { shared: true })
    expect(code(await app.as('dulce')('PUT', at(shared), { name: 'Meu' }))).toEqual([403, 'ERR_NO_PERMISSION'])
    expect(code(await app.as('dulce')('DELETE', at(shared)))).toEqual([403, 'ERR_NO_PERMISSION'])
    const theirs = await save('dulce', 'Da Dulce', { shared: true })
    expect((await app.as('admin')('PUT', at(theirs), { name: ' Da equipe ' })).body).toMatchObject({ name: 'Da equipe', userName: 'dulce' })
    await Promise.all([app.as('admin')('DELETE', at(shared)), app.as('admin')('DELETE', at(theirs))])
  })

  it('have a name once per owner, whatever its case and accents', async () => {
    const first = await save('dulce', 'Só avaliados')
    expect(code(await save('dulce', ' só AVALIADOS '))).toEqual([409, 'ERR_DUPLICATED_NAME'])
    const other = await save('admin', 'Só avaliados')
    expect(other.status).toBe(200)
    await Promise.all([app.as('dulce')('DELETE', at(first)), app.as('admin')('DELETE', at(other))])
  })

  it('refuse what the report does not filter by', async () => {
    for (const wrong of [{ period: 'someday' }, { page: 2 }, { queueIds: 'all' }, { dateFrom: 'ontem' }, { weekHour: 200 }])
      expect(code(await save('admin', 'Errado', { filter: { ...filter, ...wrong } }))).toEqual([400, 'ERR_INVALID_INPUT'])
    for (const name of ['', ' ', 'x'.repeat(61), 'a\u0000b']) expect(code(await save('admin', name))).toEqual([400, 'ERR_INVALID_INPUT'])
    expect(code(await app.as('ana')('GET', '/ticketreport/filters'))).toEqual([403, 'ERR_NO_PERMISSION'])
  })

  it('mask the numbers in a shared filter for a masked supervisor (V19)', async () => {
    const number = '5511987654321'
    const made = await save('admin', `Cliente ${number}`, { shared: true, filter: { ...filter, searchParam: number } })
    for (const key of ['enableLGPD', 'lgpdHideNumber'] as const) await app.set(key, 'enabled')
    const { filters } = (await app.as('dulce')('GET', '/ticketreport/filters')).body
    expect(filters).toMatchObject([{ name: 'Cliente 5511*******21', filter: { searchParam: '5511*******21' } }])
    expect(JSON.stringify((await app.as('dulce')('GET', at(made))).body)).not.toContain('98765')
    for (const key of ['enableLGPD', 'lgpdHideNumber'] as const) await app.set(key, 'disabled')
    expect(JSON.stringify((await app.as('dulce')('GET', '/audit?list=reportFilter')).body)).not.toContain(`"searchParam"`)
    await app.as('admin')('DELETE', at(made))
  })

  it('end at a limit, also of calls at the same time', async () => {
    const rows = Array.from({ length: mostFilters - 1 }, (_, n) => ({
      ...{ companyId: app.company.companies.casa, userId: app.company.users.dulce, name: `Nº ${n}`, filter: JSON.stringify(filter) },
    }))
    await app.db.insertInto('reportFilter').values(rows).execute()
    const both = await Promise.all([save('dulce', 'Último'), save('dulce', 'Demais')])
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(both.find(({ status }) => status === 400)!.body.error).toBe('ERR_REPORT_FILTERS_TOO_MANY')
    expect((await save('admin', 'De outro')).status).toBe(200)
  })
})
