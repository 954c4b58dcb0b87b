import { expect, it } from 'vitest'
import { matchingTags } from '#web/ticket/drawer/matching-tags.ts'

const tags = [
  { id: 1, name: 'A VIP' },
  { id: 2, name: 'VIP' },
  { id: 3, name: 'Boleto' },
]

it('the tag with exactly the typed name comes first, because Enter adds it', () => {
  expect(matchingTags(tags, [], ' vip ').map(({ id }) => id)).toEqual([2, 1])
  expect(matchingTags(tags, [2], 'vip').map(({ id }) => id)).toEqual([1])
  expect(matchingTags(tags, [], '').map(({ id }) => id)).toEqual([1, 2, 3])
})
