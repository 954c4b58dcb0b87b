import { Lock } from '@blueprintjs/icons'
import { type Atom, useAtomValue } from 'jotai'
import { memo } from 'react'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { ContactName, useContactName } from '#web/contact/ContactName.tsx'
import { useWords } from '#web/i18n.ts'
import { threadOf } from '#web/message/atoms.ts'
import { showMessage } from '#web/message/show-message.ts'
import { messageWords } from '#web/message/words.ts'
import { useViewer } from '#web/session.ts'
import { useTemplateName } from '#web/template/name.ts'
import { signature } from '#web/ticket/list/card.ts'
import { hue } from '#web/ui/Avatar.tsx'
import { Readable } from '#web/ui/Erased.tsx'
import { Time } from '#web/ui/Time.tsx'
import { toast, toastFailure } from '#web/ui/toaster.ts'
import { About } from './About.tsx'
import { Body } from './Body.tsx'
import css from './Bubble.module.css'
import { brief } from './in-words.ts'
import { Marks } from './Marks.tsx'
import { MessageActions } from './MessageActions.tsx'
import { Pick } from './Pick.tsx'
import { useLongPress } from './press.ts'
import { Reactions } from './Reactions.tsx'
import { Trouble } from './Trouble.tsx'

type Of = { row: Atom<MessageRow>; first: boolean; last: boolean; still: boolean; since: number | null; ticket: TicketRow }

/** Every message changes the ticket's row. A bubble renders again only if the fields that it shows have changed. */
const same = (a: Of, b: Of): boolean =>
  a.row === b.row &&
  a.first === b.first &&
  a.last === b.last &&
  a.still === b.still &&
  a.since === b.since &&
  (['id', 'status', 'userId', 'isGroup', 'contactId'] as const).every((key) => a.ticket[key] === b.ticket[key]) &&
  a.ticket.contact.name === b.ticket.contact.name

export const Bubble = memo(({ row, ...of }: Of) => {
  const message = useAtomValue(row) as MessageRow | null // null between the removal of the row and the next render
  return message && <MessageBubble message={message} {...of} />
}, same)
Bubble.displayName = 'Bubble'

function MessageBubble({ message, first, last, still, since, ticket }: Omit<Of, 'row'> & { message: MessageRow }) {
  const t = useWords(messageWords)
  const viewer = useViewer()
  const nameOf = useContactName()
  const asTemplate = useTemplateName()
  const longPress = useLongPress()
  const {
    fromMe,
    isPrivate,
    isDeleted,
    isForwarded,
    isEdited,
    user,
    contact,
    quotedMsg,
    reactions,
    failed,
    uncertain,
    elsewhere,
    template,
  } = message
  const sign = signature(message.body)
  const signed = fromMe && user !== null && !isDeleted && sign.startsWith(`*${user.name}:*`) // the text itself names the sender
  const other = fromMe && user !== null && user.id !== viewer.id && !signed
  const news =
    since !== null && fromMe && !isPrivate && user?.id !== viewer.id && message.revision > since && message.ticketId === ticket.id
  const isOwn = fromMe && user?.id === viewer.id
  const who = isOwn ? t('you') : fromMe ? (user?.name ?? t(elsewhere ? 'onPhone' : 'system')) : nameOf(contact?.name ?? ticket.contact.name)
  const label = isOwn
    ? t('messageFromYou')
    : fromMe && !user
      ? t(elsewhere ? 'messageFromPhone' : 'messageFromSystem')
      : t('messageFrom', { name: who })
  return (
    <article
      className={css.message}
      data-part="message"
      aria-label={label}
      data-message={message.id}
      data-us={fromMe || undefined}
      data-first={first || undefined}
      data-last={last || undefined}
      data-private={isPrivate || undefined}
      data-failed={failed !== null || undefined}
      data-news={news || undefined}
      {...(!still && !isDeleted && longPress)}
    >
      <div className={css.bubble} data-part="bubble" {...(message.mediaUrl && { 'data-media': message.mediaType })}>
        {(first || elsewhere) && (other || isPrivate || (fromMe && user === null) || (!fromMe && ticket.isGroup)) && (
          <p className={css.who} {...(!fromMe && { 'data-hue': '', style: { '--hue': hue(who) } as object })}>
            {isPrivate && <Lock size={11} />} <bdi>{who}</bdi>
            {isPrivate && <span> · {t('private')}</span>}
          </p>
        )}
        {template && !isDeleted && <p className={css.note}>{asTemplate(template)}</p>}
        {isForwarded && !isDeleted && <p className={css.note}>{t('forwarded')}</p>}
        {message.about && !isDeleted && <About of={message.about} />}
        {quotedMsg && !isDeleted && <Quoted quoted={quotedMsg} ticket={ticket} />}
        <Body message={signed && !first ? { ...message, body: message.body.slice(sign.length) } : message} ticketId={ticket.id} />
        <span className={css.foot}>
          {isEdited && !isDeleted && <span>{t('edited')}</span>}
          <Time at={message.createdAt} as="hour" />
          {fromMe && !isPrivate && <Marks ack={message.ack} failed={failed !== null} uncertain={uncertain} />}
        </span>
        {!still && <MessageActions message={message} ticket={ticket} />}
      </div>
      {!still && <Pick message={message} ticket={ticket} />}
      {reactions.length > 0 && <Reactions of={reactions} group={ticket.isGroup} still={still} />}
      {!still && <Trouble message={message} ticket={ticket} />}
    </article>
  )
}

function Quoted({ quoted, ticket }: { quoted: NonNullable<MessageRow['quotedMsg']>; ticket: TicketRow }) {
  const t = useWords(messageWords)
  const go = async () => {
    if (!(await showMessage(threadOf(ticket.id), quoted.id))) toast(t('quotedHidden'), 'warning')
  }
  return (
    <button
      type="button"
      className={css.quoted}
      data-part="quoted"
      data-us={quoted.fromMe || undefined}
      title={t('toQuoted')}
      onClick={() => void go().catch(toastFailure)}
    >
      <b>{quoted.fromMe ? t('we') : <ContactName name={quoted.contact?.name ?? ticket.contact.name} />}</b>
      <span>{quoted.isDeleted ? t('deletedByUs') : <Readable text={brief(quoted.mediaType, quoted.body)} />}</span>
    </button>
  )
}
