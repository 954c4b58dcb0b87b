import { Button, FormGroup } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { useController } from 'react-hook-form'
import * as Type from 'typebox'
import { useLocation } from 'wouter'
import { isStored } from '#domain/answers.ts'
import type { ConnectionRow } from '#domain/connection/contract.ts'
import type { ContactRow } from '#domain/contact/contract.ts'
import { networkOf } from '#domain/contact/rules.ts'
import { Id, Nullable } from '#domain/contract.ts'
import { ApiError, api } from '#web/api.ts'
import { namedConnections } from '#web/connection/apart.ts'
import { ContactDialog } from '#web/contact/ContactDialog.tsx'
import { useLanguage, useWords } from '#web/i18n.ts'
import { QueueSelect, theOnly, useServedQueues } from '#web/queue/QueueSelect.tsx'
import { store, useViewer } from '#web/session.ts'
import type { Taken } from '#web/ticket/actions.ts'
import { arriveAt } from '#web/ticket/arrive.ts'
import { applyTicket, tabAtom } from '#web/ticket/atoms.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { useLabel } from '#web/ui/fieldLabels.ts'
import { ChoiceField } from '#web/ui/fields.tsx'
import { dayAndHour } from '#web/ui/moment.ts'
import { nowAtom } from '#web/ui/now.ts'
import { placeNow } from '#web/ui/place.ts'
import { toast } from '#web/ui/toaster.ts'
import { BusyDialog } from './BusyDialog.tsx'
import { ContactPicker } from './ContactPicker.tsx'
import type { DialogProps } from './dialog.ts'
import dialogs from './dialogs.module.css'
import { OnWhatsApp } from './OnWhatsApp.tsx'
import { newWords } from './words.ts'

export const NewTicketDialog = ({ of: { contact, number }, onClose }: DialogProps<'new'>) => (
  <NewTicket {...(contact && { contact })} {...(number && { number })} onClose={onClose} />
)

/** The contact is chosen outside the form fields; its name in the form shows that one is missing. */
const Asked = Type.Object({ contactId: Nullable(Id), queueId: Nullable(Id), whatsappId: Nullable(Id) })
const isNumber = (text: string) => /^[+()\d\s.-]+$/.test(text)

/**
 * Opens a ticket with a contact, or shows the agent who already has one. The viewer's own ticket is opened
 * (R-TICKET-20).
 */
export function NewTicket({
  contact: first = null,
  number,
  onClose,
}: {
  contact?: ContactRow | null
  number?: string
  onClose: () => void
}) {
  const t = useWords(newWords)
  const tTicket = useWords(ticketWords)
  const viewer = useViewer()
  const [, go] = useLocation()
  const queues = useServedQueues()
  const [contact, setContact] = useState(first)
  const [making, setMaking] = useState<string | null>(null)
  const [taken, setTaken] = useState<Taken | null>(null)
  const only = theOnly(queues)
  if (taken)
    return <BusyDialog of={{ kind: 'busy', userId: taken.userId ?? null, user: taken.user, queue: taken.queue }} onClose={onClose} />
  return (
    <>
      <FormDialog
        title={tTicket('newTicket')}
        body={Asked}
        start={{ contactId: null, queueId: null, whatsappId: null }}
        verb={t('open')}
        rules={{
          contactId: () => (contact ? null : t('needContact')),
          queueId: (value) => (value === null && only === null ? tTicket('chooseQueue') : null),
        }}
        also={contact === first ? [] : [t('contact')]}
        onClose={onClose}
        onSubmit={async ({ queueId, whatsappId }) => {
          const isStill = placeNow()
          const body = { contactId: contact!.id, queueId: queueId ?? only, whatsappId, userId: viewer.id, status: 'open' as const }
          try {
            const row = await api.tickets.open({ body })
            if (isStored(row)) {
              toast(t('openedSoon'))
              return true
            }
            if (isStill()) store.set(tabAtom, row.status === 'group' ? 'group' : 'open')
            applyTicket(row)
            arriveAt(row, isStill, go)
          } catch (error) {
            if (!(error instanceof ApiError) || error.code !== 'ERR_OTHER_OPEN_TICKET') throw error
            const other = error.detail as unknown as Taken
            if (other.userId !== viewer.id || !other.ticket) {
              setTaken(other)
              return false
            }
            arriveAt({ uuid: other.ticket.uuid, contact: contact! }, isStill, go)
          }
          return true
        }}
      >
        <Contact contact={contact} onChoose={setContact} onCreate={setMaking} {...(number && { number })} />
        <Queue queues={queues} only={only} />
        <Connections contact={contact} />
      </FormDialog>
      {making !== null && (
        <ContactDialog
          contact={null}
          given={isNumber(making) ? { number: making } : { name: making }}
          onSaved={setContact}
          onClose={() => setMaking(null)}
        />
      )}
    </>
  )
}

