import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useState } from 'react'
import { useWords } from '#web/i18n.ts'
import { QueueSelect, theOnly, useServedQueues } from '#web/queue/QueueSelect.tsx'
import { useMe } from '#web/session.ts'
import { useTicketActions } from '#web/ticket/actions.ts'
import { ticketOf } from '#web/ticket/atoms.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import dialog from '#web/ui/Dialog.module.css'
import { Dialog } from '#web/ui/Dialog.tsx'
import { placeNow } from '#web/ui/place.ts'
import { uiWords } from '#web/ui/words.ts'
import type { DialogProps } from './dialog.ts'

/** Chooses the queue for a ticket without one when an agent accepts it (R-TICKET-03, R-TICKET-14). */
export function QueueDialog({ of: { ticket }, onClose }: DialogProps<'queue'>) {
  const t = useWords(ticketWords)
  const tUi = useWords(uiWords)
  const act = useAsyncAction()
  const { take, refused } = useTicketActions(ticket)
  const mine = useServedQueues()
  const [chosen, setChosen] = useState<number | null>(null)
  const queueId = chosen ?? theOnly(mine)
  const { state, row } = useAtomValue(ticketOf(ticket.uuid))
  const me = useMe()
  // a waiting ticket may name the agent whom it waits for, and others may accept it too
  const isServed = row !== null && row.status !== 'pending' && row.userId !== null && row.userId !== me.id
  const isTaken = state === 'gone' || (ticket.status !== 'closed' && isServed)
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (isTaken) close() // the page below says who accepted it
  }, [isTaken])
  const verb = t(ticket.status === 'closed' ? 'reopen' : 'accept')
  const accept = () => {
    const isStill = placeNow()
    return act(() => take(queueId), { refused: (refusal) => refused(refusal, isStill) })()
  }
  return (
    <Dialog isOpen title={`${t('queueTitle')} · ${ticket.contact.name}`} onClose={onClose} size="small">
      <DialogBody>
        <p className={dialog.text}>{t('queueText', { name: ticket.contact.name })}</p>
        <QueueSelect autoFocus queues={mine} value={queueId} onChange={setChosen} />
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={tUi('cancel')} onClick={onClose} />
            <Button intent="primary" text={verb} disabled={queueId === null} loading={act.pending} onClick={() => void accept()} />
          </>
        }
      />
    </Dialog>
  )
}
