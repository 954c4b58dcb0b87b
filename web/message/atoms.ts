import { type Atom, atom } from 'jotai'
import { unwrap } from 'jotai/utils'
import type { MessageRow } from '#domain/message/contract.ts'
import { messageTopic } from '#domain/message/topic.ts'
import type { TicketLogRow } from '#domain/ticket-log/contract.ts'
import { api } from '#web/api.ts'
import { type Collection, createLiveCollection, createLiveCollections } from '#web/live.ts'
import { type LiveConnection, live } from '#web/socket.ts'

export const messagesPage = 40

type Placed = Pick<MessageRow, 'ticketId' | 'revision'> & { ticket: Pick<MessageRow['ticket'], 'createdAt'> }
/** Messages are ordered by the start of their ticket and then by revision, because ids give no order. */
export const inOrder = (a: Placed, b: Placed): number =>
  (a.ticketId !== b.ticketId && Date.parse(a.ticket.createdAt) - Date.parse(b.ticket.createdAt)) ||
  a.ticketId - b.ticketId ||
  a.revision - b.revision

function conversation(ticketId: number, connection: LiveConnection, joined: boolean): Collection<MessageRow> {
  const earlier = new Set<number>() // earlier tickets of the same contact in this conversation
  const page = async (query: { pageNumber: number } | { beforeId: number } | { sinceId: number }) => {
    const { messages, hasMore } = await api.messages.list({ params: { ticketId }, query })
    for (const row of messages) if (row.ticketId !== ticketId) earlier.add(row.ticketId)
    return { rows: messages, hasMore }
  }
  return createLiveCollection<MessageRow>(
    {
      topic: messageTopic,
      ...(joined && { room: { name: 'ChatBox', data: { ticketId } } as const }),
      pageSize: messagesPage,
      grows: 'up',
      order: inOrder,
      belongs: (row) => row.ticketId === ticketId || earlier.has(row.ticketId),
      load: (pageNumber) => page({ pageNumber }),
      from: { before: (beforeId) => page({ beforeId }), since: (sinceId) => page({ sinceId }) },
    },
    connection,
  )
}
/** The conversation of a ticket with the contact's earlier tickets. */
export const threadOf = createLiveCollections<MessageRow, number>((ticketId) => conversation(ticketId, live, true))

const silence: LiveConnection = { subscribe: () => () => {}, join: () => () => {}, onReconnect: () => () => {} }
/** The conversation without joining a room or live updates. The server records the access (A-TICKET-06). */
export const peekAt = (ticketId: number): Collection<MessageRow> => conversation(ticketId, silence, false)

const logs = new Map<number, { version: string; log: Atom<TicketLogRow[]> }>()
/**
 * The ticket's log in its thread. `version` is any text that changes with the ticket. Only the last log is kept,
 * because a ticket may return to an earlier version.
 */
export function logOf(ticketId: number, version: string): Atom<TicketLogRow[]> {
  const asked = logs.get(ticketId)
  if (asked?.version === version) return asked.log
  const fresh = unwrap(
    atom(() => api.ticketLogs.list({ params: { ticketId } }).catch(() => [])),
    (before) => before ?? [],
  )
  logs.delete(ticketId)
  logs.set(ticketId, { version, log: fresh })
  if (logs.size > 24) logs.delete(logs.keys().next().value!)
  return fresh
}

/** The ticket whose thread is searched. */
export const searchingAtom = atom<number | null>(null)
/** Scrolls to a message and highlights it for a moment. */
export const jumpAtom = atom<{ id: number; n: number } | null>(null)
/** Scrolls the thread of a ticket to its end, where the sent message appears. */
export const endAtom = atom<{ ticketId: number }>({ ticketId: 0 })
/** Playback speeds; the last choice is stored (R-AUDIO-03). */
export const speeds = [1, 1.5, 2, 0.5] as const
const speed = atom(Number((typeof localStorage !== 'undefined' && localStorage.getItem('audioSpeed')) || 1))
export const speedAtom = atom(
  (get) => get(speed),
  (_, set, next: number) => {
    localStorage.setItem('audioSpeed', String(next))
    set(speed, next)
  },
)
