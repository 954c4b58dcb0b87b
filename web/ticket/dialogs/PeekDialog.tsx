import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useMemo } from 'react'
import { useLocation } from 'wouter'
import { useWords } from '#web/i18n.ts'
import { peekAt } from '#web/message/atoms.ts'
import { Thread } from '#web/message/thread/Thread.tsx'
import { useViewer } from '#web/session.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import type { DialogProps } from './dialog.ts'
import css from './PeekDialog.module.css'

/** Reads a ticket without opening it: marks nothing as read, and the log records the access (A-TICKET-06). */
export function PeekDialog({ of: { ticket }, onClose }: DialogProps<'peek'>) {
  const t = useWords(ticketWords)
  const viewer = useViewer()
  const [, go] = useLocation()
  const list = useMemo(() => peekAt(ticket.id), [ticket.id])
  return (
    <Dialog isOpen title={t('peekTitle', { name: ticket.contact.name })} onClose={onClose} size="wide" className={css.peek!}>
      <DialogBody>
        <Thread ticket={ticket} list={list} still />
      </DialogBody>
      <DialogFooter
        actions={
          <Button
            text={t('open')}
            onClick={() => {
              onClose()
              go(`/tickets/${ticket.uuid}`)
            }}
          />
        }
      >
        <span className={css.text} data-part="peek-text">
          {t(ticket.userId === viewer.id ? 'peekOwn' : 'peekText')}
        </span>
      </DialogFooter>
    </Dialog>
  )
}
