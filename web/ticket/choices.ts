import type { Static } from 'typebox'
import { signedIn } from '#domain/access.ts'
import type { ConnectionRow } from '#domain/connection/contract.ts'
import { connectionTopic } from '#domain/connection/topic.ts'
import type { QueueRow } from '#domain/queue/contract.ts'
import { byQueueOrder } from '#domain/queue/rules.ts'
import type { tags } from '#domain/tag/contract.ts'
import { listTopic } from '#domain/topic.ts'
import type { UserRow } from '#domain/user/contract.ts'
import { userTopic } from '#domain/user/topic.ts'
import { api } from '#web/api.ts'
import { createLiveCollection } from '#web/live.ts'
import type { Page } from '#web/live-rows.ts'
import { compareNames } from '#web/name-order.ts'

type TagChoice = Static<(typeof tags)['choices']['answer']>[number]
const whole = <Row>(rows: Row[]): Page<Row> => ({ rows, hasMore: false })
const byName = (a: { name: string }, b: { name: string }) => compareNames(a.name, b.name)

/** Short lists that pickers show whole; they are live while a picker is open. */
export const queueChoices = createLiveCollection<QueueRow>({
  topic: listTopic<QueueRow>('queue', signedIn),
  load: async () => whole(await api.queues.list()),
  order: byQueueOrder,
})
export const tagChoices = createLiveCollection<TagChoice>({
  topic: listTopic<TagChoice>('tag', signedIn),
  load: async () => whole((await api.tags.choices({ query: {} })).filter(({ kanban }) => kanban === 0).toSorted(byName)),
  belongs: ({ kanban }) => kanban === 0,
  order: byName,
})
export const userChoices = createLiveCollection<UserRow>({
  topic: userTopic,
  load: async () => whole((await api.users.choices({ query: {} })).toSorted(byName)),
  order: byName,
})
export const connectionChoices = createLiveCollection<ConnectionRow>({
  topic: connectionTopic,
  load: async () => whole((await api.connections.list({ query: {} })).toSorted(byName)),
  order: byName,
})
