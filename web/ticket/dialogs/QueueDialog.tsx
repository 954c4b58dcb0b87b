import { Button, DialogBody, DialogFooter, FormGroup, HTMLSelect } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { useTicketActions } from '#web/ticket/actions.ts'
import { queueChoices } from '#web/ticket/choices.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { useAct } from '#web/ui/act.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { uiWords } from '#web/ui/words.ts'
import type { Shown } from './dialog.ts'

/** A ticket without a queue gets one as it is taken (R-TICKET-03, R-TICKET-14). */
export function QueueDialog({ of: { ticket }, close }: Shown<'queue'>) {
  const say = useWords(ticketWords)
  const sayUi = useWords(uiWords)
  const viewer = useViewer()
  const act = useAct()
  const { take, refused } = useTicketActions(ticket)
  const mine = useAtomValue(queueChoices.all).filter(({ id }) => viewer.profile === 'admin' || viewer.queueIds.includes(id))
  const [chosen, choose] = useState<number | null>(null)
  const queueId = chosen ?? (mine.length === 1 ? mine[0]!.id : null)
  const verb = say(ticket.status === 'closed' ? 'reopen' : 'accept')
  return (
    <Dialog isOpen title={say('queueTitle')} onClose={close} className="dialog-small">
      <DialogBody>
        <p className="dialog-text">{say('queueText', { name: ticket.contact.name })}</p>
        <FormGroup label={say('queue')} labelFor="queue">
          <HTMLSelect
            id="queue"
            autoFocus
            fill
            value={queueId ?? ''}
            onChange={({ target }) => choose(target.value === '' ? null : Number(target.value))}
          >
            <option value="">{say('chooseQueue')}</option>
            {mine.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </HTMLSelect>
        </FormGroup>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={sayUi('cancel')} onClick={close} />
            <Button
              intent="primary"
              text={verb}
              disabled={queueId === null}
              loading={act.pending}
              onClick={() => void act(() => take(queueId), { refused })()}
            />
          </>
        }
      />
    </Dialog>
  )
}
