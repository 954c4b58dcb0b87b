import { Button } from '@blueprintjs/core'
import { Lock } from '@blueprintjs/icons'
import { useSetAtom } from 'jotai'
import { type TicketRow, tickets } from '#domain/ticket/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { messageWords } from '#web/message/words.ts'
import { useMay, useViewer } from '#web/session.ts'
import { allowed, useTicketActions } from '#web/ticket/actions.ts'
import { dialogAtom } from '#web/ticket/atoms.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { placeNow } from '#web/ui/place.ts'
import css from './Asleep.module.css'

/** The reason why nothing can be sent, and the action that enables the composer. `onNote`: an internal note is still possible. */
export function SendDisabledNotice({ ticket, onNote }: { ticket: TicketRow; onNote: (() => void) | null }) {
  const t = useWords(messageWords)
  const tTicket = useWords(ticketWords)
  const may = allowed(ticket, useViewer())
  const mayOpen = useMay(tickets.open)
  const act = useAsyncAction()
  const setDialog = useSetAtom(dialogAtom)
  const { accept, pending } = useTicketActions(ticket)
  const why =
    ticket.status === 'open' && ticket.user
      ? t('sleepOther', { name: ticket.user.name })
      : t(may.anew ? 'sleepGone' : may.reopen ? 'sleepClosed' : ticket.status === 'lgpd' ? 'sleepLgpd' : 'sleepWaiting')
  return (
    <div className={css.asleep} data-part="asleep">
      <p>{why}</p>
      {onNote && <Button variant="minimal" icon={<Lock />} text={t('private')} title={t('privateHint')} onClick={onNote} />}
      {(may.accept || may.reopen) && (
        <Button
          className={css.wide!}
          intent="primary"
          loading={pending}
          text={tTicket(may.reopen ? 'reopen' : 'accept')}
          aria-label={t(may.reopen ? 'reopenToWrite' : 'acceptToWrite')}
          onClick={accept}
        />
      )}
      {may.anew && mayOpen && (
        <Button
          className={css.wide!}
          intent="primary"
          loading={act.pending}
          text={tTicket('newTicket')}
          onClick={() =>
            void act(async () => {
              const isStill = placeNow()
              const contact = await api.contacts.find({ params: { id: ticket.contactId } })
              if (isStill()) setDialog({ kind: 'new', contact })
            })()
          }
        />
      )}
    </div>
  )
}
