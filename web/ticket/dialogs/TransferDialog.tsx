import { Button, DialogBody, DialogFooter, FormGroup, InputGroup, TextArea } from '@blueprintjs/core'
import { People, Search } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { searchable } from '#domain/ticket/rules.ts'
import { useWords } from '#web/i18n.ts'
import { QueueSelect, theOnly } from '#web/queue/QueueSelect.tsx'
import { useTicketActions } from '#web/ticket/actions.ts'
import { queueChoices, userChoices } from '#web/ticket/choices.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { useAct } from '#web/ui/act.ts'
import dialog from '#web/ui/Dialog.module.css'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Discard } from '#web/ui/Discard.tsx'
import { PersonButton } from '#web/ui/PersonButton.tsx'
import { useUnsaved } from '#web/ui/unsaved.ts'
import { uiWords } from '#web/ui/words.ts'
import type { DialogProps } from './dialog.ts'
import dialogs from './dialogs.module.css'

/** A person serves their queues; an admin every one (A-TRANSFER-05). */
const serves = ({ profile, queues }: { profile: string; queues: readonly { id: number }[] }, queueId: number): boolean =>
  profile === 'admin' || queues.some(({ id }) => id === queueId)

/** R-TICKET-15 to 17: to a person or to whoever is first, always into a queue. */
export function TransferDialog({ of: { ticket }, close }: DialogProps<'transfer'>) {
  const say = useWords(ticketWords)
  const sayUi = useWords(uiWords)
  const act = useAct()
  const { transfer } = useTicketActions(ticket)
  const users = useAtomValue(userChoices.all)
  const queues = useAtomValue(queueChoices.all)
  const [sought, seek] = useState('')
  const [userId, chooseUser] = useState<number | null>(null)
  const [picked, choose] = useState<number | null>() // undefined: where it is, until another is chosen
  const [msgTransfer, write] = useState('')
  const user = users.find(({ id }) => id === userId) ?? null
  const chosen = picked === undefined ? ticket.queueId : picked
  const fitting = queues.filter(({ id }) => !user || serves(user, id))
  const queueId = fitting.some(({ id }) => id === chosen) ? chosen : theOnly(fitting)
  const same = userId === ticket.userId && queueId === ticket.queueId
  const able = users.filter((one) => one.id !== ticket.userId && (picked ? serves(one, picked) : queues.some(({ id }) => serves(one, id))))
  const found = able
    .filter(({ name }) => searchable(name).includes(searchable(sought.trim())))
    .toSorted((a, b) => Number(b.online) - Number(a.online) || a.name.localeCompare(b.name))
  const lost = [
    ...(userId === null ? [] : [say('transferUser')]),
    ...(picked === undefined ? [] : [say('queue')]),
    ...(msgTransfer.trim() === '' ? [] : [say('transferMessage')]),
  ]
  const unsaved = useUnsaved(msgTransfer.trim() !== '' && !act.pending, close) // what was written; a choice is made again by a click
  const submit = async () => {
    const whom = user?.name ?? queues.find(({ id }) => id === queueId)?.name ?? ''
    if (queueId !== null && !same && (await act(() => transfer({ userId, queueId, msgTransfer, whom }))())) close()
  }
  return (
    <Dialog isOpen title={say('transferTitle', { name: ticket.contact.name })} onClose={unsaved.close}>
      <DialogBody>
        <FormGroup label={say('transferUser')} labelFor="transfer-user">
          <InputGroup
            id="transfer-user"
            leftIcon={<Search />}
            placeholder={say('findUser')}
            value={sought}
            onValueChange={seek}
            autoFocus
          />
          <div className={dialogs.people} role="radiogroup" aria-label={say('transferUser')}>
            <Person anyone name={say('transferAnyone')} chosen={userId === null} onChoose={() => chooseUser(null)} />
            {found.map(({ id, name, online, profileImage }) => (
              <Person key={id} name={name} picture={profileImage} online={online} chosen={userId === id} onChoose={() => chooseUser(id)} />
            ))}
          </div>
          {found.length === 0 && (
            <p className={dialog.text} role="status">
              {say('transferNobody')}
            </p>
          )}
        </FormGroup>
        <QueueSelect queues={fitting} value={queueId} onChange={choose} />
        <FormGroup
          label={say('transferMessage')}
          labelFor="transfer-text"
          labelInfo={`(${sayUi('optional')})`}
          helperText={say('transferHint')}
        >
          <TextArea id="transfer-text" fill rows={3} maxLength={2000} value={msgTransfer} onChange={({ target }) => write(target.value)} />
        </FormGroup>
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
                text={say('transfer')}
                disabled={queueId === null || same}
                loading={act.pending}
                onClick={() => void submit()}
              />
            </>
          }
        />
      )}
    </Dialog>
  )
}

type Offered = { name: string; picture?: string | null; anyone?: boolean; online?: boolean; chosen: boolean; onChoose: () => void }
const Person = ({ name, picture = null, anyone, online, chosen, onChoose }: Offered) => (
  <PersonButton
    role="radio"
    aria-checked={chosen}
    name={name}
    picture={picture}
    {...(online !== undefined && { online })}
    face={
      anyone && (
        <span className={dialogs.personAnyone} aria-hidden>
          <People />
        </span>
      )
    }
    onClick={onChoose}
  />
)
