import { Dialog, DialogBody } from '@blueprintjs/core'
import { useWords } from '#web/i18n.ts'
import { Notes } from '#web/note/Notes.tsx'
import { noteWords } from '#web/note/words.ts'
import type { Shown } from './dialog.ts'

export function NotesDialog({ of: { ticket }, close }: Shown<'notes'>) {
  const say = useWords(noteWords)
  return (
    <Dialog isOpen title={`${say('title')} · ${ticket.contact.name}`} onClose={close}>
      <DialogBody>
        <Notes ticketId={ticket.id} contactId={ticket.contactId} />
      </DialogBody>
    </Dialog>
  )
}
