import type { Viewer } from '#domain/access.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { ticketTopic } from '#domain/ticket/topic.ts'
import { api } from '#web/api.ts'
import { type Collection, createLiveCollection } from '#web/live.ts'
import type { Page } from '#web/live-rows.ts'
import { type LiveConnection, live } from '#web/socket.ts'
import { ticketsRoom } from './counts.ts'
import { keepHits } from './Hit.tsx'
import { reportLoadedTickets } from './loaded-tickets.ts'
import { belongs, order, query, type Wanted } from './wanted.ts'

const page = ({ tickets, hasMore }: { tickets: TicketRow[]; hasMore: boolean }): Page<TicketRow> => ({ rows: tickets, hasMore })

/** The list of a tab, independent of React and of the global connection, so that tests can use it. */
export function ticketList(
  viewer: Viewer,
  wanted: Wanted,
  load = (pageNumber: number): Promise<Page<TicketRow>> =>
    api.tickets.list({ query: query(wanted, viewer, pageNumber) }).then((answer) => {
      if (wanted.onMessages) keepHits(answer.hits, pageNumber === 1)
      return page(answer)
    }),
  connection: LiveConnection = live,
): Collection<TicketRow> {
  const foundIds = new Set<number>() // tickets that the server found by a message text stay in the list
  return createLiveCollection<TicketRow>(
    {
      topic: ticketTopic,
      room: ticketsRoom,
      pageSize: wanted.pageSize,
      order: order(wanted),
      load: async (pageNumber) => {
        const answer = await load(pageNumber)
        reportLoadedTickets(answer.rows)
        if (wanted.onMessages) for (const { id } of answer.rows) foundIds.add(id)
        return answer
      },
      belongs: (row) => belongs(wanted, viewer, row) || (foundIds.has(row.id) && belongs({ ...wanted, text: '' }, viewer, row)),
    },
    connection,
  )
}
