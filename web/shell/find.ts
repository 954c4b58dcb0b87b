import type { ContactRow } from '#domain/contact/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { api } from '#web/api.ts'
import { searching } from '#web/ui/search.ts'

type Found = { tickets: TicketRow[]; contacts: ContactRow[] }
/** The tickets and contacts that the palette finds. */
export const everywhere = searching<Found>({
  none: { tickets: [], contacts: [] },
  least: 2,
  find: async (searchParam) => {
    const [{ tickets }, { contacts }] = await Promise.all([
      api.tickets.list({ query: { searchParam, status: 'search', showAll: true, pageSize: 10 } }),
      api.contacts.list({ query: { searchParam } }),
    ])
    return { tickets: tickets.slice(0, 6), contacts: contacts.slice(0, 6) }
  },
})
