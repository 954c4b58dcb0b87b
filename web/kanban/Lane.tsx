import { People } from '@blueprintjs/icons'
import { type KeyboardEvent, useRef } from 'react'
import { Link } from 'wouter'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { amount, money, useLanguage, useWords } from '#web/i18n.ts'
import { Face } from '#web/ticket/Channel.tsx'
import { lastWords } from '#web/ticket/list/card.ts'
import { Waited } from '#web/ticket/list/Waited.tsx'
import { ticketWords } from '#web/ticket/words.ts'
import badge from '#web/ui/Badge.module.css'
import boardCss from '#web/ui/Board.module.css'
import { Chip } from '#web/ui/Chip.tsx'
import { Dot } from '#web/ui/Dot.tsx'
import { useCarried, usePlace } from '#web/ui/drag.ts'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import css from './Kanban.module.css'
import { kanbanWords } from './words.ts'

export type Stage = { id: number | null; name: string; color: string | null }
type Move = (ticket: TicketRow, to: number | null) => void
type Of = {
  stage: Stage
  stages: Stage[]
  /** The lanes to the left and right. */
  beside: [Stage | undefined, Stage | undefined]
  rows: TicketRow[]
  /** Totals of the lane if not all of its cards are loaded; otherwise null. */
  count: { count: number; worth: number } | null
  /** Called for each card that is drawn. */
  landed: (card: HTMLElement | null, id: number, at: number | null) => void
  find: (id: number) => TicketRow | undefined
  move: Move
  may: boolean
}

/** One column of the board; cards can be dropped onto it. */
export function Lane({ stage, stages, beside, rows, count, landed, find, move, may }: Of) {
  const t = useWords(kanbanWords)
  const language = useLanguage()
  const box = useRef<HTMLElement>(null)
  const worth = count?.worth ?? rows.reduce((all, row) => all + (row.amount ?? 0), 0)
  const cards = count?.count ?? rows.length
  const over = usePlace<'on'>(box, {
    edges: null,
    takes: ({ kind }) => may && kind === 'ticket',
    put({ id }) {
      const ticket = find(Number(id))
      if (ticket) move(ticket, stage.id)
    },
  })
  return (
    <section ref={box} className={boardCss.column} aria-label={stage.name} data-over={over !== null || undefined}>
      <header className={`${boardCss.head} ${css.head}`}>
        {stage.color && <Dot color={stage.color} />}
        <h2 dir="auto">{stage.name}</h2>
        {worth > 0 && (
          <b className="nums" data-part="worth" title={t('worth')}>
            {money(worth, language)}
          </b>
        )}
        <span className="nums" title={t('cards', { n: cards })}>
          {amount(cards, language)}
        </span>
      </header>
      {cards === 0 && (
        <p className={css.empty}>
          {t('empty')}
          {may && <> {t('emptyHint')}</>}
        </p>
      )}
      <ul className={css.cards}>
        {rows.map((ticket) => (
          <Card key={ticket.id} ticket={ticket} stage={stage} stages={stages} beside={beside} landed={landed} move={move} may={may} />
        ))}
      </ul>
    </section>
  )
}

function Unread({ count }: { count: number }) {
  const t = useWords(ticketWords)
  const words = count === 1 ? t('unreadOne') : t('unread', { n: count })
  return (
    count > 0 && (
      <span className={`${badge.badge} nums`} data-part="badge" role="img" title={words} aria-label={words}>
        {count > 99 ? '99+' : count}
      </span>
    )
  )
}

function Card({
  ticket,
  stage,
  stages,
  beside: [left, right],
  landed,
  move,
  may,
}: { ticket: TicketRow } & Omit<Of, 'rows' | 'count' | 'find'>) {
  const t = useWords(kanbanWords)
  const language = useLanguage()
  const { id, uuid, contact, user, channel } = ticket
  const box = useRef<HTMLLIElement>(null)
  useCarried(box, { kind: 'ticket', id }, may)
  const handleKeyDown = (event: KeyboardEvent) => {
    const to = event.key === 'ArrowLeft' ? left : event.key === 'ArrowRight' ? right : undefined
    if (!may || !to || !event.shiftKey || event.target !== event.currentTarget) return
    event.preventDefault()
    move(ticket, to.id)
  }
  return (
    <li
      ref={(card) => {
        box.current = card
        landed(card, id, stage.id)
      }}
      className={css.card}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a card takes the focus for its shortcut keys
      tabIndex={0}
      data-card={id}
      data-part="card"
      aria-label={`${contact.name}, #${id}`}
      onKeyDown={handleKeyDown}
    >
      <div className={css.who}>
        <Face name={contact.name} picture={contact.urlPicture} size={28} channel={channel} />
        <b dir="auto">{contact.name}</b>
        {ticket.isGroup && <People size={12} title={t('group')} />}
        <Unread count={ticket.unreadMessages} />
        <small className="nums">#{id}</small>
      </div>
      <p dir="auto">{lastWords(ticket)}</p>
      <div className={css.chips}>
        {ticket.waitingSince && <Waited since={ticket.waitingSince} />}
        {ticket.queue && <Chip name={ticket.queue.name} color={ticket.queue.color} />}
        {ticket.tags.map((tag) => (
          <Chip key={tag.id} name={tag.name} color={tag.color} />
        ))}
      </div>
      <div className={css.foot}>
        {user && <Chip name={user.name} color={user.color} />}
        {ticket.amount !== null && <span className="nums">{money(ticket.amount, language)}</span>}
        <Link href={`/tickets/${uuid}`}>{t('see')}</Link>
      </div>
      {may && (
        <HTMLSelect
          fill
          aria-label={t('moveTo', { name: contact.name })}
          value={stage.id ?? ''}
          options={stages.map(({ id, name }) => ({ value: id ?? '', label: name }))}
          onChange={({ currentTarget: { value } }) => move(ticket, value === '' ? null : Number(value))}
        />
      )}
    </li>
  )
}
