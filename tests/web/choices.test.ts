import { expect, it } from 'vitest'
import { signedIn } from '#domain/access.ts'
import { queue } from '#domain/queue/contract.ts'
import { tag } from '#domain/tag/contract.ts'
import { listTopic } from '#domain/topic.ts'

/* The pickers name the topics of these lists themselves, so that the first page does not load their contracts. */
it.each([
  ['queue', queue.topic],
  ['tag', tag.topic],
])('the %s picker uses the topic of its contract', (name, { name: told, field, sees }) => {
  const { sees: mine, ...topic } = listTopic(name, signedIn)
  expect(topic).toEqual({ name: told, field })
  expect([mine(null as never, {}), mine({} as never, {})]).toEqual([sees(null as never, {} as never), sees({} as never, {} as never)])
})
