import { Button } from '@blueprintjs/core'
import { ArrowDown, Chat } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { useRef } from 'react'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import type { TicketLogRow } from '#domain/ticket-log/contract.ts'
import { useWords } from '#web/i18n.ts'
import type { Collection } from '#web/live.ts'
import { messageWords } from '#web/message/words.ts'
import badge from '#web/ui/Badge.module.css'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import { Announcer } from './Announcer.tsx'
import { DayOf } from './Days.tsx'
import { useOffscreen } from './offscreen.ts'
import { useSeen } from './seen.ts'
import css from './Thread.module.css'
import { ThreadSearch } from './ThreadSearch.tsx'
import { useThreadDays } from './useThreadDays.ts'
import { useScrollTargets, useThreadScroll } from './useThreadScroll.ts'

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

export function Thread({ ticket, list, log = none, still = false, since = null, children }: Of) {
  const t = useWords(messageWords)
  const ids = useAtomValue(list.ids)
  const state = useAtomValue(list.state)
  const hasMore = useAtomValue(list.hasMore)
  const hasNewer = useAtomValue(list.hasNewer)
  const box = useRef<HTMLDivElement>(null)
  const { facts, last, days, firstUnreadId } = useThreadDays({ ticket, list, log, still })
  useOffscreen(box, days)
  useSeen({ box, ticket, list, days, off: still || hasNewer || state !== 'ready' })
  useScrollTargets(box, list, ticket.id, firstUnreadId)
  const { away, fresh, handleScroll, toEnd } = useThreadScroll(box, list, facts)

  if (state !== 'ready' && ids.length === 0) return <NotLoaded list={list} />
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
          {ids.length === 0 && !children && <Empty icon={<Chat size={20} />} title={t('hello')} />}
          {days.map((day) => (
            <DayOf key={day.day} day={day} list={list} still={still} since={since} ticket={ticket} />
          ))}
          {hasNewer ? (
            <p className={css.older} role="status">
              {t('newer')}
            </p>
          ) : (
            children
          )}
        </div>
      </div>
      {away && <ToEnd fresh={hasNewer ? ticket.unreadMessages : fresh} onClick={() => void toEnd()} />}
      {!still && !hasNewer && <Announcer list={list} last={last} />}
    </div>
  )
}

function NotLoaded({ list }: { list: Collection<MessageRow> }) {
  const state = useAtomValue(list.state)
  const error = useAtomValue(list.error)
  const reload = useSetAtom(list.reload)
  return (
    <div className={css.thread} data-part="thread">
      {state === 'failed' ? <ErrorView error={error} onRetry={reload} /> : <Skeleton rows={7} height={52} />}
    </div>
  )
}

/** Leads to the end of the thread, with the number of messages that arrived meanwhile. */
function ToEnd({ fresh, onClick }: { fresh: number; onClick: () => void }) {
  const t = useWords(messageWords)
  return (
    <Button
      className={css.toEnd!}
      icon={<ArrowDown />}
      aria-label={fresh > 0 ? t('toEndFresh', { n: fresh }) : t('toEnd')}
      onClick={onClick}
    >
      {fresh > 0 && (
        <span className={`${badge.badge} nums`} data-part="badge">
          {fresh}
        </span>
      )}
    </Button>
  )
}
