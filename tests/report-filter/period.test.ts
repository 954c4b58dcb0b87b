import { describe, expect, it } from 'vitest'
import { daysOf, mondayOf, periodOf, weekdayOf } from '#domain/report-filter/rules.ts'

describe('the period of a saved filter', () => {
  it('moves with today, unless it has days of its own', () => {
    expect(daysOf({ period: 'thisMonth' }, '2026-11-28')).toEqual({ dateFrom: '2026-11-01', dateTo: '2026-11-28' })
    expect(daysOf({ period: 'thisMonth' }, '2026-12-02')).toEqual({ dateFrom: '2026-12-01', dateTo: '2026-12-02' })
    expect(daysOf({ period: 'last7Days' }, '2026-11-03')).toEqual({ dateFrom: '2026-10-28', dateTo: '2026-11-03' })
    expect(daysOf({ period: 'lastMonth' }, '2026-03-31')).toEqual({ dateFrom: '2026-02-01', dateTo: '2026-02-28' })
    expect(daysOf({ period: 'today' }, '2026-03-31')).toEqual({ dateFrom: '2026-03-31', dateTo: '2026-03-31' })
    expect(daysOf({ period: 'days', dateFrom: '2026-01-02', dateTo: '2026-01-03' }, '2026-03-31')).toEqual({
      ...{ dateFrom: '2026-01-02', dateTo: '2026-01-03' },
    })
  })

  it('last week is the whole week from Monday to Sunday before this one (V45)', () => {
    for (const today of ['2026-11-02', '2026-11-05', '2026-11-08'])
      expect(daysOf({ period: 'lastWeek' }, today)).toEqual({ dateFrom: '2026-10-26', dateTo: '2026-11-01' })
    expect(['2026-11-02', '2026-11-08'].map(weekdayOf)).toEqual([0, 6])
    expect(mondayOf('2027-01-01')).toBe('2026-12-28')
  })

  it('is recognised from the days that are shown', () => {
    const today = '2026-11-28'
    for (const period of ['today', 'last7Days', 'lastWeek', 'thisMonth', 'lastMonth'] as const)
      expect(periodOf(daysOf({ period }, today) as { dateFrom: string; dateTo: string }, today)).toBe(period)
    expect(periodOf({ dateFrom: '2026-11-03', dateTo: '2026-11-05' }, today)).toBe('days')
    expect(periodOf({ dateFrom: '2026-11-01', dateTo: '2026-11-01' }, '2026-11-01')).toBe('thisMonth')
  })
})
