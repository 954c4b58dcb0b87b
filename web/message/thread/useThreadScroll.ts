import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { MessageRow } from '#domain/message/contract.ts'
import type { Collection } from '#web/live.ts'
import { endAtom, jumpAtom } from '#web/message/atoms.ts'

type Box = RefObject<HTMLDivElement | null>
const nearTop = 50
const nearEnd = 300
const atEnd = 80

/**
 * The scroll position of a thread. Near the top it loads older messages (R-INBOX-13). A thread that was opened at an
 * older message loads newer ones near its bottom.
 */
export function useThreadScroll(box: Box, list: Collection<MessageRow>, facts: { id: number }[]) {
  const [away, setAway] = useState(false)
  const [seen, setSeen] = useState<number | null>(null)
  const last = facts.at(-1)?.id ?? null
  const seenAt = facts.findLastIndex(({ id }) => id === seen)
  const fresh = seenAt < 0 ? 0 : facts.length - 1 - seenAt
  const hasNewer = useAtomValue(list.hasNewer)
  const loadOlder = usePage(list.hasMore, list.more)
  const loadNewer = usePage(list.hasNewer, list.newer)
  const reload = useSetAtom(list.reload)
  useKeptPosition(box, facts, { away, hasNewer })
  const handleScroll = () => {
    if (!box.current) return // the component is unmounting
    const { scrollTop, scrollHeight, clientHeight } = box.current
    const gone = scrollTop < -atEnd
    if (gone !== away) {
      setAway(gone)
      setSeen(gone ? last : null)
    }
    const fromTop = scrollHeight - clientHeight + scrollTop
    if (fromTop < nearTop) loadOlder()
    if (scrollTop > -nearEnd) loadNewer()
  }
  const toEnd = async () => {
    if (hasNewer) await reload()
    box.current?.scrollTo({ top: 0, behavior: hasNewer ? 'instant' : 'smooth' })
  }
  return { away: away || hasNewer, fresh, handleScroll, toEnd }
}

/** Loads the next page in one direction, after a pause and one at a time. */
function usePage(exists: Collection<MessageRow>['hasMore'], next: Collection<MessageRow>['more']): () => void {
  const store = useStore()
  const hasMore = useAtomValue(exists)
  const more = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(more.current), [])
  return () => {
    if (!hasMore) return
    more.current ??= setTimeout(() => {
      void store.set(next).finally(() => {
        more.current = undefined
      })
    }, 500) // R-INBOX-13
  }
}

/**
 * The scroll position counts from the end, so that older pages do not move it. Messages that are added below must not
 * move it either, unless the reader is at the end of the conversation.
 */
function useKeptPosition(box: Box, facts: { id: number }[], { away, hasNewer }: { away: boolean; hasNewer: boolean }): void {
  const last = facts.at(-1)?.id ?? null
  const before = useRef({ height: 0, last, hasNewer })
  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    const { height, last: lastBefore, hasNewer: hadNewer } = before.current
    const isAdded = last !== lastBefore && facts.some(({ id }) => id === lastBefore)
    if (isAdded && (hadNewer || (away && current.scrollTop < -atEnd)))
      current.scrollBy({ top: height - current.scrollHeight, behavior: 'instant' })
    before.current = { height: current.scrollHeight, last, hasNewer }
  })
}

/** Scrolls to what is asked for: the first unread message, the end of the thread, or a quoted message. */
export function useScrollTargets(box: Box, list: Collection<MessageRow>, ticketId: number, firstUnreadId: number | null): void {
  useJump(box)
  const end = useAtomValue(endAtom)
  const store = useStore()
  useEffect(() => {
    if (end.ticketId !== ticketId) return
    const toEnd = () => box.current?.scrollTo({ top: 0, behavior: 'instant' })
    if (store.get(list.hasNewer)) void store.set(list.reload).then(toEnd)
    else toEnd()
  }, [end, ticketId, box, list, store])
  useLayoutEffect(() => {
    if (firstUnreadId !== null) box.current?.querySelector('[data-part=unread-line]')?.scrollIntoView({ block: 'start' })
  }, [firstUnreadId, box])
}

/** Whether an element is so near that a moving view helps to see where it is. */
const isNear = (found: Element, box: Element): boolean =>
  Math.abs(found.getBoundingClientRect().top - box.getBoundingClientRect().top) < 3 * box.clientHeight

/** Scrolls to a message and highlights it for a moment. */
function useJump(box: Box): void {
  const jump = useAtomValue(jumpAtom)
  useEffect(() => {
    const found = jump && box.current?.querySelector<HTMLElement>(`[data-message="${jump.id}"]`)
    if (!found) return
    found.scrollIntoView({ block: 'center', behavior: isNear(found, box.current!) ? 'smooth' : 'instant' })
    found.setAttribute('data-lit', '')
    const dim = () => found.removeAttribute('data-lit')
    const timer = setTimeout(dim, 1600)
    return () => {
      clearTimeout(timer)
      dim()
    }
  }, [jump, box])
}
