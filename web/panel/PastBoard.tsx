import { Button } from '@blueprintjs/core'
import { Pulse } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { minuteMs } from '#domain/duration/rules.ts'
import type { PanelMomentRow } from '#domain/panel/contract.ts'
import { amount, useLanguage, useWords } from '#web/i18n.ts'
import { momentWords } from '#web/moment/words.ts'
import { compareNames } from '#web/name-order.ts'
import { useViewer } from '#web/session.ts'
import { AgentAvatar } from '#web/ticket/AgentAvatar.tsx'
import { Face } from '#web/ticket/Channel.tsx'
import { Waited } from '#web/ticket/list/Waited.tsx'
import boardCss from '#web/ui/Board.module.css'
import { Chip } from '#web/ui/Chip.tsx'
import { full, span } from '#web/ui/moment.ts'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import { momentOfKey, panelFilterAtom, pastKey, ticketsAtMoment } from './atoms.ts'
import { type Column, columnsBy } from './columns.ts'
import css from './Panel.module.css'
import { panelWords } from './words.ts'

const drawn = 50

type PastTicket = PanelMomentRow & { status: 'open' | 'pending'; isBot: boolean }
const placed = (row: PanelMomentRow): PastTicket => ({
  ...row,
  status: row.state === 'open' ? 'open' : 'pending',
  isBot: row.state === 'bot',
})
const waitedSince = ({ state, since }: PastTicket) => (state === 'waiting' ? since : null)

/** The columns at a past moment. Nothing in them is live, and nothing can be changed (A-PAST-03). */
export function PastBoard({ moment }: { moment: string }) {
  const t = useWords(momentWords)
  const tPanel = useWords(panelWords)
  const filter = useAtomValue(panelFilterAtom)
  const { reportQueueIds: limit } = useViewer()
  const { key, value, error } = useAtomValue(ticketsAtMoment)
  const follow = useSetAtom(ticketsAtMoment.follow)
  const wanted = pastKey(moment, limit)
  useEffect(() => void follow(wanted), [wanted, follow])
  useEffect(() => () => void follow(null), [follow])
  const columns = useMemo(() => {
    if (!value) return null
    const agents = Map.groupBy(
      value.flatMap(({ user }) => user ?? []),
      ({ id }) => id,
    )
    const named = [...agents.values()].map(([one]) => ({ id: one!.id, name: one!.name, online: false }))
    return columnsBy(
      waitedSince,
      value.map(placed),
      named.toSorted((a, b) => compareNames(a.name, b.name)),
      filter,
      false,
    )
  }, [value, filter])
  if (error !== null) return <ErrorView error={error} onRetry={() => void follow(wanted)} />
  if (!columns || key === null) return <Skeleton rows={6} height={80} />
  if (columns.every(({ tickets }) => tickets.length === 0))
    return <Empty icon={<Pulse size={20} />} title={value!.length > 0 ? tPanel('noMatch') : t('noTickets')} />
  const shown = momentOfKey(key)
  return (
    <section
      className={`${boardCss.board} ${css.past}`}
      aria-label={tPanel('title')}
      aria-busy={shown !== moment}
      data-part="past-board"
      data-moment={shown}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, and the keyboard scrolls it
      tabIndex={0}
      onKeyDown={(event) => /^Arrow|^(Home|End)$/.test(event.key) && event.stopPropagation()}
    >
      {columns.map((column) => (
        <PastColumn key={column.id} column={column} until={shown} />
      ))}
    </section>
  )
}

function PastColumn({ column: { id, agent, tickets }, until }: { column: Column<PastTicket>; until: string }) {
  const t = useWords(panelWords)
  const language = useLanguage()
  const [limit, setLimit] = useState(drawn)
  const name = agent?.name ?? t(id === 'bot' ? 'bot' : 'waiting')
  return (
    <section className={boardCss.column} aria-label={name} data-column={id}>
      <header className={boardCss.head}>
        {agent && <AgentAvatar id={agent.id} name={agent.name} size={24} />}
        <h2 dir="auto">{name}</h2>
        <span className="nums">{amount(tickets.length, language)}</span>
      </header>
      {tickets.length === 0 && <p className={css.empty}>{t('empty')}</p>}
      <ul className={css.cards}>
        {tickets.slice(0, limit).map((ticket) => (
          <PastCard key={ticket.id} ticket={ticket} until={until} />
        ))}
      </ul>
      {tickets.length > limit && (
        <Button
          variant="minimal"
          text={t('more', { n: Math.min(drawn, tickets.length - limit) })}
          onClick={() => setLimit(limit + drawn)}
        />
      )}
    </section>
  )
}

function PastCard({
  ticket: { id, uuid, contactName, channel, queue, userId, state, since },
  until,
}: {
  ticket: PastTicket
  until: string
}) {
  const t = useWords(panelWords)
  const tMoment = useWords(momentWords)
  const language = useLanguage()
  const viewer = useViewer()
  const mayOpen = viewer.profile === 'admin' || userId === viewer.id
  const lasted = span(Math.max(0, Math.floor((Date.parse(until) - Date.parse(since)) / minuteMs)), language)
  const told = tMoment('since', { state: t(state === 'quiet' ? 'waiting' : state), span: lasted })
  return (
    <li className={css.card} data-part="past-card" data-card={id}>
      <div className={css.who}>
        <Face name={contactName} picture={null} size={24} channel={channel} />
        {mayOpen ? (
          <Link href={`/tickets/${uuid}`} dir="auto">
            {contactName}
          </Link>
        ) : (
          <b dir="auto">{contactName}</b>
        )}
        {state === 'waiting' && <Waited since={since} until={until} />}
      </div>
      <div className={css.foot}>
        {queue && <Chip name={queue.name} color={queue.color} />}
        {(state === 'open' || state === 'bot') && (
          <small className="nums" title={`${told} · ${full(since, language)}`}>
            <span className="hidden-but-read">{told}</span>
            <span aria-hidden>{lasted}</span>
          </small>
        )}
        <small className="nums">#{id}</small>
      </div>
    </li>
  )
}
