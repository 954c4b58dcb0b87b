import { DialogBody } from '@blueprintjs/core'
import { useAtom } from 'jotai'
import { useState } from 'react'
import { useWords } from '#web/i18n.ts'
import { noteDraftOf } from '#web/note/atoms.ts'
import { Notes } from '#web/note/Notes.tsx'
import { noteWords } from '#web/note/words.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Discard } from '#web/ui/Discard.tsx'
import type { DialogProps } from './dialog.ts'

export function NotesDialog({ of: { ticket }, close }: DialogProps<'notes'>) {
  const say = useWords(noteWords)
  const [text, write] = useAtom(noteDraftOf(ticket.id))
  const [leave, askToLeave] = useState(false)
  const typed = text.trim() !== ''
  return (
    <Dialog isOpen title={`${say('title')} · ${ticket.contact.name}`} onClose={() => (typed ? askToLeave(true) : close())}>
      <DialogBody>
        <Notes ticketId={ticket.id} contactId={ticket.contactId} />
      </DialogBody>
      {leave && typed && (
        <Discard
          lost={[say('title')]}
          of={{
            stay: () => askToLeave(false),
            discard: () => {
              write('')
              close()
            },
          }}
        />
      )}
    </Dialog>
  )
}
