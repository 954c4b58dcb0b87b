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

export function NotesDialog({ of: { ticket }, onClose }: DialogProps<'notes'>) {
  const t = useWords(noteWords)
  const [text, setText] = useAtom(noteDraftOf(ticket.id))
  const [leave, setLeave] = useState(false)
  const typed = text.trim() !== ''
  return (
    <Dialog isOpen title={`${t('title')} · ${ticket.contact.name}`} onClose={() => (typed ? setLeave(true) : onClose())}>
      <DialogBody>
        <Notes ticketId={ticket.id} contactId={ticket.contactId} />
      </DialogBody>
      {leave && typed && (
        <Discard
          of={{
            lost: () => [t('title')],
            stay: () => setLeave(false),
            discard: () => {
              setText('')
              onClose()
            },
          }}
        />
      )}
    </Dialog>
  )
}
