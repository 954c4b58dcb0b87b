import { Button, HTMLSelect } from '@blueprintjs/core'
import { SwapHorizontal } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { memo, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { amount, useLanguage, useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { AgentAvatar } from '#web/ticket/AgentAvatar.tsx'
import { Face } from '#web/ticket/Channel.tsx'
import { userChoices } from '#web/ticket/choices.ts'
import { Waited } from '#web/ticket/list/Waited.tsx'
import boardCss from '#web/ui/Board.module.css'
import { Chip } from '#web/ui/Chip.tsx'
import { useCarried, usePlace } from '#web/ui/drag.ts'
import { type Column, waitsSince } from './columns.ts'
import css from './Panel.module.css'
import { useReassign } from './reassign.ts'
import { panelWords } from './words.ts'

/** How many cards of a column are drawn at first. */
const drawn = 50

/** The tickets of one agent, or those that wait; an admin drops a card onto another agent to transfer it. */
export const PanelColumn = memo(({ column: { id, agent, tickets } }: { column: Column }) => {
  const t = useWords(panelWords)
  const language = useLanguage()
  const isAdmin = useViewer().profile === 'admin'
  const box = useRef<HTMLElement>(null)
  const [limit, setLimit] = useState(drawn)
  const reassign = useReassign()
  const over = usePlace<'on'>(box, {
    edges: null,
    takes: ({ kind }) => isAdmin && agent !== null && kind === 'panelTicket',
    put: ({ id: ticketId }) => agent && reassign(Number(ticketId), agent.id),
  })
  const name = agent?.name ?? t(id === 'bot' ? 'bot' : 'waiting')
  return (
    <section ref={box} className={boardCss.column} aria-label={name} data-over={over !== null || undefined} data-column={id}>
      <header className={boardCss.head}>
        {agent && <AgentAvatar id={agent.id} name={agent.name} size={24} />}
        <h2 dir="auto">{name}</h2>
        {agent && <i className={css.presence} data-online={agent.online || undefined} />}
        <span className="nums">{amount(tickets.length, language)}</span>
      </header>
      {tickets.length === 0 && <p className={css.empty}>{t('empty')}</p>}
      {/* The cards of others contain no links, so the list itself is what the keyboard scrolls. */}
      <ul className={css.cards} aria-label={name} {...(!isAdmin && { tabIndex: 0 })}>
        {tickets.slice(0, limit).map((ticket) => (
          <Card key={ticket.id} ticket={ticket} />
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
})

const Card = memo(({ ticket }: { ticket: TicketRow }) => {
  const t = useWords(panelWords)
  const viewer = useViewer()
  const isAdmin = viewer.profile === 'admin'
  const box = useRef<HTMLLIElement>(null)
  const [isChoosing, setChoosing] = useState(false)
  const { id, uuid, contact, queue, userId, channel } = ticket
  useCarried(box, { kind: 'panelTicket', id }, isAdmin)
  const since = waitsSince(ticket)
  const mayOpen = isAdmin || userId === viewer.id
  return (
    <li ref={box} className={css.card} data-part="panel-card" data-card={id}>
      <div className={css.who}>
        <Face name={contact.name} picture={contact.urlPicture} size={24} channel={channel} />
        {mayOpen ? (
          <Link href={`/tickets/${uuid}`} dir="auto">
            {contact.name}
          </Link>
        ) : (
          <b dir="auto">{contact.name}</b>
        )}
        {since && <Waited since={since} />}
      </div>
      <div className={css.foot}>
        {queue && <Chip name={queue.name} color={queue.color} />}
        <small className="nums">#{id}</small>
      </div>
      {isAdmin && !isChoosing && (
        <Button
          variant="minimal"
          size="small"
          icon={<SwapHorizontal />}
          text={t('transfer')}
          aria-label={t('toAgent', { name: contact.name })}
          onClick={() => setChoosing(true)}
        />
      )}
      {isChoosing && <ChooseAgent ticket={ticket} onEnd={() => setChoosing(false)} />}
    </li>
  )
})

/** The agents to transfer a ticket to. It is drawn on request, because every card with every agent would be slow. */
function ChooseAgent({ ticket: { id, userId, contact }, onEnd }: { ticket: TicketRow; onEnd: () => void }) {
  const t = useWords(panelWords)
  const users = useAtomValue(userChoices.all)
  const reassign = useReassign()
  return (
    <HTMLSelect
      fill
      autoFocus
      aria-label={t('toAgent', { name: contact.name })}
      value={userId ?? ''}
      options={[{ value: '', label: t('chooseAgent'), disabled: true }, ...users.map((user) => ({ value: user.id, label: user.name }))]}
      onBlur={onEnd}
      onKeyDown={({ key }) => key === 'Escape' && onEnd()}
      onChange={({ currentTarget: { value } }) => {
        onEnd()
        reassign(id, Number(value))
      }}
    />
  )
}