type Chosen = { contact: ContactRow | null; onChoose: (to: ContactRow | null) => void; onCreate: (text: string) => void; number?: string }
function Contact({ contact, onChoose, onCreate, number }: Chosen) {
  const t = useWords(newWords)
  const { error } = useController({ name: 'contactId' }).fieldState
  const missing = !contact && error?.message
  return (
    <FormGroup
      label={t('contact')}
      labelFor="find-contact"
      {...(missing && { intent: 'danger', helperText: <span role="alert">{missing}</span> })}
    >
      {contact ? (
        <>
          <p className={dialogs.chosen} data-part="chosen">
            <Avatar name={contact.name} picture={contact.urlPicture} size={32} /> <b>{contact.name}</b>
            <Button size="small" variant="minimal" text={t('change')} onClick={() => onChoose(null)} />
          </p>
          <OnWhatsApp key={contact.id} of={contact} />
        </>
      ) : (
        <ContactPicker
          onChoose={onChoose}
          {...(number && { start: number })}
          none={(text) => <Button icon={<Plus />} text={t('createIt', { text })} onClick={() => onCreate(text)} />}
        />
      )}
    </FormGroup>
  )
}

/** Connections on the contact's network. A chosen connection is cleared if the next contact is on another network. */
function Connections({ contact }: { contact: ContactRow | null }) {
  const t = useWords(newWords)
  const { value, onChange } = useController({ name: 'whatsappId' }).field
  const all = useAtomValue(namedConnections)
  const fitting = contact ? all.filter(({ channel }) => networkOf(channel) === networkOf(contact.channel)) : all
  const gone = value !== null && !fitting.some(({ id }) => id === value)
  useEffect(() => {
    if (gone) onChange(null)
  }, [gone, onChange])
  const from = value === null ? (fitting.find(({ isDefault }) => isDefault) ?? fitting[0]) : fitting.find(({ id }) => id === value)
  return (
    <>
      {fitting.length > 1 && <ChoiceField name="whatsappId" label={t('connection')} choices={fitting} none={t('defaultConnection')} />}
      <Restricted from={from} />
    </>
  )
}

/** Warns that the number may not start conversations for now; it blocks nothing. */
function Restricted({ from }: { from: ConnectionRow | undefined }) {
  const t = useWords(newWords)
  const language = useLanguage()
  const until = useAtomValue(nowAtom) < Date.parse(from?.noNewChatsUntil ?? '') ? from!.noNewChatsUntil! : null
  return (
    <div role="status" className={dialogs.notThere} data-part="no-new-chats">
      {until && t('noNewChats', { name: from!.name, time: dayAndHour(until, language) })}
    </div>
  )
}

function Queue({ queues, only }: { queues: { id: number; name: string }[]; only: number | null }) {
  const t = useWords(ticketWords)
  const { field, fieldState } = useController({ name: 'queueId' })
  useLabel('queueId', t('queue'))
  return (
    <QueueSelect
      queues={queues}
      value={(field.value as number | null) ?? only}
      onChange={field.onChange}
      error={fieldState.error?.message}
      inputRef={field.ref}
    />
  )
}
