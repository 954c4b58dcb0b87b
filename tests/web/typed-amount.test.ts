import { expect, it } from 'vitest'
import { typedAmount } from '#web/ticket/drawer/typedAmount.ts'

it.each([
  ['500', 500],
  ['1.234,56', 1234.56],
  ['1,234.56', 1234.56],
  ['1.234', 1234],
  ['1,234,567', 1_234_567],
  ['R$ 1.500,5', 1500.5],
  ['0', 0],
  [' ', null],
  ['', null],
])('the amount %j is read in any number format', (text, amount) => expect(typedAmount(text)).toBe(amount))

it.each(['-5', 'abc', '12.34.56', '1,2345', '1e3', '1.000.000.000,00', 'R$ x'])('the amount %j is invalid', (text) =>
  expect(typedAmount(text)).toBeUndefined(),
)
