import type { Static } from 'typebox'
import { type ConnectionRow, connectionTopic } from '#domain/connection/contract.ts'
import type { Topic } from '#domain/contract.ts'
import { type QueueRow, queue } from '#domain/queue/contract.ts'
import { tag, type tags } from '#domain/tag/contract.ts'
import { type UserRow, userTopic } from '#domain/user/contract.ts'
import { api } from '#web/api.ts'
import { collection, type Page } from '#web/live.ts'

type TagChoice = Static<(typeof tags)['choices']['answer']>[number]
const whole = <Row>(rows: Row[]): Page<Row> => ({ rows, hasMore: false })
const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)

/** Short lists that pickers show whole; live while one of them is open. */
export const queueChoices = collection<QueueRow>({
  topic: queue.topic as Topic<QueueRow>,
  load: async () => whole((await api.queues.list()).toSorted(byName)),
  order: byName,
})
export const tagChoices = collection<TagChoice>({
  topic: tag.topic as unknown as Topic<TagChoice>,
  load: async () => whole((await api.tags.choices({ query: {} })).filter(({ kanban }) => kanban === 0).toSorted(byName)),
  belongs: ({ kanban }) => kanban === 0,
  order: byName,
})
export const userChoices = collection<UserRow>({
  topic: userTopic,
  load: async () => whole((await api.users.choices({ query: {} })).toSorted(byName)),
  order: byName,
})
export const connectionChoices = collection<ConnectionRow>({
  topic: connectionTopic,
  load: async () => whole((await api.connections.list({ query: {} })).toSorted(byName)),
  order: byName,
})
