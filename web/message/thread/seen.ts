import { useStore } from 'jotai'
import { type RefObject, useEffect } from 'react'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { api } from '#web/api.ts'
import type { Collection } from '#web/live.ts'
import { useViewer } from '#web/session.ts'
import { isPageFocused } from '#web/ui/page-focus.ts'
import type { Day } from './grouping.ts'

const gathers = 500
/** A message longer than the screen counts as in view when its end is. */
const inView = ({ isIntersecting, intersectionRatio, boundingClientRect, rootBounds }: IntersectionObserverEntry) =>
  isIntersecting && (intersectionRatio >= 0.6 || (rootBounds !== null && boundingClientRect.bottom <= rootBounds.bottom + 2))

/**
 * Reports read messages while the page is visible and focused, up to the newest message in view (A-TICKET-06). `days`:
 * what the thread renders, because a change of it may replace the elements of messages.
 */
export function useSeen(of: {
  box: RefObject<HTMLElement | null>
  ticket: TicketRow
  list: Collection<MessageRow>
  days: readonly Day[]
  off: boolean
}): void {
  const { box, list, days } = of
  const { id, status, userId, unreadMessages } = of.ticket
  const store = useStore()
  const viewer = useViewer()
  const reads = !of.off && unreadMessages > 0 && (status === 'group' || (status === 'open' && userId === viewer.id))
  // biome-ignore lint/correctness/useExhaustiveDependencies: new elements are observed too, and unread messages are reported again
  useEffect(() => {
    if (!reads || !box.current) return
    const seen = new Set<number>()
    let reported = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const report = () => {
      timer = undefined
      if (!isPageFocused()) return
      const rows = [...seen].map((one) => store.get(list.row(one)) as MessageRow | null).filter((row) => row?.ticketId === id)
      const newest = rows.toSorted((a, b) => b!.revision - a!.revision)[0]
      if (!newest || newest.revision <= reported) return
      const before = reported
      reported = newest.revision
      void api.tickets.seen({ params: { id }, body: { messageId: newest.id } }).catch(() => {
        reported = before // the next message in view is reported instead
      })
    }
    const tell = () => {
      timer ??= setTimeout(report, gathers)
    }
    const observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          const messageId = Number((entry.target as HTMLElement).dataset.message)
          if (inView(entry)) seen.add(messageId)
          else seen.delete(messageId)
        }
        tell()
      },
      { root: box.current, threshold: [0, 0.2, 0.4, 0.6, 0.8, 1] },
    )
    for (const message of unreadOn(box.current, unreadMessages)) observer.observe(message)
    window.addEventListener('focus', tell)
    document.addEventListener('visibilitychange', tell)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      window.removeEventListener('focus', tell)
      document.removeEventListener('visibilitychange', tell)
    }
  }, [reads, id, unreadMessages, days, box, list, store])
}

/** Elements from the first unread message on, because observing all loaded ones slows down scrolling. */
function unreadOn(pane: HTMLElement, unread: number): Element[] {
  const all = [...pane.querySelectorAll('[data-message]')]
  const theirs = all.flatMap((one, at) => (one.hasAttribute('data-us') ? [] : [at]))
  return all.slice(theirs.at(-unread) ?? 0)
}
