import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'
import { boardPage, onBoard } from '#domain/kanban/contract.ts'
import { type TagRow, tag } from '#domain/tag/contract.ts'
import { byLaneOrder } from '#domain/tag/rules.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { ticketTopic } from '#domain/ticket/topic.ts'
import type { Topic } from '#domain/topic.ts'
import { api } from '#web/api.ts'
import { createLiveCollection, createLiveCollections } from '#web/live.ts'
import { live } from '#web/socket.ts'
import { ticketsRoom } from '#web/ticket/list/counts.ts'
import type { Days } from '#web/ui/FilterBar.tsx'
import { dayOf } from '#web/ui/moment.ts'

/** The open tickets that were created on these days (A-LANE-03). */
export const boards = createLiveCollections(({ from, to }: Days) =>
  createLiveCollection<TicketRow>({
    topic: ticketTopic,
    pageSize: boardPage,
    async load(pageNumber) {
      const query = { ...(from && { startDate: from }), ...(to && { endDate: to }), pageNumber }
      const { tickets, hasMore } = await api.kanban.board({ query })
      return { rows: tickets, hasMore }
    },
    belongs({ status, createdAt }) {
      const day = dayOf(new Date(createdAt))
      return onBoard.includes(status) && (!from || day >= from) && (!to || day <= to)
    },
    order: (a, b) => b.updatedAt.localeCompare(a.updatedAt) || b.id - a.id,
  }),
)

export const laneChoices = createLiveCollection<TagRow>({
  topic: tag.topic as Topic<TagRow>,
  load: async () => ({ rows: (await api.tags.lanes()).lista, hasMore: false }),
  belongs: ({ kanban }) => kanban === 1,
  order: byLaneOrder,
})

const pauseMs = 2500
type Count = { count: number; worth: number }
/**
 * Count and value of the tickets in each lane, of any day or of those days; null until it has loaded. While
 * tickets change it reloads at most once per `pauseMs`.
 */
export const laneCounts = atomFamily(
  ({ from, to }: Days) => {
    const counted = atom<ReadonlyMap<number | null, Count> | null>(null)
    const counts = atom(
      (get) => get(counted),
      async (_, set) => {
        const { lanes } = await api.kanban.counts({ query: { ...(from && { startDate: from }), ...(to && { endDate: to }) } })
        set(counted, new Map(lanes.map(({ laneId, ...count }) => [laneId, count])))
      },
    )
    counts.onMount = asked
    return counts
  },
  (a, b) => a.from === b.from && a.to === b.to,
)
function asked(ask: () => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const again = () => {
    timer = undefined
    void ask().catch(later) // without a connection the next try follows
  }
  const later = () => {
    timer ??= setTimeout(again, pauseMs)
  }
  again()
  const ends = [live.join(ticketsRoom), live.onReconnect(again), live.subscribe(ticketTopic.name, later), () => clearTimeout(timer)]
  return () => {
    for (const end of ends) end()
  }
}
