import { Button } from '@blueprintjs/core'
import { Time as Clock, Cross, Edit, EyeOpen, Reset, Tick } from '@blueprintjs/icons'
import { type Atom, useAtomValue, useSetAtom } from 'jotai'
import { memo, useState } from 'react'
import { Link } from 'wouter'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import { undeliveredAtom } from '#web/message/delayed-messages.ts'
import { useViewer } from '#web/session.ts'
import { allowed, useTicketActions } from '#web/ticket/actions.ts'
import { dialogAtom, tabAtom, underWayAtom, unreadBefore } from '#web/ticket/atoms.ts'
import { Face } from '#web/ticket/Channel.tsx'
import { colleagueText, useColleagues } from '#web/ticket/colleagues.ts'
import { Status } from '#web/ticket/Status.tsx'
import { ticketWords } from '#web/ticket/words.ts'
import badge from '#web/ui/Badge.module.css'
import { Chip } from '#web/ui/Chip.tsx'
import { useClickGuard } from '#web/ui/click-guard.ts'
import { Erased } from '#web/ui/Erased.tsx'
import { Time } from '#web/ui/Time.tsx'
import { cardId, cut } from './card.ts'
import { compactAtom } from './compact.ts'
import { useDraftInList } from './draft-in-list.ts'
import { Hit, hitsAtom, jumpTo } from './Hit.tsx'
import { Preview } from './Preview.tsx'
import css from './TicketCard.module.css'
import { Waited } from './Waited.tsx'
import { WaitsFor } from './WaitsFor.tsx'

/** Only the card subscribes to the row, so one changed ticket renders one card. */
export const TicketCard = memo(({ row, chosen, stop }: { row: Atom<TicketRow>; chosen: string | undefined; stop: boolean }) => {
  const now = useAtomValue(row) as TicketRow | null
  const [last, setLast] = useState(now)
  if (now && now !== last) setLast(now)
  const ticket = now ?? last
  return ticket && <Card ticket={ticket} gone={now === null} current={ticket.uuid === chosen} stop={stop} />
})
TicketCard.displayName = 'TicketCard'

const Card = memo(({ ticket, gone, current, stop }: { ticket: TicketRow; gone: boolean; current: boolean; stop: boolean }) => {
  const t = useWords(ticketWords)
  const viewer = useViewer()
  const tab = useAtomValue(tabAtom)
  const { contact, queue, tags, unreadMessages: unread, user, channel, whatsapp } = ticket
  const mine = useAtomValue(undeliveredAtom).filter(({ ticketId }) => ticketId === ticket.id)
  const failed = ticket.failedMessages + mine.filter(({ state }) => state === 'failed').length
  const waits = ticket.failedMessages + mine.length - failed
  const name = cut(contact.name, 60)
  const hit = useAtomValue(hitsAtom).get(tab === 'search' ? ticket.id : 0)
  const acting = useAtomValue(underWayAtom).has(ticket.id)
  const compact = useAtomValue(compactAtom)
  const settled = useClickGuard<HTMLDivElement>(`${ticket.status} ${ticket.userId} ${gone}`)
  const [first, second, ...rest] = tags
  const draft = useDraftInList(ticket, current)
  return (
    <div
      className={css.card}
      data-part="card"
      ref={settled}
      data-unread={unread > 0 || undefined}
      data-compact={compact || undefined}
      data-current={current || undefined}
      data-gone={gone || acting || undefined}
      aria-busy={acting || undefined}
    >
      <span className={css.bar} aria-hidden style={{ background: queue?.color ?? '#8b93a1' }} />
      <Face name={contact.name} picture={contact.urlPicture} size={compact ? 32 : 40} channel={channel} />
      <div className={css.text}>
        <div className={css.line}>
          <Link
            href={`/tickets/${ticket.uuid}`}
            id={cardId(ticket.id)}
            className={css.name}
            data-part="card-name"
            title={contact.name}
            dir="auto"
            tabIndex={stop ? 0 : -1}
            aria-current={current ? 'page' : undefined}
            onClick={() => {
              unreadBefore.set(ticket.uuid, unread)
              if (hit) void jumpTo(ticket.id, hit.messageId)
            }}
          >
            {name === '' ? <Erased /> : name}
          </Link>
          <Time at={ticket.lastMessageAt ?? ticket.updatedAt} className={css.time} />
        </div>
        <div className={css.line}>
          {hit ? <Hit {...hit} /> : <Preview ticket={ticket} waits={mine.findLast(({ isPrivate }) => !isPrivate) ?? null} draft={draft} />}
          <Badges ticket={ticket} waits={waits} failed={failed} compact={compact} />
        </div>
        <div className={`${css.line} ${css.chips}`}>
          {(tab === 'search' || tab === 'asked') && <Status className={css.status} of={ticket.status} closeReason={ticket.closeReason} />}
          {!compact && ticket.waitingSince && <Waited since={ticket.waitingSince} />}
          <Chip className={css.queue} name={queue?.name ?? t('noQueue')} color={queue?.color ?? '#8b93a1'} />
          {whatsapp?.color && (
            <Chip
              className={`${css.queue} ${css.connection}`}
              name={whatsapp.name}
              color={whatsapp.color}
              title={t('viaConnection', { name: whatsapp.name })}
            />
          )}
          {[first, second].map((tag) => tag && <Chip key={tag.id} className={css.queue} name={tag.name} color={tag.color} />)}
          {rest.length > 0 && (
            <span className={`${css.more} nums`} title={t('moreTags', { names: rest.map((tag) => tag.name).join(', ') })}>
              +{rest.length}
            </span>
          )}
          {(viewer.profile === 'admin' || ticket.status === 'pending') && user && (
            <WaitsFor className={css.agent} ticket={ticket} user={user} />
          )}
          {!gone && <Actions ticket={ticket} />}
        </div>
      </div>
    </div>
  )
})
Card.displayName = 'Card'

