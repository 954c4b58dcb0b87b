import { atom } from 'jotai'
import { type ContactRow, contactTopic } from '#domain/contact/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { ticketTopic } from '#domain/ticket/topic.ts'
import { api } from '#web/api.ts'
import { createLiveCollection, createLiveCollections, createLiveRow } from '#web/live.ts'
import { store } from '#web/session.ts'
import { ticketsRoom } from '#web/ticket/list/counts.ts'
import { createLruCache } from '#web/ui/lru-cache.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'

/** The contact of a ticket, live while the drawer shows it. */
export const contactOf = createLruCache(
  (id: number) =>
    createLiveRow<ContactRow>({ topic: contactTopic, load: () => api.contacts.find({ params: { id } }), belongs: (row) => row.id === id }),
  8,
)

/** Contacts that the network reported as the same person. */
export const duplicatesOf = createLruCache((id: number) => createRemoteAtom(() => api.contacts.duplicates({ params: { id } })), 8)

/** Whether a contact has tickets that the viewer may not see. */
export const hasUnseenTickets = createLruCache((_contactId: number) => atom(false), 8)

const newest = (a: TicketRow, b: TicketRow) => b.id - a.id
/** Every ticket of a contact that the viewer may see. */
export const ticketsOf = createLiveCollections<TicketRow, number>((contactId) =>
  createLiveCollection<TicketRow>({
    topic: ticketTopic,
    room: ticketsRoom,
    order: newest,
    belongs: (row) => row.contactId === contactId,
    load: async (pageNumber) => {
      const { tickets, hasMore, elsewhere } = await api.tickets.list({ query: { contactId, pageNumber } })
      store.set(hasUnseenTickets(contactId), elsewhere)
      return { rows: tickets.toSorted(newest), hasMore }
    },
  }),
)
