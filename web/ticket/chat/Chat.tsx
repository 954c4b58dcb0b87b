import { Button } from '@blueprintjs/core'
import { Inbox as InboxIcon } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom, useStore } from 'jotai'
import { lazy, Suspense, useEffect, useLayoutEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { ApiError } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { frozen } from '#web/live.ts'
import { logOf, threadOf } from '#web/message/atoms.ts'
import { Composer } from '#web/message/composer/Composer.tsx'
import { draftOf } from '#web/message/composer/early.ts'
import { PickedBar } from '#web/message/composer/PickedBar.tsx'
import type { LeftBehind } from '#web/message/composer/useComposerState.ts'
import { unseenSince } from '#web/message/outbox.ts'
import { paperWords } from '#web/message/paper/words.ts'
import { pickedAtom } from '#web/message/picked.ts'
import { filesOf, out, overtakenOf } from '#web/message/sending.ts'
import { Pendings } from '#web/message/thread/Pending.tsx'
import { Thread } from '#web/message/thread/Thread.tsx'
import { drawerAtom, goneAtom, sentAway, ticketOf } from '#web/ticket/atoms.ts'
import { connectionChoices } from '#web/ticket/choices.ts'
import drawerCss from '#web/ticket/drawer/Drawer.module.css'
import { ticketWords } from '#web/ticket/words.ts'
import { holdLetters } from '#web/ui/keys.ts'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import css from './Chat.module.css'
import { Colleagues } from './Colleagues.tsx'
import { Header } from './Header.tsx'
import { Loading } from './Loading.tsx'
import { TakenHead } from './Taken.tsx'
import { useTakenBy } from './takenBy.ts'

const Drawer = lazy(() => import('#web/ticket/drawer/Drawer.tsx').then(({ Drawer }) => ({ default: Drawer })))
const missing = ['ERR_NO_TICKET_FOUND', 'ERR_NO_PERMISSION', 'ERR_INVALID_INPUT']

/** The ticket of the address. Its text field stays mounted whatever happens to the ticket (A-COMP-20). */
export function Chat({ uuid }: { uuid: string }) {
  const ticketAtom = ticketOf(uuid)
  const { state, row, error } = useAtomValue(ticketAtom)
  const reload = useSetAtom(ticketAtom.reload)
  const takenBy = useTakenBy()
  const [last, setLast] = useState(row)
  if (row && row !== last) setLast(row)
  const by = last !== null && takenBy?.id === last.id ? takenBy.name : null
  const isWritten = useIsWritten(uuid, last?.id ?? null)
  const ticket = row ?? last
  if (ticket && (row || (state === 'gone' && (isWritten || (by !== null && !sentAway.has(uuid))))))
    return <Open ticket={ticket} left={row ? null : { by }} />
  if (state === 'gone') return <Gone ticket={last} />
  if (state !== 'loading' && error instanceof ApiError && missing.includes(error.code)) return <Missing />
  return (
    <div className={css.chat} data-part="chat">
      <Loading uuid={uuid}>{state === 'failed' && <ErrorView error={error} onRetry={reload} />}</Loading>
    </div>
  )
}

/** Whether a draft of the ticket contains text. */
function useIsWritten(uuid: string, ticketId: number | null): boolean {
  const reply = useAtomValue(draftOf(uuid, 'reply')).body
  const note = useAtomValue(draftOf(uuid, 'note')).body
  const files = useAtomValue(filesOf(ticketId ?? 0, 'reply')).length + useAtomValue(filesOf(ticketId ?? 0, 'note')).length
  return reply.trim() !== '' || note.trim() !== '' || files > 0
}

function Missing() {
  const t = useWords(ticketWords)
  return (
    <Empty
      icon={<InboxIcon size={20} />}
      title={t('missing')}
      action={
        <Link href="/tickets" asChild>
          <Button intent="primary" text={t('back')} />
        </Link>
      }
    >
      {t('missingText')}
    </Empty>
  )
}

/** The ticket was deleted or is no longer visible: returns to the list (R-LIVE-05), which names the contact. */
function Gone({ ticket }: { ticket: TicketRow | null }) {
  const [, go] = useLocation()
  const setGone = useSetAtom(goneAtom)
  useLayoutEffect(() => {
    holdLetters()
    if (ticket && !sentAway.delete(ticket.uuid)) setGone(ticket.contact.name)
    go('/tickets', { replace: true })
  }, [ticket, go, setGone])
  return null
}

function Open({ ticket, left }: { ticket: TicketRow; left: LeftBehind | null }) {
  const tPaper = useWords(paperWords)
  const store = useStore()
  const live = threadOf(ticket.id)
  const [still, setStill] = useState<typeof live | null>(null)
  if ((still === null) !== (left === null)) setStill(left && frozen(store, live))
  const list = still ?? live
  const drawer = useAtomValue(drawerAtom) && left === null
  const overtaken = useAtomValue(overtakenOf(ticket.id))
  const [picked, setPicked] = useAtom(pickedAtom)
  const picking = left === null && picked?.ticketId === ticket.id
  useEffect(() => {
    setPicked((now) => (now?.ticketId === ticket.id ? now : null)) // ends the selection in another ticket
  }, [setPicked, ticket.id])
  const sending = useAtomValue(out.ofTicket(ticket.id)).length > 0
  const { status, userId, queueId } = ticket
  const [opened] = useState(ticket.revision) // the log loads again for events since the last visit
  const missed = useAtomValue(connectionChoices.all).find(({ id }) => id === ticket.whatsappId)?.missedTo ?? null
  const log = useAtomValue(logOf(ticket.id, `${opened} ${status} ${userId} ${queueId} ${missed}`))
  return (
    <div className={css.chat} data-part="chat">
      <section id="chat" tabIndex={-1} className={css.main} data-part="chat-main" aria-label={ticket.contact.name}>
        {left ? <TakenHead ticket={ticket} by={left.by} /> : <Header ticket={ticket} />}
        <p className={css.onPaper}>{tPaper('onScreen')}</p>
        <Thread
          key={left ? 'still' : 'live'}
          ticket={ticket}
          list={list}
          {...(left ? { still: true } : { log, since: overtaken && unseenSince(overtaken) })}
        >
          {sending && <Pendings ticket={ticket} list={list} />}
        </Thread>
        {picking && <PickedBar ticket={ticket} />}
        <Colleagues ticket={ticket} isHere={left === null} />
        <div className={css.composer} hidden={picking}>
          <Composer ticket={ticket} list={list} left={left} />
        </div>
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
