import { expect, it } from 'vitest'
import { signedIn } from '#domain/access.ts'
import { queue } from '#domain/queue/contract.ts'
import { tag } from '#domain/tag/contract.ts'
import { listTopic } from '#domain/topic.ts'

/* The pickers name the topics of these lists themselves, so that the first page does without their contracts. */
it.each([
  ['queue', queue.topic],
  ['tag', tag.topic],
])('hears of a %s by the topic that its contract tells', (name, { name: told, field, sees }) => {
  const { sees: mine, ...topic } = listTopic(name, signedIn)
  expect(topic).toEqual({ name: told, field })
  expect([mine(null as never, {}), mine({} as never, {})]).toEqual([sees(null as never, {} as never), sees({} as never, {} as never)])
})
