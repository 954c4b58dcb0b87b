import { useWords } from '#web/i18n.ts'
import { useTicketActions } from '#web/ticket/actions.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import type { DialogProps } from './dialog.ts'

export function DeleteDialog({ of: { ticket }, close }: DialogProps<'delete'>) {
  const say = useWords(ticketWords)
  const { remove } = useTicketActions(ticket)
  return (
    <Confirm
      title={say('removeTitle')}
      question={say('removeText', { id: ticket.id, name: ticket.contact.name })}
      verb={say('remove')}
      onConfirm={remove}
      onClose={close}
    />
  )
}
