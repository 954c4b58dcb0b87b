import { useWords } from '#web/i18n.ts'
import { useTicketActions } from '#web/ticket/actions.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import type { DialogProps } from './dialog.ts'

/** Asks before a waiting ticket is closed although nobody served it (R-TICKET-12). */
export function IgnoreDialog({ of: { ticket }, onClose }: DialogProps<'ignore'>) {
  const t = useWords(ticketWords)
  const { ignore } = useTicketActions(ticket)
  return (
    <Confirm
      title={t('ignore')}
      question={t('ignoreText', { name: ticket.contact.name })}
      verb={t('ignore')}
      onConfirm={ignore}
      onClose={onClose}
    />
  )
}
