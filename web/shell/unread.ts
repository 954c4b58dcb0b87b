import { atom } from 'jotai'
import { type TicketRow, ticketTopic } from '#domain/ticket/contract.ts'
import { api } from '#web/api.ts'
import { collection } from '#web/live.ts'

const pageSize = 100
const counted: TicketRow['status'][] = ['open', 'pending', 'group'] // neither lgpd nor nps (R-LAYOUT-12)

/** Tickets with something unread, in sight of the viewer; the title and the menu count them. */
export const unreadTickets = collection<TicketRow>({
  topic: ticketTopic,
  room: { name: 'Notification' },
  pageSize,
  load: async (pageNumber) =>
    api.tickets
      .list({ query: { withUnreadMessages: true, showAll: true, statusFilter: JSON.stringify(counted), pageNumber, pageSize } })
      .then(({ tickets, hasMore }) => ({ rows: tickets.filter(belongs), hasMore })),
  belongs,
})
function belongs({ status, unreadMessages }: TicketRow): boolean {
  return unreadMessages > 0 && counted.includes(status)
}

export const unreadCountAtom = atom((get) => get(unreadTickets.ids).length)
