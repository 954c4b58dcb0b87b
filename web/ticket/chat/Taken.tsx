import { Button } from '@blueprintjs/core'
import { User } from '@blueprintjs/icons'
import { useLocation } from 'wouter'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import head from './Header.module.css'
import css from './Taken.module.css'

/**
 * Another agent has the ticket, or it left the viewer's queues. The loaded messages stay readable, and the draft
 * is kept.
 */
export function TakenHead({ ticket: { contact }, by }: { ticket: TicketRow; by: string | null }) {
  const t = useWords(ticketWords)
  const [, go] = useLocation()
  return (
    <>
      <header className={head.head} data-part="head">
        <span className={head.who} data-part="head-who" data-still>
          <Avatar name={contact.name} picture={contact.urlPicture} size={38} />
          <span className={head.text}>
            <h2>{contact.name}</h2>
            {by !== null && <span className={head.owner}>{by}</span>}
          </span>
        </span>
      </header>
      <div className={css.taken} role="status">
        <User size={16} />
        <p>
          <b>{by === null ? t('takenAway') : t('takenBy', { name: by })}</b> {t('takenText')}
        </p>
        <Button size="small" variant="outlined" text={t('back')} onClick={() => go('/tickets')} />
      </div>
    </>
  )
}
