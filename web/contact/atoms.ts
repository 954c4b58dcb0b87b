import { atom } from 'jotai'
import { type ConnectionRow, connectionTopic } from '#domain/connection/contract.ts'
import { type ContactRow, contactTopic } from '#domain/contact/contract.ts'
import { isCalled } from '#domain/contact/rules.ts'
import { type QueueRow, queue } from '#domain/queue/contract.ts'
import { type TagRow, tag } from '#domain/tag/contract.ts'
import { api } from '#web/api.ts'
import { collection, collections } from '#web/live.ts'
import { typed } from '#web/ui/search.ts'

type Wanted = { search: string; tagId: number | null }
export const contactLists = collections(({ search, tagId }: Wanted) =>
  collection<ContactRow>({
    topic: contactTopic,
    load: async (pageNumber) => {
      const { contacts, hasMore } = await api.contacts.list({
        query: { pageNumber, ...(search && { searchParam: search }), ...(tagId && { contactTag: JSON.stringify([tagId]) }) },
      })
      return { rows: contacts, hasMore }
    },
    belongs: (row) => row.validNumber && isCalled(row, search) && (tagId === null || row.tags.some(({ id }) => id === tagId)),
  }),
)
export const contactSearch = typed()
export const tagFilterAtom = atom<number | null>(null)

const whole =
  <Row>(load: () => Promise<Row[]>) =>
  async () => ({ rows: await load(), hasMore: false })
export const tagChoices = collection<TagRow>({
  topic: tag.topic,
  load: whole(async () => (await api.tags.choices({ query: {} })).filter(({ kanban }) => kanban !== 1) as TagRow[]),
  belongs: ({ kanban }) => kanban !== 1,
})
export const queueChoices = collection<QueueRow>({ topic: queue.topic, load: whole(() => api.queues.list()) })
export const connectionChoices = collection<ConnectionRow>({
  topic: connectionTopic,
  load: whole(() => api.connections.list({ query: {} })),
})
