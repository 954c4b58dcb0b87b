import { Button } from '@blueprintjs/core'
import { ArrowDown, Chat } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import type { TicketLogRow } from '#domain/ticket-log/contract.ts'
import { useWords } from '#web/i18n.ts'
import type { Collection } from '#web/live.ts'
import { endAtom, jumpAtom } from '#web/message/atoms.ts'
import { messageWords } from '#web/message/words.ts'
import { unreadBefore } from '#web/ticket/atoms.ts'
import badge from '#web/ui/Badge.module.css'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import { zoneAtom } from '#web/ui/zone.ts'
import { Announcer } from './Announcer.tsx'
import { DayOf } from './Days.tsx'
import { answeredSince, factOf, firstUnread, laid, type Unread } from './grouping.ts'
import { useOffscreen } from './offscreen.ts'
import { useSeen } from './seen.ts'
import css from './Thread.module.css'
import { ThreadSearch } from './ThreadSearch.tsx'

type Of = {
  ticket: TicketRow
  list: Collection<MessageRow>
  log?: TicketLogRow[]
  /** Read-only: no menu and no live region. */
  still?: boolean
  /** Highlights answers of others since this revision, because the agent decides about them. */
  since?: number | null
  children?: React.ReactNode
}
const none: TicketLogRow[] = []
const nearTop = 50
const atEnd = 80
/** Number of messages that are loaded to find the first unread one; beyond that the reader scrolls. */
const farthest = 400

export function Thread({ ticket, list, log = none, still = false, since = null, children }: Of) {
  const t = useWords(messageWords)
  const store = useStore()
  const ids = useAtomValue(list.ids)
  const state = useAtomValue(list.state)
  const error = useAtomValue(list.error)
  const hasMore = useAtomValue(list.hasMore)
  const reload = useSetAtom(list.reload)
  const box = useRef<HTMLDivElement>(null)
  const zone = useAtomValue(zoneAtom)
  const [away, setAway] = useState(false)
  const [seen, setSeen] = useState<number | null>(null)
  const [begun, setBegun] = useState<Unread | null>(null)
  const [kept] = useState(ids) // rows of an earlier visit; newer ones are loading

  // These facts of a row never change; only the bubbles subscribe to the rows.
  const facts = useMemo(() => ids.map((id) => factOf(store.get(list.row(id)))), [ids, list, store])
  const unread = useMemo(() => begun && firstUnread(facts, begun, ticket.id, !hasMore), [facts, begun, ticket.id, hasMore])
  const answered = useMemo(() => begun !== null && answeredSince(facts, begun.last), [facts, begun])
  const days = useMemo(() => laid(facts, log, answered ? null : unread, !hasMore, zone), [facts, log, answered, unread, hasMore, zone])
  const last = facts.at(-1)?.id ?? null
  const fresh = seen === null ? 0 : facts.length - 1 - facts.findLastIndex(({ id }) => id === seen)

  useOffscreen(box, ids)
  useSeen({ box, ticket, list, ids, off: still || state !== 'ready' })
  const toEnd = (smooth = true) => box.current?.scrollTo({ top: 0, behavior: smooth ? 'smooth' : 'instant' })
  useJump(box)
  const end = useAtomValue(endAtom)
  useEffect(() => {
    if (end.ticketId === ticket.id) box.current?.scrollTo({ top: 0, behavior: 'instant' })
  }, [end, ticket.id])

  const ready = state === 'ready'
  if (ready && begun === null && ids !== kept) setBegun({ count: still ? 0 : (unreadBefore.get(ticket.uuid) ?? 0), last: last ?? 0 })
  useEffect(() => {
    if (ready) unreadBefore.delete(ticket.uuid)
  }, [ready, ticket.uuid])
  const above = begun !== null && begun.count > 0 && unread === null && hasMore && error === null && ids.length < farthest
  // biome-ignore lint/correctness/useExhaustiveDependencies: each loaded page requests the next
  useEffect(() => {
    if (above) void store.set(list.more)
  }, [above, ids.length, list, store])
  const from = unread?.from ?? null
  useLayoutEffect(() => {
    if (from !== null) box.current?.querySelector('[data-part=unread-line]')?.scrollIntoView({ block: 'start' })
  }, [from])

  // The scroll position counts from the end, so that older pages do not move it. New messages must not move it
  // either.
  const height = useRef(0)
  const lastBefore = useRef(last)
  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    if (last !== lastBefore.current && away && current.scrollTop < -atEnd) current.scrollTop -= current.scrollHeight - height.current
    lastBefore.current = last
    height.current = current.scrollHeight
  })

  const more = useRef<ReturnType<typeof setTimeout>>(undefined)
  const handleScroll = () => {
    if (!box.current) return // the component is unmounting
    const { scrollTop, scrollHeight, clientHeight } = box.current
    const gone = scrollTop < -atEnd
    if (gone !== away) {
      setAway(gone)
      setSeen(gone ? last : null)
    }
    const fromTop = scrollHeight - clientHeight + scrollTop
    if (hasMore && fromTop < nearTop)
      more.current ??= setTimeout(() => {
        void store.set(list.more).finally(() => {
          more.current = undefined
        })
      }, 500) // R-INBOX-13
  }
  useEffect(() => () => clearTimeout(more.current), [])

  if (state === 'loading' && ids.length === 0)
    return (
      <div className={css.thread} data-part="thread">
        <Skeleton rows={7} height={52} />
      </div>
    )
  if (state === 'failed' && ids.length === 0)
    return (
      <div className={css.thread} data-part="thread">
        <ErrorView error={error} onRetry={reload} />
      </div>
    )
  return (
    <div className={css.frame} data-toasts={!still || undefined}>
      {!still && <ThreadSearch ticketId={ticket.id} list={list} />}
      <div className={css.thread} data-part="thread" ref={box} onScroll={handleScroll} data-thread={ticket.id} data-scrolls>
        <div className={css.inner} role="log" aria-label={t('thread', { name: ticket.contact.name })} aria-live="off">
          {hasMore && (
            <p className={css.older} role="status">
              {t('older')}
            </p>
          )}
          {ids.length === 0 && !children && <Hello name={t('hello')} />}
          {days.map((day) => (
            <DayOf key={day.day} day={day} list={list} still={still} since={since} ticket={ticket} />
          ))}
          {children}
        </div>
      </div>
      {away && (
        <Button
          className={css.toEnd!}
          icon={<ArrowDown />}
          aria-label={fresh > 0 ? t('toEndFresh', { n: fresh }) : t('toEnd')}
          onClick={() => toEnd()}
        >
          {fresh > 0 && (
            <span className={`${badge.badge} nums`} data-part="badge">
              {fresh}
            </span>
          )}
        </Button>
      )}
      {!still && <Announcer list={list} last={last} />}
    </div>
  )
}

const Hello = ({ name }: { name: string }) => <Empty icon={<Chat size={20} />} title={name} />

/** Scrolls to a quoted message and highlights it for a moment. */
function useJump(box: React.RefObject<HTMLDivElement | null>) {
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
