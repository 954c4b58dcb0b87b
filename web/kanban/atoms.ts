import type { Topic } from '#domain/contract.ts'
import { type TagRow, tag } from '#domain/tag/contract.ts'
import { type TicketRow, ticketTopic } from '#domain/ticket/contract.ts'
import { api } from '#web/api.ts'
import { collection, collections } from '#web/live.ts'
import type { Days } from '#web/ui/FilterBar.tsx'
import { dayOf } from '#web/ui/moment.ts'

/** The tickets at work that were opened on these days (A-LANE-03). */
export const boards = collections(({ from, to }: Days) =>
  collection<TicketRow>({
    topic: ticketTopic,
    async load() {
      const { tickets } = await api.kanban.board({ query: { ...(from && { startDate: from }), ...(to && { endDate: to }) } })
      return { rows: tickets, hasMore: false }
    },
    belongs({ status, createdAt }) {
      const day = dayOf(new Date(createdAt))
      return (status === 'open' || status === 'pending') && (!from || day >= from) && (!to || day <= to)
    },
    order: (a, b) => b.updatedAt.localeCompare(a.updatedAt) || b.id - a.id,
  }),
)

export const laneChoices = collection<TagRow>({
  topic: tag.topic as Topic<TagRow>,
  load: async () => ({ rows: (await api.tags.lanes()).lista, hasMore: false }),
  belongs: ({ kanban }) => kanban === 1,
  order: (a, b) => a.id - b.id,
})
