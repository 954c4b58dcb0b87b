import { useAtomValue, useStore } from 'jotai'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { MessageRow } from '#domain/message/contract.ts'
import type { Collection } from '#web/live.ts'
import { endAtom, jumpAtom } from '#web/message/atoms.ts'

type Box = RefObject<HTMLDivElement | null>
const nearTop = 50
const atEnd = 80

/** The scroll position of a thread. Near the top it loads older messages (R-INBOX-13). */
export function useThreadScroll(box: Box, list: Collection<MessageRow>, facts: { id: number }[]) {
  const [away, setAway] = useState(false)
  const [seen, setSeen] = useState<number | null>(null)
  const last = facts.at(-1)?.id ?? null
  const fresh = seen === null ? 0 : facts.length - 1 - facts.findLastIndex(({ id }) => id === seen)
  const loadOlder = useOlder(list)
  useKeptPosition(box, last, away)
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
  }
  const toEnd = () => box.current?.scrollTo({ top: 0, behavior: 'smooth' })
  return { away, fresh, handleScroll, toEnd }
}

/** Loads the next older page, after a pause and one at a time. */
function useOlder(list: Collection<MessageRow>): () => void {
  const store = useStore()
  const hasMore = useAtomValue(list.hasMore)
  const more = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(more.current), [])
  return () => {
    if (!hasMore) return
    more.current ??= setTimeout(() => {
      void store.set(list.more).finally(() => {
        more.current = undefined
      })
    }, 500) // R-INBOX-13
  }
}

/**
 * The scroll position counts from the end, so that older pages do not move it. New messages must not move it
 * either.
 */
function useKeptPosition(box: Box, last: number | null, away: boolean): void {
  const height = useRef(0)
  const lastBefore = useRef(last)
  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    if (last !== lastBefore.current && away && current.scrollTop < -atEnd)
      current.scrollBy({ top: height.current - current.scrollHeight, behavior: 'instant' })
    lastBefore.current = last
    height.current = current.scrollHeight
  })
}

/** Scrolls to what is asked for: the first unread message, the end of the thread, or a quoted message. */
export function useScrollTargets(box: Box, ticketId: number, firstUnreadId: number | null): void {
  useJump(box)
  const end = useAtomValue(endAtom)
  useEffect(() => {
    if (end.ticketId === ticketId) box.current?.scrollTo({ top: 0, behavior: 'instant' })
  }, [end, ticketId, box])
  useLayoutEffect(() => {
    if (firstUnreadId !== null) box.current?.querySelector('[data-part=unread-line]')?.scrollIntoView({ block: 'start' })
  }, [firstUnreadId, box])
}

/** Scrolls to a quoted message and highlights it for a moment. */
function useJump(box: Box): void {
  const jump = useAtomValue(jumpAtom)
  useEffect(() => {
    const found = jump && box.current?.querySelector<HTMLElement>(`[data-message="${jump.id}"]`)
    if (!found) return
    found.scrollIntoView({ block: 'center', behavior: 'smooth' })
    found.setAttribute('data-lit', '')
    const dim = () => found.removeAttribute('data-lit')
    const timer = setTimeout(dim, 1600)
    return () => {
      clearTimeout(timer)
      dim()
    }
  }, [jump, box])
}
