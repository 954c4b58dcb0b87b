import { useWords } from '#web/i18n.ts'
import { useTicketActions } from '#web/ticket/actions.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import type { DialogProps } from './dialog.ts'

export function DeleteDialog({ of: { ticket }, onClose }: DialogProps<'delete'>) {
  const t = useWords(ticketWords)
  const { remove } = useTicketActions(ticket)
  return (
    <Confirm
      title={t('removeTitle')}
      question={t('removeText', { id: ticket.id, name: ticket.contact.name })}
      verb={t('remove')}
      onConfirm={remove}
      onClose={onClose}
    />
  )
}
