import { expect, it } from 'vitest'
import { fittedHeight, mostHeight } from '#web/message/composer/field-height.ts'

it('a chosen height is at least two lines, and the composer at most 60 % of the chat', () => {
  expect(fittedHeight(10, 900)).toBe(52)
  expect(fittedHeight(300.4, 900)).toBe(300)
  expect(fittedHeight(2000, 900)).toBe(468)
  expect(mostHeight(900) + 72).toBe(0.6 * 900)
})
it('a chat that is too low for both limits keeps two lines', () => expect(fittedHeight(300, 100)).toBe(52))
