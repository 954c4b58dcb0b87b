import { Button, DialogBody, DialogFooter, FormGroup, HTMLSelect } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { ContactRow } from '#domain/contact/contract.ts'
import { api, type Refused } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { store, useViewer } from '#web/session.ts'
import { busy, type Taken } from '#web/ticket/actions.ts'
import { applyTicket, tabAtom } from '#web/ticket/atoms.ts'
import { connectionChoices, queueChoices } from '#web/ticket/choices.ts'
import { newWords } from '#web/ticket/dialogs/words.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { useAct } from '#web/ui/act.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Discard } from '#web/ui/Discard.tsx'
import { useUnsaved } from '#web/ui/unsaved.ts'
import { uiWords } from '#web/ui/words.ts'
import { ContactForm } from './ContactForm.tsx'
import { ContactPicker } from './ContactPicker.tsx'
import type { Shown } from './dialog.ts'

export function NewTicketDialog({ of, close }: Shown<'new'>) {
  const say = useWords(newWords)
  const sayTicket = useWords(ticketWords)
  const sayUi = useWords(uiWords)
  const viewer = useViewer()
  const act = useAct()
  const [, go] = useLocation()
  const queues = useAtomValue(queueChoices.all).filter(({ id }) => viewer.profile === 'admin' || viewer.queueIds.includes(id))
  const connections = useAtomValue(connectionChoices.all)
  const [contact, choose] = useState<ContactRow | null>(null)
  const [making, make] = useState<string | null>(null)
  const [chosen, chooseQueue] = useState<number | null>(null)
  const [whatsappId, chooseConnection] = useState<number | null>(null)
  const queueId = chosen ?? (queues.length === 1 ? queues[0]!.id : null)
  const refused = ({ code, detail }: Refused): boolean => {
    if (code !== 'ERR_OTHER_OPEN_TICKET') return false
    const { userId, user, queue, ticket } = detail as unknown as Taken
    close()
    if (userId === viewer.id && ticket)
      go(`/tickets/${ticket.uuid}`) // R-TICKET-20
    else busy(user, queue)
    return true
  }
  const open = act(
    async () => {
      const row = await api.tickets.open({
        body: { contactId: contact!.id, queueId, whatsappId, userId: viewer.id, status: 'open' },
      })
      store.set(tabAtom, row.status === 'group' ? 'group' : 'open')
      applyTicket(row)
      close()
      go(`/tickets/${row.uuid}`)
    },
    { refused },
  )
  const lost = [
    ...(contact ? [say('contact')] : []),
    ...(chosen === null ? [] : [sayTicket('queue')]),
    ...(whatsappId === null ? [] : [say('connection')]),
  ]
  const unsaved = useUnsaved(contact !== null && !act.pending, close)
  if (making !== null)
    return (
      <ContactForm
        start={{ name: /^[+()\d\s.-]+$/.test(making) ? '' : making, number: /^[+()\d\s.-]+$/.test(making) ? making : '' }}
        onClose={() => make(null)}
        onSaved={choose}
      />
    )
  return (
    <Dialog isOpen title={sayTicket('newTicket')} onClose={unsaved.close}>
      <DialogBody>
        <FormGroup label={say('contact')} labelFor="find-contact">
          {contact ? (
            <p className="chosen">
              <Avatar name={contact.name} picture={contact.urlPicture} size={32} /> <b>{contact.name}</b>
              <Button size="small" variant="minimal" text={say('change')} onClick={() => choose(null)} />
            </p>
          ) : (
            <ContactPicker
              onChoose={choose}
              {...(of.number && { start: of.number })}
              none={(text) => <Button icon={<Plus />} text={say('createIt', { text })} onClick={() => make(text)} />}
            />
          )}
        </FormGroup>
        <FormGroup label={sayTicket('queue')} labelFor="new-queue">
          <HTMLSelect
            id="new-queue"
            fill
            value={queueId ?? ''}
            onChange={({ target }) => chooseQueue(target.value === '' ? null : Number(target.value))}
          >
            <option value="">{sayTicket('chooseQueue')}</option>
            {queues.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </HTMLSelect>
        </FormGroup>
        {connections.length > 1 && (
          <FormGroup label={say('connection')} labelFor="new-connection">
            <HTMLSelect
              id="new-connection"
              fill
              value={whatsappId ?? ''}
              onChange={({ target }) => chooseConnection(target.value === '' ? null : Number(target.value))}
            >
              <option value="">{say('defaultConnection')}</option>
              {connections.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </HTMLSelect>
          </FormGroup>
        )}
      </DialogBody>
      {unsaved.asking ? (
        <Discard lost={lost} of={unsaved} />
      ) : (
        <DialogFooter
          actions={
            <>
              <Button text={sayUi('cancel')} onClick={unsaved.close} />
              <Button
                intent="primary"
                text={say('open')}
                disabled={!contact || queueId === null}
                loading={act.pending}
                onClick={() => void open()}
              />
            </>
          }
        />
      )}
    </Dialog>
  )
}
