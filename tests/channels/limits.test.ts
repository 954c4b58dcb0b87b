import { expect, it } from 'vitest'
import { fileLimitOf, limitOf, pauses, tokenBucket } from '#app/outbound/limits.ts'

it('a token bucket allows the burst and the rate, and never delays longer than needed', () => {
  let now = 0
  const spend = tokenBucket({ burst: 5, perSecond: 2 }, () => now)
  const through: number[] = []
  while (now < 10_000) {
    const ms = spend()
    if (ms === 0) through.push(now)
    now += ms
  }
  expect(through.slice(0, 5)).toEqual([0, 0, 0, 0, 0])
  expect(through).toHaveLength(5 + 2 * 10 - 1)
  for (const [i, at] of through.entries()) expect(i + 1).toBeLessThanOrEqual(5 + 2 * (at / 1000) + 1e-9)
})

it('a token bucket saves at most one burst', () => {
  let now = 0
  const spend = tokenBucket({ burst: 3, perSecond: 100 }, () => now)
  now = 3_600_000
  expect([spend(), spend(), spend(), spend()]).toEqual([0, 0, 0, 10])
})

it('an unknown provider gets the strictest limit', () => expect(limitOf('another')).toEqual(limitOf('beta')))

it.each([
  ['a message of a page', limitOf('graph'), 40],
  ['a file of a page', fileLimitOf('graph'), 10],
])('%s stays below Meta’s limit in every second', (_, limit, most) => {
  let now = 0
  const spend = tokenBucket(limit, () => now)
  const through: number[] = []
  while (through.length < 5 * most) {
    const ms = spend()
    if (ms === 0) through.push(now)
    now += ms
  }
  for (const [i, at] of through.entries()) expect(through.slice(i).filter((one) => one < at + 1000).length).toBeLessThanOrEqual(most)
})

it('a file has the same limit as a message if the provider does not distinguish', () =>
  expect(fileLimitOf('cloud')).toEqual(limitOf('cloud')))

it('unsolicited messages of a number linked by QR code are one to two seconds apart', () => {
  let now = 0
  const { ms, left } = pauses(limitOf('beta').apart!, () => now)
  const waits = Array.from({ length: 200 }, () => {
    left()
    const wait = ms()
    now += wait
    return wait
  })
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(1000)
  expect(Math.max(...waits)).toBeLessThanOrEqual(2000)
  expect(new Set(waits).size).toBeGreaterThan(50)
  for (const provider of ['cloud', 'graph', 'sandbox']) expect(limitOf(provider).apart).toBeUndefined()
})
