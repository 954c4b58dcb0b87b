import { expect, it } from 'vitest'
import { byQueueOrder } from '#domain/queue/rules.ts'
import { moveBy, moveTo } from '#web/ui/row-order.ts'

it('a row moves by one step, and not beyond the ends', () => {
  expect(moveBy([1, 2, 3], 2, -1)).toEqual([2, 1, 3])
  expect(moveBy([1, 2, 3], 2, 1)).toEqual([1, 3, 2])
  expect(moveBy([1, 2, 3], 1, -1)).toBeNull()
  expect(moveBy([1, 2, 3], 3, 1)).toBeNull()
})

it('a row is dropped above or below another', () => {
  expect(moveTo([1, 2, 3], 3, 1, 'top')).toEqual([3, 1, 2])
  expect(moveTo([1, 2, 3], 1, 2, 'bottom')).toEqual([2, 1, 3])
})

it('queues without a place follow those that have one, by id', () => {
  const rows = [
    { id: 4, orderQueue: null },
    { id: 3, orderQueue: null },
    { id: 2, orderQueue: 1 },
    { id: 1, orderQueue: 2 },
  ]
  expect(rows.toSorted(byQueueOrder).map(({ id }) => id)).toEqual([2, 1, 3, 4])
})
