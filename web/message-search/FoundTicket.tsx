import { Button, Spinner } from '@blueprintjs/core'
import { Document, IdNumber, Lock, MapMarker, Media, Music, Phone, Video } from '@blueprintjs/icons'
import { memo, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { FoundTicket as Found, FoundMessage } from '#domain/message-search/contract.ts'
import { ContactName, useContactName } from '#web/contact/ContactName.tsx'
import { amount, useLanguage, useWords } from '#web/i18n.ts'
import { Status } from '#web/ticket/Status.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { Time } from '#web/ui/Time.tsx'
import css from './FoundTicket.module.css'
import { searchWords } from './words.ts'

type Of = {
  found: Found
  isLoading: boolean
  onOpen: (found: Found, message: FoundMessage) => void
  onMore: (ticketId: number) => void
}

/** A ticket with its matching messages, newest first. */
export const FoundTicket = memo(({ found, isLoading, onOpen, onMore }: Of) => {
  const t = useWords(searchWords)
  const language = useLanguage()
  const { ticket, count, isCountCapped, messages, cursor } = found
  const { contact, queue, user } = ticket
  const n = amount(count ?? messages.length, language)
  const nameOf = useContactName()
  return (
    <section className={css.group} data-part="found-ticket" aria-label={nameOf(contact.name)}>
      <header className={css.head}>
        <Avatar name={contact.name} picture={contact.urlPicture} size={32} />
        <h2 dir="auto">
          <ContactName name={contact.name} />
        </h2>
        <Status of={ticket.status} closeReason={ticket.closeReason} />
        <Chip name={queue?.name ?? t('noQueue')} color={queue?.color ?? '#8b93a1'} />
        {user && <Chip name={user.name} color={user.color} />}
        <span className={css.count}>{isCountCapped ? t('hitsMore', { n }) : count === 1 ? t('hitsOne') : t('hits', { n })}</span>
      </header>
      <ul className={css.hits}>
        {messages.map((message) => (
          <li key={message.id}>
            <Hit found={found} message={message} onOpen={onOpen} />
          </li>
        ))}
      </ul>
      {cursor && (
        <Button
          className={css.more!}
          variant="minimal"
          size="small"
          data-part="found-more"
          icon={isLoading ? <Spinner size={14} /> : undefined}
          text={t('moreHere')}
          onClick={() => onMore(ticket.id)}
        />
      )}
    </section>
  )
})
FoundTicket.displayName = 'FoundTicket'

function Hit({ found, message, onOpen }: Pick<Of, 'found' | 'onOpen'> & { message: FoundMessage }) {
  const t = useWords(searchWords)
  const { fromMe, author, isPrivate, isEdited, snippet, fileName, mediaType } = message
  const nameOf = useContactName()
  const sender = author ?? (fromMe ? t('system') : nameOf(found.ticket.contact.name))
  return (
    <Link
      href={`/tickets/${found.ticket.uuid}`}
      className={css.hit}
      data-part="found-message"
      data-message={message.id}
      onClick={() => onOpen(found, message)}
    >
      <span className={css.meta}>
        <span className={css.sender} dir="auto">
          {sender}
        </span>
        {isPrivate && (
          <span className={css.mark}>
            <Lock size={12} /> {t('note')}
          </span>
        )}
        {isEdited && <span className={css.mark}>{t('edited')}</span>}
        <Time at={message.createdAt} as="moment" className={css.time} />
      </span>
      {fileName && (
        <span className={css.file} dir="auto">
          {icons[mediaType] ?? icons.application} <Marked parts={fileName} />
        </span>
      )}
      {(snippet.length > 0 || !fileName) && (
        <span className={css.text} dir="auto">
          {!fileName && icons[mediaType]}
          {snippet.length > 0 ? <Marked parts={snippet} /> : t('noText')}
        </span>
      )}
    </Link>
  )
}

const icons: Record<string, ReactNode> = {
  application: <Document size={14} />,
  image: <Media size={14} />,
  audio: <Music size={14} />,
  video: <Video size={14} />,
  locationMessage: <MapMarker size={14} />,
  contactMessage: <IdNumber size={14} />,
  call_log: <Phone size={14} />,
}

const Marked = ({ parts }: { parts: FoundMessage['snippet'] }) => (
  <span>
    {parts.map(({ text, isHit }, at) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no ids and never change
      isHit ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
    )}
  </span>
)
