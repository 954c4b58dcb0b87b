import { Button } from '@blueprintjs/core'
import { Cross, EyeOpen, Reset, Tick } from '@blueprintjs/icons'
import { type Atom, useAtomValue, useSetAtom } from 'jotai'
import { memo, useState } from 'react'
import { Link } from 'wouter'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { allowed, useTicketActions } from '#web/ticket/actions.ts'
import { dialogAtom, tabAtom, unreadBefore } from '#web/ticket/atoms.ts'
import { ChannelIcon, channelColour } from '#web/ticket/Channel.tsx'
import { statusWords, ticketWords } from '#web/ticket/words.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { useSettled } from '#web/ui/settle.ts'
import { Time } from '#web/ui/Time.tsx'
import { cardId, cut, lastLine, untitled } from './card.ts'

/** The row is read here and nowhere above: one changed ticket draws one card. */
export const TicketCard = memo(({ row, chosen }: { row: Atom<TicketRow>; chosen: string | undefined }) => {
  const now = useAtomValue(row) as TicketRow | null
  const [last, keep] = useState(now)
  if (now && now !== last) keep(now)
  const ticket = now ?? last
  return ticket && <Card ticket={ticket} gone={now === null} current={ticket.uuid === chosen} />
})
TicketCard.displayName = 'TicketCard'

const Card = memo(({ ticket, gone, current }: { ticket: TicketRow; gone: boolean; current: boolean }) => {
  const say = useWords(ticketWords)
  const viewer = useViewer()
  const sayStatus = useWords(statusWords)
  const tab = useAtomValue(tabAtom)
  const { contact, queue, tags, unreadMessages: unread, lastMessage, lastMessageFromMe, user, whatsapp, channel } = ticket
  const name = cut(contact.name, 60) || untitled
  const settled = useSettled<HTMLDivElement>(`${ticket.status} ${ticket.userId} ${gone}`)
  const [first, second, ...rest] = tags
  const text = cut(lastLine(lastMessage, lastMessageFromMe), 40)
  return (
    <div
      className="card"
      ref={settled}
      data-unread={unread > 0 || undefined}
      data-current={current || undefined}
      data-gone={gone || undefined}
    >
      <span className="card-bar" aria-hidden>
        <i style={{ background: queue?.color ?? '#8b93a1' }} title={queue?.name ?? say('noQueue')} />
        <i style={{ background: whatsapp?.color ?? channelColour(channel) }} title={whatsapp?.name} />
      </span>
      <span className="card-face">
        <Avatar name={name} picture={contact.urlPicture} size={40} />
        <ChannelIcon channel={channel} />
      </span>
      <div className="card-text">
        <div className="card-line">
          <Link
            href={`/tickets/${ticket.uuid}`}
            id={cardId(ticket.id)}
            className="card-name"
            title={contact.name}
            aria-current={current ? 'page' : undefined}
            onClick={() => unreadBefore.set(ticket.uuid, unread)}
          >
            {name}
          </Link>
          <Time at={ticket.updatedAt} className="card-time" />
        </div>
        <div className="card-line">
          <span className="card-last">
            {lastMessageFromMe && text !== '' && <b>{say('you')} </b>}
            {text || say('noMessages')}
          </span>
          {unread > 0 && (
            <span className="badge nums" role="img" title={say('unread', { n: unread })} aria-label={say('unread', { n: unread })}>
              {unread > 99 ? '99+' : unread}
            </span>
          )}
        </div>
        <div className="card-line card-chips">
          {tab === 'search' && (
            <span className="status" data-status={ticket.status}>
              {sayStatus(ticket.status)}
            </span>
          )}
          <Chip name={queue?.name ?? say('noQueue')} color={queue?.color ?? '#8b93a1'} />
          {[first, second].map((tag) => tag && <Chip key={tag.id} name={tag.name} color={tag.color} />)}
          {rest.length > 0 && (
            <span className="card-more nums" title={say('moreTags', { names: rest.map((tag) => tag.name).join(', ') })}>
              +{rest.length}
            </span>
          )}
          {viewer.profile === 'admin' && user && (
            <span className="card-agent" title={user.name}>
              <Avatar name={user.name} size={16} /> {user.name}
            </span>
          )}
        </div>
      </div>
      {!gone && <Actions ticket={ticket} />}
    </div>
  )
})
Card.displayName = 'Card'

/** Over the card, so that nothing moves when they show; always there for the keyboard. */
function Actions({ ticket }: { ticket: TicketRow }) {
  const say = useWords(ticketWords)
  const viewer = useViewer()
  const may = allowed(ticket, viewer)
  const ask = useSetAtom(dialogAtom)
  const { accept, ignore, resolve, pending } = useTicketActions(ticket)
  return (
    <div className="card-actions">
      <Button
        variant="minimal"
        size="small"
        icon={<EyeOpen />}
        aria-label={say('peek')}
        title={say('peek')}
        onClick={() => ask({ kind: 'peek', ticket })}
      />
      {may.ignore && (
        <Button variant="minimal" size="small" icon={<Cross />} aria-label={say('ignore')} title={say('ignore')} onClick={ignore} />
      )}
      {may.resolve && (
        <Button variant="minimal" size="small" icon={<Tick />} text={say('resolve')} loading={pending} onClick={() => resolve(true)} />
      )}
      {may.accept && <Button size="small" intent="primary" icon={<Tick />} text={say('accept')} loading={pending} onClick={accept} />}
      {may.reopen && <Button size="small" icon={<Reset />} text={say('reopen')} loading={pending} onClick={accept} />}
    </div>
  )
}
