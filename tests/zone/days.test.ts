import { describe, expect, it } from 'vitest'
import { dayIn, endOfDay, isTimeZone, startOfDay, timeIn } from '#domain/zone/rules.ts'

describe('a day', () => {
  it.each([
    ['America/Sao_Paulo', '2026-11-22', '2026-11-22T03:00:00.000Z', '2026-11-23T03:00:00.000Z'],
    ['Asia/Kathmandu', '2026-03-01', '2026-02-28T18:15:00.000Z', '2026-03-01T18:15:00.000Z'],
    ['Europe/Istanbul', '2026-01-01', '2025-12-31T21:00:00.000Z', '2026-01-01T21:00:00.000Z'],
    ['Europe/Lisbon', '2026-03-29', '2026-03-29T00:00:00.000Z', '2026-03-29T23:00:00.000Z'], // 23 hours
    ['America/Sao_Paulo', '2018-02-17', '2018-02-17T02:00:00.000Z', '2018-02-18T03:00:00.000Z'], // 25 hours
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z'], // midnight did not exist
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'], // the clock went back to midnight
  ])('in %s, %s begins and ends by local time', (zone, day, from, to) => {
    expect([startOfDay(zone, day).toISOString(), endOfDay(zone, day).toISOString()]).toEqual([from, to])
    expect(dayIn(zone, startOfDay(zone, day))).toBe(day)
    expect(dayIn(zone, new Date(startOfDay(zone, day).getTime() - 1)) < day).toBe(true)
  })
  it('can be any date that a form allows', () => {
    for (const day of ['0001-01-01', '9999-12-31']) expect(Number.isNaN(endOfDay('UTC', day).getTime())).toBe(false)
  })
})

it('has the local time of its zone', () => {
  const at = new Date('2026-01-05T02:07:00Z')
  expect([timeIn('America/Sao_Paulo', at), dayIn('America/Sao_Paulo', at)]).toEqual(['23:07', '2026-01-04'])
  expect([timeIn('Asia/Tokyo', at), dayIn('Asia/Tokyo', at)]).toEqual(['11:07', '2026-01-05'])
})

it('accepts zone names and no offsets', () => {
  expect(['America/Sao_Paulo', 'UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+3'].filter((name) => !isTimeZone(name))).toEqual([])
  expect(['', 'BRT', '+03:00', 'Nowhere/At_All', 'America', "America/Sao_Paulo'; --"].filter(isTimeZone)).toEqual([])
})
