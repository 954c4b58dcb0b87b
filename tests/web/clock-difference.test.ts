import { describe, expect, it } from 'vitest'
import { createClockDifference } from '#web/ui/clock-difference.ts'

const server = Date.parse('2026-11-10T10:03:00.400Z')
/** An answer of the server `after` ms later, to a device whose clock is `fast` ms ahead. The request takes 200 ms. */
const answer = (of: ReturnType<typeof createClockDifference>, fast: number, after = 0) => {
  const at = server + after
  return of.note(new Date(at).toUTCString(), at + fast - 100, at + fast + 100)
}

describe('the clock of a device', () => {
  it('is corrected by the server’s time to less than a second (V46)', () => {
    for (const fast of [420_000, -420_000, 5000]) {
      const difference = createClockDifference()
      for (const after of [0, 700, 1400, 2300, 3100]) answer(difference, fast, after)
      expect(Math.abs(difference.ms() + fast)).toBeLessThan(600)
    }
  })

  it('is not corrected if it may be right', () => {
    const difference = createClockDifference()
    expect([answer(difference, 0), answer(difference, 300, 900), difference.ms()]).toEqual([false, false, 0])
  })

  it('is corrected anew after it was set', () => {
    const difference = createClockDifference()
    answer(difference, 420_000)
    answer(difference, 0, 1000)
    expect(difference.ms()).toBe(0)
  })

  it('is not corrected by an answer without a time', () => {
    const difference = createClockDifference()
    expect([difference.note(null, 1, 2), difference.note('yesterday', 1, 2), difference.ms()]).toEqual([false, false, 0])
  })
})
