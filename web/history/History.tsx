import { Button } from '@blueprintjs/core'
import { ArrowLeft, Export } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { Link, useParams } from 'wouter'
import { history } from '#domain/history/contract.ts'
import { api } from '#web/api.ts'
import { formattedNumber } from '#web/contact/phone.ts'
import { useWords } from '#web/i18n.ts'
import { useMay } from '#web/session.ts'
import { Rating } from '#web/ticket/Rating.tsx'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Chip } from '#web/ui/Chip.tsx'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import { type HistoryReplay, historyReplay } from './atoms.ts'
import { Chain, Coming, Stuck } from './Chain.tsx'
import { Copy } from './Copy.tsx'
import { Events } from './Events.tsx'
import css from './History.module.css'
import type { LoadedHistory } from './records.ts'
import { Status } from './Status.tsx'
import { Thread } from './Thread.tsx'
import { Transport } from './Transport.tsx'
import { historyWords } from './words.ts'

export function History() {
  const { uuid } = useParams<{ uuid: string }>()
  const of = historyReplay(uuid)
  const loaded = useAtomValue(of.historyAtom)
  const reload = useSetAtom(of.reload)
  const follow = useSetAtom(of.follow)
  useAtomValue(of.growing)
  const open = useSetAtom(of.open)
  useEffect(() => open(), [open])
  const next = loaded.state === 'ready' ? loaded.value.next : null
  useEffect(() => {
    if (next !== null) void follow(next)
  }, [follow, next])
  if (loaded.state === 'failed') return <ErrorView error={loaded.error} onRetry={reload} />
  if (loaded.state === 'loading') return <Skeleton rows={10} height={44} avatar />
  return <Replay of={of} ticketHistory={loaded.value} />
}

function Replay({ of, ticketHistory }: { of: HistoryReplay; ticketHistory: LoadedHistory }) {
  const t = useWords(historyWords)
  const [pane, setPane] = useState<'conversation' | 'events'>('conversation')
  return (
    <div className={css.replay} data-shows={pane}>
      <Header of={of} ticketHistory={ticketHistory} />
      <Chain of={of} ticketHistory={ticketHistory} />
      <Coming of={of} ticketHistory={ticketHistory} />
      <Stuck of={of} />
      <div className={css.panes} role="tablist">
        {(['conversation', 'events'] as const).map((one) => (
          <button key={one} type="button" role="tab" aria-selected={pane === one} onClick={() => setPane(one)}>
            {t(one)}
          </button>
        ))}
      </div>
      <Thread of={of} ticketHistory={ticketHistory} />
      <Events of={of} ticketHistory={ticketHistory} />
      <Transport of={of} ticketHistory={ticketHistory} />
    </div>
  )
}

/** The ticket's header at the replayed position. */
function Header({ of, ticketHistory }: { of: HistoryReplay; ticketHistory: LoadedHistory }) {
  const t = useWords(historyWords)
  const { status, userId, queueId, unread, nps } = useAtomValue(of.scene)
  const mayExport = useMay(history.export)
  const act = useAsyncAction()
  const [back] = useState(() => (window.history.state as { from?: string } | null)?.from ?? '/history')
  const queue = queueId === null ? null : ticketHistory.queues[queueId]
  const save = act(
    async () =>
      download(`guiche-${ticketHistory.ticket.uuid}.json`, await api.history.export({ params: { uuid: ticketHistory.ticket.uuid } })),
    { done: t('exported') },
  )
  return (
    <header className={css.head} data-part="replay-head">
      <Link href={back} className={css.back} aria-label={t('back')} title={t('back')}>
        <ArrowLeft size={16} />
      </Link>
      <div className={css.who} data-part="replay-who">
        <h1 title={t('of', { name: ticketHistory.ticket.contact })}>{t('of', { name: ticketHistory.ticket.contact })}</h1>
        <p className="nums">
          <span className={css.of}>
            <span>#{ticketHistory.ticket.id}</span> · <span dir="ltr">{formattedNumber(ticketHistory.ticket.number)}</span> ·{' '}
            <span>{ticketHistory.ticket.whatsapp}</span>
          </span>
          <Copy text={ticketHistory.ticket.uuid} label={t('copyId')}>
            <code>{ticketHistory.ticket.uuid}</code>
          </Copy>
        </p>
      </div>
      <dl className={css.then} data-part="replay-then" aria-live="polite">
        <div>
          <dt>{t('status')}</dt>
          <dd>
            <Status of={status} />
            <Rating nps={nps} />
          </dd>
        </div>
        <div>
          <dt>{t('owner')}</dt>
          <dd>{userId === null ? t('nobody') : (ticketHistory.users[userId] ?? `#${userId}`)}</dd>
        </div>
        <div>
          <dt>{t('queue')}</dt>
          <dd>{queue ? <Chip name={queue.name} color={queue.color} /> : t('noQueue')}</dd>
        </div>
        {unread > 0 && <div className={`${css.unread} nums`}>{t('unread', { n: unread })}</div>}
      </dl>
      {mayExport && <Button icon={<Export />} text={t('export')} loading={act.pending} onClick={() => void save()} />}
    </header>
  )
}

function download(name: string, value: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
