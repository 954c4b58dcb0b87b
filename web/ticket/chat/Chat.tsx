import { Button } from '@blueprintjs/core'
import { Inbox as InboxIcon } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { Refused } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { logOf, threadOf } from '#web/message/atoms.ts'
import { Composer } from '#web/message/composer/Composer.tsx'
import { PickedBar } from '#web/message/composer/PickedBar.tsx'
import { unseenSince } from '#web/message/outbox.ts'
import { paperWords } from '#web/message/paper/words.ts'
import { pickedAtom } from '#web/message/picked.ts'
import { draftOf, filesOf, out, overtakenOf } from '#web/message/sending.ts'
import { Pendings } from '#web/message/thread/Pending.tsx'
import { Thread } from '#web/message/thread/Thread.tsx'
import { drawerAtom, goneAtom, sentAway, ticketOf } from '#web/ticket/atoms.ts'
import { connectionChoices } from '#web/ticket/choices.ts'
import drawerCss from '#web/ticket/drawer/Drawer.module.css'
import { ticketWords } from '#web/ticket/words.ts'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import css from './Chat.module.css'
import { Header } from './Header.tsx'
import { Taken } from './Taken.tsx'
import { useTakenBy } from './takenBy.ts'

const Drawer = lazy(() => import('#web/ticket/drawer/Drawer.tsx').then(({ Drawer }) => ({ default: Drawer })))
const missing = ['ERR_NO_TICKET_FOUND', 'ERR_NO_PERMISSION', 'ERR_INVALID_INPUT']

/** The ticket of this address. */
export function Chat({ uuid }: { uuid: string }) {
  const say = useWords(ticketWords)
  const ticketAtom = ticketOf(uuid)
  const { state, row, error } = useAtomValue(ticketAtom)
  const reload = useSetAtom(ticketAtom.reload)
  const takenBy = useTakenBy()
  const [last, keep] = useState(row)
  if (row && row !== last) keep(row)
  if (row) return <Open ticket={row} />
  if (state === 'gone' && last && !sentAway.has(uuid)) return <Left ticket={last} by={takenBy?.id === last.id ? takenBy.name : null} />
  if (state === 'gone') return <Gone ticket={last} />
  if (state === 'loading') return <Skeleton rows={8} height={56} />
  if (error instanceof Refused && missing.includes(error.code))
    return (
      <Empty
        icon={<InboxIcon size={20} />}
        title={say('missing')}
        action={
          <Link href="/tickets" asChild>
            <Button intent="primary" text={say('back')} />
          </Link>
        }
      >
        {say('missingText')}
      </Empty>
    )
  return <ErrorView error={error} retry={reload} />
}

/** Out of sight while it was open: it stays to be read where somebody took it, or something is written there. */
function Left({ ticket, by }: { ticket: TicketRow; by: string | null }) {
  const { body } = useAtomValue(draftOf(ticket.id))
  const files = useAtomValue(filesOf(ticket.id))
  const stays = by !== null || body.trim() !== '' || files.length > 0
  return stays ? <Taken ticket={ticket} by={by} /> : <Gone ticket={ticket} />
}

/** Deleted, or moved out of sight: back to the list (R-LIVE-05), which says whose it was. */
function Gone({ ticket }: { ticket: TicketRow | null }) {
  const [, go] = useLocation()
  const tell = useSetAtom(goneAtom)
  useEffect(() => {
    if (ticket && !sentAway.delete(ticket.uuid)) tell(ticket.contact.name)
    go('/tickets', { replace: true })
  }, [ticket, go, tell])
  return null
}

function Open({ ticket }: { ticket: TicketRow }) {
  const sayPaper = useWords(paperWords)
  const list = threadOf(ticket.id)
  const drawer = useAtomValue(drawerAtom)
  const overtaken = useAtomValue(overtakenOf(ticket.id))
  const [picked, pick] = useAtom(pickedAtom)
  const picking = picked?.ticketId === ticket.id
  useEffect(() => {
    pick((now) => (now?.ticketId === ticket.id ? now : null)) // what was picked in another is no more
  }, [pick, ticket.id])
  const sending = useAtomValue(out.ofTicket(ticket.id)).length > 0
  const { status, userId, queueId } = ticket
  const [opened] = useState(ticket.revision) // what happened since the last visit
  const missed = useAtomValue(connectionChoices.all).find(({ id }) => id === ticket.whatsappId)?.missedTo ?? null
  const log = useAtomValue(logOf(ticket.id, 'thread', `${opened} ${status} ${userId} ${queueId} ${missed}`))
  return (
    <div className={css.chat} data-part="chat">
      <section id="chat" tabIndex={-1} className={css.main} data-part="chat-main" aria-label={ticket.contact.name}>
        <Header ticket={ticket} />
        <p className={css.onPaper}>{sayPaper('onScreen')}</p>
        <Thread ticket={ticket} list={list} log={log} since={overtaken && unseenSince(overtaken)}>
          {sending && <Pendings ticket={ticket} list={list} />}
        </Thread>
        {picking ? <PickedBar ticket={ticket} /> : <Composer ticket={ticket} list={list} />}
      </section>
      {drawer && (
        <Suspense
          fallback={
            <aside className={drawerCss.drawer}>
              <Skeleton rows={6} />
            </aside>
          }
        >
          <Drawer ticket={ticket} />
        </Suspense>
      )}
    </div>
  )
}
