import { expect, it } from 'vitest'
import { fileLimitOf, limitOf, pauses, tokenBucket } from '#app/outbound/limits.ts'

it('lets no more through than the burst and what came since, and makes nobody wait longer than for the next', () => {
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

it('saves up no more than a burst', () => {
  let now = 0
  const spend = tokenBucket({ burst: 3, perSecond: 100 }, () => now)
  now = 3_600_000
  expect([spend(), spend(), spend(), spend()]).toEqual([0, 0, 0, 10])
})

it('is careful with a provider of which nothing is known', () => expect(limitOf('another')).toEqual(limitOf('beta')))

it.each([
  ['what a page says', limitOf('graph'), 40],
  ['what carries a file there', fileLimitOf('graph'), 10],
])('%s is in no second more than Meta bears', (_, limit, most) => {
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

it('a file waits no longer than any other message where its provider makes no difference', () =>
  expect(fileLimitOf('cloud')).toEqual(limitOf('cloud')))

it('keeps two messages to people who did not write one to two seconds apart on a number by QR code, and no answer', () => {
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
