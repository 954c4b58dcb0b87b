import { atom } from 'jotai'
import { on } from '#domain/setting/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { ticketTopic } from '#domain/ticket/topic.ts'
import type { Topic } from '#domain/topic.ts'
import { api } from '#web/api.ts'
import { createLiveCollection } from '#web/live.ts'
import { settingsAtom, store, viewer } from '#web/session.ts'
import { counts } from './title.ts'

const waiting = () => on(store.get(settingsAtom), 'showNotificationPending')

type Unread = Pick<TicketRow, 'id'>
/** The tickets that title, menu and notifications count, independent of the filters of the lists (A-RT-06). */
const unreadTickets = createLiveCollection<Unread>({
  topic: ticketTopic as unknown as Topic<Unread>,
  room: { name: 'Notification' },
  load: async () => ({ rows: (await api.tickets.unread()).ids.map((id) => ({ id })), hasMore: false }),
  belongs: (row) => counts(row as TicketRow, viewer().id, waiting()), // a live update contains the whole row
})

export const unreadCountAtom = atom((get) => get(unreadTickets.ids).length)
/** The key of the counter's label in `shellWords`. It includes waiting tickets if the company notifies about them. */
export const unreadWordAtom = atom((get) => (on(get(settingsAtom), 'showNotificationPending') ? 'unreadOrWaiting' : 'unread'))
