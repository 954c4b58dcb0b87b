import { expect, it } from 'vitest'
import { addressOf, viewOf } from '#web/report/filter.ts'
import { isShown, savedOf, viewOfSaved, withPeriod } from '#web/report-filter/saved.ts'

const view = (address: string) => viewOf(new URLSearchParams(address))

it('a saved filter gives back every part of the address (V25)', () => {
  const address =
    'queueIds=5%2C6&users=8&whatsappId=4&tags=0&status=open%2Cclosed&searchParam=%5B1%5D+maria&contactId=3&dateFrom=2025-10-02&dateTo=2025-10-31&dateField=closedAt&onlyRated=true&imported=true&counted=true&sort=NPS&direction=asc'
  const saved = withPeriod(savedOf(view(address)))
  expect(saved).toMatchObject({ period: 'days', dateFrom: '2025-10-02', users: '[8]' })
  const back = new URLSearchParams(addressOf(viewOfSaved(saved)))
  expect(Object.fromEntries(back)).toEqual(Object.fromEntries(new URLSearchParams(address)))
  expect([isShown(saved, view(`${address}&page=3`)), isShown(saved, view(`${address}&weekHour=3`))]).toEqual([true, false])
})

it('a relative period shows the days of today, not those of the day on which it was saved', () => {
  const saved = withPeriod(savedOf(view('dateFrom=2026-10-26&dateTo=2026-11-01&onlyRated=true'), '2026-11-05'))
  expect(saved).toMatchObject({ period: 'lastWeek', onlyRated: true })
  expect(saved).not.toHaveProperty('dateFrom')
  expect(viewOfSaved(saved, '2026-11-10')).toMatchObject({ dateFrom: '2026-11-02', dateTo: '2026-11-08', onlyRated: true })
})
