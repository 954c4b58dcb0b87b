import { atom, useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { messageTopic } from '#domain/message/topic.ts'
import { typingTopic } from '#domain/ticket/topic.ts'
import { live } from '#web/socket.ts'

/** Milliseconds after which a typing signal expires; it repeats while the customer types on. */
const displayMs = 12_000

const tickets = atom<ReadonlySet<number>>(new Set<number>())
/** Tickets whose customers are typing. A ticket leaves after a while, or when a message arrives in it. */
const writing = atom(
  (get) => get(tickets),
  (get, set, { ticketId, on }: { ticketId: number; on: boolean }) => {
    if (get(tickets).has(ticketId) === on) return
    const next = new Set(get(tickets))
    if (on) next.add(ticketId)
    else next.delete(ticketId)
    set(tickets, next)
  },
)
writing.onMount = (tell) => {
  const ends = new Map<number, ReturnType<typeof setTimeout>>()
  const over = (ticketId: number) => {
    clearTimeout(ends.get(ticketId))
    ends.delete(ticketId)
    tell({ ticketId, on: false })
  }
  const offs = [
    live.subscribe(typingTopic.name, (frames) => {
      for (const { action, id } of frames) {
        if (action !== 'create' || id === undefined) continue
        clearTimeout(ends.get(id))
        ends.set(
          id,
          setTimeout(() => over(id), displayMs),
        )
        tell({ ticketId: id, on: true })
      }
    }),
    live.subscribe(messageTopic.name, (frames) => {
      for (const { action, message } of frames) {
        const { ticketId, fromMe } = (message ?? {}) as { ticketId?: number; fromMe?: boolean }
        if (action === 'create' && fromMe === false && ticketId !== undefined) over(ticketId)
      }
    }),
  ]
  return () => {
    for (const off of offs) off()
    for (const ticketId of [...ends.keys()]) over(ticketId)
  }
}

/** Whether the customer of a ticket is typing. */
export const useWrites = (ticketId: number): boolean => useAtomValue(useMemo(() => atom((get) => get(writing).has(ticketId)), [ticketId]))
