import { TextArea } from '@blueprintjs/core'
import { messages } from '#domain/message/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { threadOf } from '#web/message/atoms.ts'
import { changed } from '#web/message/optimistic.ts'
import { messageWords } from '#web/message/words.ts'
import { store } from '#web/session.ts'
import { signature } from '#web/ticket/list/card.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { areaField } from '#web/ui/fields.tsx'
import { submitByEnter } from '#web/ui/submit-by-enter.ts'
import type { DialogProps } from './dialog.ts'
import { refusalOver } from './refusal.ts'

const MessageField = areaField('', (of) => <TextArea {...of} onKeyDown={submitByEnter} />)

export function EditDialog({ of: { ticket, message }, onClose }: DialogProps<'edit'>) {
  const t = useWords(messageWords)
  const name = signature(message.body) // the signature stays as it was sent
  return (
    <FormDialog
      title={t('editTitle', { name: ticket.contact.name })}
      body={messages.change.body}
      start={{ body: message.body.slice(name.length) }}
      why={refusalOver}
      onClose={onClose}
      onSubmit={async ({ body }) => {
        const words = name + body
        const answer = await api.messages.change({ params: { id: message.id }, body: { body: words } })
        const row = changed(answer, { ...message, body: words, isEdited: true }, (received) => received.body === words)
        store.set(threadOf(message.ticketId).apply, [{ op: 'put', row }])
      }}
    >
      <MessageField autoFocus name="body" label={t('message')} />
    </FormDialog>
  )
}