/** The waiting time of a compact card, handed over, messages that wait to be sent or failed, and unread messages. */
function Badges({ ticket, waits, failed, compact }: { ticket: TicketRow; waits: number; failed: number; compact: boolean }) {
  const t = useWords(ticketWords)
  const unread = ticket.unreadMessages
  const notSent = failed === 1 ? t('notSentOne') : t('notSent', { n: failed })
  const waiting = waits === 1 ? t('waitsToLeaveOne') : t('waitsToLeave', { n: waits })
  const notRead = unread === 1 ? t('unreadOne') : t('unread', { n: unread })
  const here = useColleagues(ticket.id)
  const names = here.map((one) => colleagueText(t, one)).join(', ')
  return (
    <>
      {compact && ticket.waitingSince && <Waited since={ticket.waitingSince} />}
      {here.length > 0 && (
        <span className={css.colleague} data-part="card-colleague" role="img" title={names} aria-label={names}>
          {here[0]!.doing === 'views' ? <EyeOpen size={12} /> : <Edit size={12} />}
        </span>
      )}
      {ticket.transfer && (
        <span className={`${badge.badge} ${css.handed}`} data-part="badge" role="img" title={t('handedOver')} aria-label={t('handedOver')}>
          ⇄
        </span>
      )}
      {waits > 0 && (
        <span className={`${badge.badge} ${css.waits} nums`} data-part="badge" role="img" title={waiting} aria-label={waiting}>
          <Clock size={10} /> {waits}
        </span>
      )}
      {failed > 0 && (
        <span className={`${badge.badge} ${css.failed} nums`} data-part="badge" role="img" title={notSent} aria-label={notSent}>
          !
        </span>
      )}
      {unread > 0 && (
        <span className={`${badge.badge} nums`} data-part="badge" role="img" title={notRead} aria-label={notRead}>
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </>
  )
}

/** The buttons beside the chips cover no text. The keyboard reaches them by the right arrow key. */
function Actions({ ticket }: { ticket: TicketRow }) {
  const t = useWords(ticketWords)
  const viewer = useViewer()
  const may = allowed(ticket, viewer)
  const setDialog = useSetAtom(dialogAtom)
  const { accept, resolve, pending } = useTicketActions(ticket)
  return (
    <div className={css.actions} data-part="card-actions">
      <Button
        variant="minimal"
        size="small"
        icon={<EyeOpen />}
        tabIndex={-1}
        aria-label={t('peek')}
        title={t('peek')}
        onClick={() => setDialog({ kind: 'peek', ticket })}
      />
      {may.ignore && (
        <Button
          className={css.apart!}
          tabIndex={-1}
          variant="minimal"
          size="small"
          icon={<Cross />}
          aria-label={t('ignore')}
          title={t('ignore')}
          onClick={() => setDialog({ kind: 'ignore', ticket })}
        />
      )}
      {may.resolve && (
        <Button
          tabIndex={-1}
          variant="minimal"
          size="small"
          icon={<Tick />}
          text={t('resolve')}
          loading={pending}
          onClick={() => resolve(true)}
        />
      )}
      {may.accept && (
        <Button tabIndex={-1} size="small" intent="primary" icon={<Tick />} text={t('accept')} loading={pending} onClick={accept} />
      )}
      {may.reopen && <Button tabIndex={-1} size="small" icon={<Reset />} text={t('reopen')} loading={pending} onClick={accept} />}
    </div>
  )
}
