import { useAtomValue, useStore } from 'jotai'
import { useEffect, useMemo, useState } from 'react'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import type { TicketLogRow } from '#domain/ticket-log/contract.ts'
import type { Collection } from '#web/live.ts'
import { unreadBefore } from '#web/ticket/atoms.ts'
import { zoneAtom } from '#web/ui/zone.ts'
import { answeredSince, factOf, firstUnread, laid, type Unread } from './grouping.ts'

type Of = { ticket: TicketRow; list: Collection<MessageRow>; log: TicketLogRow[]; still: boolean }
/** Number of messages that are loaded to find the first unread one; beyond that the reader scrolls. */
const farthest = 400

/** The loaded messages of a thread by day, and the first one that was unread when it opened. */
export function useThreadDays({ ticket, list, log, still }: Of) {
  const store = useStore()
  const ids = useAtomValue(list.ids)
  const hasMore = useAtomValue(list.hasMore)
  const hasNewer = useAtomValue(list.hasNewer)
  const error = useAtomValue(list.error)
  const zone = useAtomValue(zoneAtom)
  // These facts of a row never change; only the bubbles subscribe to the rows.
  const facts = useMemo(() => ids.map((id) => factOf(store.get(list.row(id)))), [ids, list, store])
  const last = facts.at(-1)?.id ?? null
  const begun = useUnreadAtOpening(ticket, list, still, last)
  const unread = useMemo(
    () => (hasNewer ? null : begun && firstUnread(facts, begun, ticket.id, !hasMore)),
    [facts, begun, ticket.id, hasMore, hasNewer],
  )
  const answered = useMemo(() => begun !== null && answeredSince(facts, begun.last), [facts, begun])
  const days = useMemo(() => {
    const loaded = { toStart: !hasMore, toEnd: !hasNewer }
    return laid(facts, log, answered ? null : unread, loaded, zone)
  }, [facts, log, answered, unread, hasMore, hasNewer, zone])

  const above = begun !== null && begun.count > 0 && unread === null && hasMore && !hasNewer && error === null && ids.length < farthest
  // biome-ignore lint/correctness/useExhaustiveDependencies: each loaded page requests the next
  useEffect(() => {
    if (above) void store.set(list.more)
  }, [above, ids.length, list, store])
  return { facts, last, days, firstUnreadId: unread?.from ?? null }
}

/** The number of unread messages and the last message when the current rows had loaded; null before. */
function useUnreadAtOpening(ticket: TicketRow, list: Collection<MessageRow>, still: boolean, last: number | null): Unread | null {
  const ids = useAtomValue(list.ids)
  const ready = useAtomValue(list.state) === 'ready'
  const [begun, setBegun] = useState<Unread | null>(null)
  const [kept] = useState(ids) // rows of an earlier visit; newer ones are loading
  if (ready && begun === null && ids !== kept) setBegun({ count: still ? 0 : (unreadBefore.get(ticket.uuid) ?? 0), last: last ?? 0 })
  useEffect(() => {
    if (ready) unreadBefore.delete(ticket.uuid)
  }, [ready, ticket.uuid])
  return begun
}
