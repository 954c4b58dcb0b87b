import { Button } from '@blueprintjs/core'
import { Refresh, VolumeUp } from '@blueprintjs/icons'
import { type Atom, useAtomValue, useSetAtom } from 'jotai'
import { type KeyboardEvent, lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { shellWords } from '#web/shell/words.ts'
import { live } from '#web/socket.ts'
import { unreadBefore } from '#web/ticket/atoms.ts'
import { Face } from '#web/ticket/Channel.tsx'
import { Preview } from '#web/ticket/list/Preview.tsx'
import { ticketWords } from '#web/ticket/words.ts'
import badge from '#web/ui/Badge.module.css'
import { phoneAtom } from '#web/ui/breakpoints.ts'
import { Erased } from '#web/ui/Erased.tsx'
import { More } from '#web/ui/More.tsx'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import { Time } from '#web/ui/Time.tsx'
import { notifiedTickets } from './list.ts'
import css from './NotificationList.module.css'
import { notificationWords } from './words.ts'

const SoundSettings = lazy(() => import('./SoundSettings.tsx').then(({ SoundSettings }) => ({ default: SoundSettings })))

/** The unread tickets of the user and, if the company wants it, waiting ones; a click opens the ticket. */
export function NotificationList() {
  const t = useWords(notificationWords)
  const tShell = useWords(shellWords)
  const isPhone = useAtomValue(phoneAtom)
  const [showsSettings, setShowsSettings] = useState(false)
  const ids = useAtomValue(notifiedTickets.ids)
  const state = useAtomValue(notifiedTickets.state)
  const error = useAtomValue(notifiedTickets.error)
  const reload = useSetAtom(notifiedTickets.reload)
  return (
    <div className={css.list}>
      <div className={css.head}>
        <h2>{t('title')}</h2>
        {isPhone && (
          <>
            <Button variant="minimal" icon={<Refresh />} aria-label={tShell('refresh')} title={tShell('refresh')} onClick={live.refresh} />
            <Button
              variant="minimal"
              icon={<VolumeUp />}
              active={showsSettings}
              aria-expanded={showsSettings}
              aria-label={tShell('sound')}
              title={tShell('sound')}
              onClick={() => setShowsSettings(!showsSettings)}
            />
          </>
        )}
      </div>
      {showsSettings && (
        <Suspense>
          <SoundSettings />
        </Suspense>
      )}
      {state === 'loading' && ids.length === 0 && <Skeleton rows={4} height={52} avatar />}
      {state === 'failed' && <ErrorView error={error} onRetry={reload} />}
      {state === 'ready' && ids.length === 0 && <Empty title={t('none')}>{t('noneText')}</Empty>}
      {ids.length > 0 && (
        <ul onKeyDown={walk}>
          {ids.map((id) => (
            <Ticket key={id} row={notifiedTickets.row(id)} />
          ))}
        </ul>
      )}
      {state === 'ready' && <More list={notifiedTickets} />}
    </div>
  )
}

/** A link also closes the popover. */
function Ticket({ row }: { row: Atom<TicketRow> }) {
  const t = useWords(notificationWords)
  const tTicket = useWords(ticketWords)
  const { id } = useViewer()
  const ticket = useAtomValue(row) as TicketRow | null
  if (!ticket) return null // removed, and the list renders next
  const { uuid, contact, channel, unreadMessages: unread, lastMessageAt, updatedAt } = ticket
  const count = unread === 1 ? tTicket('unreadOne') : tTicket('unread', { n: unread })
  return (
    <li>
      <Link href={`/tickets/${uuid}`} className={`${css.ticket} bp6-popover-dismiss`} onClick={() => unreadBefore.set(uuid, unread)}>
        <Face name={contact.name} picture={contact.urlPicture} size={32} channel={channel} />
        <span className={css.text}>
          <span className={css.line}>
            <b dir="auto">{contact.name === '' ? <Erased /> : contact.name}</b>
            <Time at={lastMessageAt ?? updatedAt} className={css.time} />
          </span>
          <span className={css.line}>
            <Preview ticket={ticket} />
            {unread > 0 && (
              <span className={`${badge.badge} nums`} data-part="badge" role="img" title={count} aria-label={count}>
                {unread}
              </span>
            )}
          </span>
          {ticket.userId !== id && <span className={css.waiting}>{t('waiting')}</span>}
        </span>
      </Link>
    </li>
  )
}

const steps: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key]
  const links = [...event.currentTarget.querySelectorAll('a')]
  const to = step && links[links.indexOf(document.activeElement as HTMLAnchorElement) + step]
  if (!to) return
  event.preventDefault()
  to.focus()
}
