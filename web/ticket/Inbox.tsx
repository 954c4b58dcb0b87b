import { Button } from '@blueprintjs/core'
import { Chat as ChatIcon } from '@blueprintjs/icons'
import { useAtom, useAtomValue } from 'jotai'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { Redirect, useParams } from 'wouter'
import { Checklist } from '#web/checklist/Checklist.tsx'
import { useWords } from '#web/i18n.ts'
import { returnEarly } from '#web/message/composer/early.ts'
import { unsent } from '#web/message/unsent.ts'
import { useViewer } from '#web/session.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { onePaneAtom } from '#web/ui/breakpoints.ts'
import { useOpening } from '#web/ui/opening.ts'
import { Skip } from '#web/ui/Skip.tsx'
import { Empty } from '#web/ui/states.tsx'
import { goneAtom } from './atoms.ts'
import { Loading } from './chat/Loading.tsx'
import { Day } from './Day.tsx'
import { useDialogOver } from './dialogs/over.ts'
import css from './Inbox.module.css'
import { TicketList } from './list/TicketList.tsx'
import { Split } from './Split.tsx'

const Chat = lazy(() => import('./chat/Chat.tsx').then(({ Chat }) => ({ default: Chat })))
const Dialogs = lazy(() => import('./dialogs/Dialogs.tsx').then(({ Dialogs }) => ({ default: Dialogs })))

/** List, chat and contact side by side; a narrow screen shows one at a time. */
export function Inbox() {
  const { uuid } = useParams<{ uuid?: string }>()
  const one = useAtomValue(onePaneAtom)
  const [asked, setAsked] = useDialogOver(uuid)
  useOpening(asked?.kind, () => setAsked(null))
  const t = useWords(ticketWords)
  const { id } = useViewer()
  useEffect(() => {
    // Messages that were unsent when the page closed are sent now, whichever ticket is open.
    if (unsent(localStorage, id).length > 0) void import('#web/message/sending.ts').then(({ out }) => out.wake())
  }, [id])
  if (uuid === 'undefined') return <Redirect to="/tickets" replace />
  return (
    <div className={css.inbox} data-in={uuid ? 'chat' : 'list'}>
      <h1 className="hidden-but-read">{t('inbox')}</h1>
      {uuid && !one && <Skip to="chat">{t('toChat')}</Skip>}
      <Panes uuid={uuid} one={one} />
      {asked !== null && (
        <Suspense>
          <Dialogs />
        </Suspense>
      )}
    </div>
  )
}

/**
 * The address selects a ticket or the list. If the open ticket is no longer visible, a notice says so first. The
 * chat stays mounted when the window is resized.
 */
function Panes({ uuid, one }: { uuid: string | undefined; one: boolean }) {
  const gone = useAtomValue(goneAtom)
  const chat = uuid !== undefined || gone !== null
  return (
    <Split alone={one} list={one && chat ? null : <TicketList chosen={uuid} />}>
      {one && !chat ? null : <Conversation uuid={uuid} />}
    </Split>
  )
}

function Conversation({ uuid }: { uuid: string | undefined }) {
  useEffect(() => {
    if (uuid) return () => returnEarly(uuid)
  }, [uuid])
  useFocusAfterTicket(uuid)
  return uuid ? (
    <Suspense fallback={<Loading uuid={uuid} />}>
      <Chat key={uuid} uuid={uuid} />
    </Suspense>
  ) : (
    <Welcome />
  )
}

/** The ticket takes the focus with it when it leaves. It goes to what is shown instead, so that keys and screen readers go on from there. */
function useFocusAfterTicket(uuid: string | undefined): void {
  const before = useRef(uuid)
  useEffect(() => {
    const hasLeft = before.current !== undefined && uuid === undefined
    before.current = uuid
    if (!hasLeft) return
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === document.body)
        document.querySelector<HTMLElement>('[data-part=welcome]')?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [uuid])
}

function Welcome() {
  const t = useWords(ticketWords)
  const one = useAtomValue(onePaneAtom)
  const [gone, setGone] = useAtom(goneAtom)
  useEffect(() => () => setGone(null), [setGone])
  return (
    <section className={css.welcome} data-part="welcome" tabIndex={-1} aria-label={t('ticket')}>
      {gone === null ? (
        <Checklist>
          <Day />
        </Checklist>
      ) : (
        <Empty
          icon={<ChatIcon size={22} />}
          title={t('gone', { name: gone })}
          action={one && <Button intent="primary" text={t('choose')} onClick={() => setGone(null)} />}
        >
          <span role="status">{t('missingText')}</span>
        </Empty>
      )}
    </section>
  )
}
