import { expect, it } from 'vitest'
import { cleanName } from '#domain/contract.ts'
import { orderText } from '#domain/order/rules.ts'

const item = (name: string, quantity: number, price: number | null, currency = 'BRL') => ({ name, quantity, price, currency })
const order = (...items: ReturnType<typeof item>[]) =>
  orderText({ title: '', items, total: null, currency: '', note: 'Sem cebola, por favor.' })

it('an order lists its items with prices, the total and the note', () =>
  expect(order(item('pizza', 2, 40), item('suco', 1, 9.5))).toBe(
    '2 × pizza · R$ 40,00\n1 × suco · R$ 9,50\nTotal: R$ 89,50\nSem cebola, por favor.',
  ))
it('an order has no total with several currencies, missing prices or impossible quantities', () => {
  for (const second of [item('a', 1, 10, 'USD'), item('b', 1, null), item('c', -5, 10), item('d', 1e23, 10), item('e', 0.5, 10)])
    expect(order(item('pizza', 1, 10), second)).not.toContain('Total')
})

it('a reported name is cut to the length of the form field', () => {
  expect(cleanName('á'.repeat(5000))).toHaveLength(250)
  expect(cleanName(`${'a'.repeat(249)}😀`).isWellFormed()).toBe(true)
})
