import { Button } from '@blueprintjs/core'
import { ChevronLeft } from '@blueprintjs/icons'
import { useAtom } from 'jotai'
import { useLocation } from 'wouter'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { ContactName } from '#web/contact/ContactName.tsx'
import { formattedNumber } from '#web/contact/phone.ts'
import { useWords } from '#web/i18n.ts'
import { useTicketActions } from '#web/ticket/actions.ts'
import { drawerAtom } from '#web/ticket/atoms.ts'
import { Face } from '#web/ticket/Channel.tsx'
import { Rating } from '#web/ticket/Rating.tsx'
import { Status } from '#web/ticket/Status.tsx'
import { useWrites } from '#web/ticket/typing.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { Chip } from '#web/ui/Chip.tsx'
import css from './Header.module.css'
import { HeaderActions } from './HeaderActions.tsx'
import { useTicketKeys } from './useTicketKeys.ts'

export function Header({ ticket }: { ticket: TicketRow }) {
  const t = useWords(ticketWords)
  const [drawer, setDrawer] = useAtom(drawerAtom)
  const [, go] = useLocation()
  const actions = useTicketActions(ticket)
  const { contact } = ticket
  useTicketKeys(ticket, actions)
  return (
    <header className={css.head} data-part="head">
      <Button variant="minimal" icon={<ChevronLeft />} aria-label={t('back')} title={t('back')} onClick={() => go('/tickets')} />
      <div className={css.who} data-part="head-who">
        <Face name={contact.name} picture={contact.urlPicture} size={38} channel={ticket.channel} />
        <span className={css.text}>
          <span className={css.line}>
            <h2>
              <button
                type="button"
                className={css.name}
                data-part="head-name"
                title={t('contact')}
                aria-expanded={drawer}
                onClick={() => setDrawer(!drawer)}
              >
                <ContactName name={contact.name} />
              </button>
            </h2>
            <span className={`${css.number} nums`}>{ticket.isGroup ? '' : formattedNumber(contact.number)}</span>
          </span>
          <Facts ticket={ticket} />
        </span>
      </div>
      <HeaderActions ticket={ticket} actions={actions} />
    </header>
  )
}

/** Status, rating, queue, agent and number of the ticket, on one line. */
function Facts({ ticket }: { ticket: TicketRow }) {
  const t = useWords(ticketWords)
  const writes = useWrites(ticket.id)
  const { contact, queue, user } = ticket
  return (
    <span className={`${css.line} ${css.facts}`}>
      {writes ? (
        <span className={css.writes} data-part="writes">
          {t('writes')}
        </span>
      ) : (
        <Status of={ticket.status} closeReason={ticket.closeReason} />
      )}
      {!contact.active && (
        <span className={css.blocked} data-part="head-blocked">
          {t('blocked')}
        </span>
      )}
      <Rating nps={ticket.nps} />
      <Chip className={css.queue} name={queue?.name ?? t('noQueue')} color={queue?.color ?? '#8b93a1'} />
      {(user || !ticket.isGroup) && <span className={css.owner}>{user?.name ?? (ticket.isBot ? t('bot') : t('noUser'))}</span>}
      <span className={`${css.id} nums`}>#{ticket.id}</span>
    </span>
  )
}
