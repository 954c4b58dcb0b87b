import { Button } from '@blueprintjs/core'
import { SwapHorizontal } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { memo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'wouter'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { amount, useLanguage, useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { Face } from '#web/ticket/Channel.tsx'
import { userChoices } from '#web/ticket/choices.ts'
import { Waited } from '#web/ticket/list/Waited.tsx'
import { PresentAgent } from '#web/ticket/PresentAgent.tsx'
import boardCss from '#web/ui/Board.module.css'
import { Chip } from '#web/ui/Chip.tsx'
import { useCarried, usePlace } from '#web/ui/drag.ts'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { uiWords } from '#web/ui/words.ts'
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
        {agent && <PresentAgent id={agent.id} name={agent.name} size={24} />}
        <h2 dir="auto">{name}</h2>
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
  const button = useRef<HTMLButtonElement>(null)
  const endChoosing = () => {
    flushSync(() => setChoosing(false))
    button.current?.focus()
  }
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
          ref={button}
          variant="minimal"
          size="small"
          icon={<SwapHorizontal />}
          text={t('transfer')}
          aria-label={t('toAgent', { name: contact.name })}
          onClick={() => setChoosing(true)}
        />
      )}
      {isChoosing && <ChooseAgent ticket={ticket} onEnd={endChoosing} />}
    </li>
  )
})

/** The agents to transfer a ticket to. It is drawn on request, because every card with every agent would be slow. */
function ChooseAgent({ ticket: { id, userId, contact }, onEnd }: { ticket: TicketRow; onEnd: () => void }) {
  const t = useWords(panelWords)
  const tUi = useWords(uiWords)
  const users = useAtomValue(userChoices.all)
  const reassign = useReassign()
  const [chosen, setChosen] = useState<number | null>(null)
  const others = users.filter((user) => user.id !== userId)
  return (
    // a choice alone transfers nothing, because the arrow keys change it
    <form
      className={css.choose}
      onKeyDown={({ key }) => key === 'Escape' && onEnd()}
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen === null) return
        onEnd()
        reassign(id, chosen)
      }}
    >
      <HTMLSelect
        fill
        autoFocus
        aria-label={t('toAgent', { name: contact.name })}
        value={chosen ?? ''}
        options={[{ value: '', label: t('chooseAgent'), disabled: true }, ...others.map((user) => ({ value: user.id, label: user.name }))]}
        onChange={({ currentTarget: { value } }) => setChosen(Number(value))}
      />
      <Button type="submit" intent="primary" size="small" text={t('transfer')} disabled={chosen === null} />
      <Button variant="minimal" size="small" text={tUi('cancel')} onClick={onEnd} />
    </form>
  )
}
