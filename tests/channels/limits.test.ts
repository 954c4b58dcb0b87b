import { expect, it } from 'vitest'
import { limitOf, tokenBucket } from '#app/channels/limits.ts'

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
