import { describe, expect, it } from 'vitest'
import { addressOf, filterOf, firstView, isNarrowed, viewOf } from '#web/report/filter.ts'

const view = (address: string) => viewOf(new URLSearchParams(address))

describe('the address of the report (V25)', () => {
  it('is empty at first, and the first list uses the days that are shown (R-REPORT-01)', () => {
    const first = firstView()
    expect([addressOf(first).toString(), view('')]).toEqual(['', first])
    expect(filterOf(first)).toEqual({
      ...{ dateFrom: first.dateFrom, dateTo: first.dateTo, dateField: 'createdAt', sort: 'createdAt', direction: 'desc' },
    })
    expect(first.dateFrom.endsWith('-01')).toBe(true)
    expect([isNarrowed(first), isNarrowed({ ...first, page: 3, pageSize: 50, sort: 'NPS' })]).toEqual([false, false])
  })

  it('keeps every part', () => {
    const address =
      'queueIds=5%2C6&users=8&whatsappId=4&tags=0&status=open%2Cclosed&searchParam=maria&contactId=3&dateFrom=2026-10-01&dateTo=2026-10-31&dateField=closedAt&onlyRated=true&imported=true&counted=true&target=missed&openHours=true&sort=NPS&direction=asc&page=2&pageSize=50'
    const shown = view(address)
    expect(shown).toEqual({
      ...{ queueIds: [5, 6], users: [8], whatsappId: [4], tags: [0], status: ['open', 'closed'], searchParam: 'maria', contactId: 3 },
      ...{
        dateFrom: '2026-10-01',
        dateTo: '2026-10-31',
        dateField: 'closedAt',
        onlyRated: true,
        imported: true,
        counted: true,
        target: 'missed',
        openHours: true,
      },
      ...{ sort: 'NPS', direction: 'asc', page: 2, pageSize: 50 },
    })
    expect(Object.fromEntries(addressOf(shown))).toEqual(Object.fromEntries(new URLSearchParams(address)))
    expect(filterOf(shown)).toMatchObject({ queueIds: '[5,6]', users: '[8]', tags: '[0]', status: '["open","closed"]' })
    expect(isNarrowed(shown)).toBe(true)
  })

  it('ignores what it does not understand', () => {
    const first = firstView()
    expect(view('queueIds=x&status=nosuch&dateFrom=yesterday&sort=x&page=-1&pageSize=7&dateField=x&contactId=x')).toEqual(first)
  })
})
