import { atom } from 'jotai'
import { on } from '#domain/setting/contract.ts'
import { type TicketRow, ticketTopic } from '#domain/ticket/contract.ts'
import { api } from '#web/api.ts'
import { collection } from '#web/live.ts'
import { settingsAtom, store, viewer } from '#web/session.ts'
import { countedStatuses, counts } from './title.ts'

const pageSize = 100
const waiting = () => on(store.get(settingsAtom), 'showNotificationPending')

/** What title, menu and notifications count, whatever a list is filtered with (A-RT-06). */
export const unreadTickets = collection<TicketRow>({
  topic: ticketTopic,
  room: { name: 'Notification' },
  pageSize,
  load: async (pageNumber) =>
    api.tickets
      .list({ query: { withUnreadMessages: true, statusFilter: JSON.stringify(countedStatuses(waiting())), pageNumber, pageSize } })
      .then(({ tickets, hasMore }) => ({ rows: tickets.filter(belongs), hasMore })),
  belongs,
})
function belongs(row: TicketRow): boolean {
  return counts(row, viewer().id, waiting())
}

export const unreadCountAtom = atom((get) => get(unreadTickets.ids).length)
