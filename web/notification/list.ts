import { on } from '#domain/setting/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { ticketTopic } from '#domain/ticket/topic.ts'
import { api } from '#web/api.ts'
import { createLiveCollection } from '#web/live.ts'
import { settingsAtom, store, viewer } from '#web/session.ts'
import { counts } from '#web/shell/title.ts'

/** The tickets that the title counts (A-RT-06), newest change first. */
export const notifiedTickets = createLiveCollection<TicketRow>({
  topic: ticketTopic,
  room: { name: 'Notification' },
  load: async (pageNumber) => {
    const { tickets, hasMore } = await api.tickets.notifications({ query: { pageNumber } })
    return { rows: tickets, hasMore }
  },
  belongs: (row) => counts(row, viewer().id, on(store.get(settingsAtom), 'showNotificationPending')),
  order: (a, b) => (a.updatedAt > b.updatedAt ? -1 : a.updatedAt < b.updatedAt ? 1 : b.id - a.id),
})
