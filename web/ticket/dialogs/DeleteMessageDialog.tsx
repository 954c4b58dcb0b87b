import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { threadOf } from '#web/message/atoms.ts'
import { brief } from '#web/message/bubble/in-words.ts'
import { changed } from '#web/message/optimistic.ts'
import { messageWords } from '#web/message/words.ts'
import { store } from '#web/session.ts'
import { cut } from '#web/ticket/list/card.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import type { DialogProps } from './dialog.ts'

export function DeleteMessageDialog({ of: { ticket, message }, onClose }: DialogProps<'deleteMessage'>) {
  const t = useWords(messageWords)
  return (
    <Confirm
      title={t('removeTitle', { name: ticket.contact.name })}
      question={t('removeText', { text: cut(brief(message.mediaType, message.body), 80) })}
      verb={t('remove')}
      onConfirm={async () => {
        const answer = await api.messages.remove({ params: { id: message.id } })
        const row = changed(answer, { ...message, isDeleted: true, deletedBy: 'us' }, (received) => received.isDeleted)
        store.set(threadOf(message.ticketId).apply, [{ op: 'put', row }])
      }}
      onClose={onClose}
    />
  )
}
