import { atom } from 'jotai'
import { type TicketRow, ticketTopic } from '#domain/ticket/contract.ts'
import { api } from '#web/api.ts'
import { collection } from '#web/live.ts'
import { store, viewerAtom } from '#web/session.ts'

const pageSize = 100
const belongs = ({ status, userId, failedMessages }: TicketRow): boolean =>
  failedMessages > 0 && (status === 'open' || status === 'group') && userId === store.get(viewerAtom)?.id

/** One's own tickets in which a message never left. */
const unsentTickets = collection<TicketRow>({
  topic: ticketTopic,
  room: { name: 'Notification' },
  pageSize,
  load: (pageNumber) =>
    api.tickets
      .list({ query: { withFailedMessages: true, statusFilter: JSON.stringify(['open', 'group']), pageNumber, pageSize } })
      .then(({ tickets, hasMore }) => ({ rows: tickets.filter(belongs), hasMore })),
  belongs,
})

/** How many messages never left, and the tickets they are in. */
export const unsentAtom = atom((get) => {
  const rows = get(unsentTickets.all)
  return { count: rows.reduce((sum, { failedMessages }) => sum + failedMessages, 0), tickets: rows }
})
