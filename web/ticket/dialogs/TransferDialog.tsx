import { FormGroup, InputGroup } from '@blueprintjs/core'
import { People, Search } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { useId, useState } from 'react'
import { useController, useWatch } from 'react-hook-form'
import * as Type from 'typebox'
import { searchable } from '#domain/text/rules.ts'
import { tickets } from '#domain/ticket/contract.ts'
import type { UserRow } from '#domain/user/contract.ts'
import { useWords } from '#web/i18n.ts'
import { compareNames } from '#web/name-order.ts'
import { QueueSelect, theOnly } from '#web/queue/QueueSelect.tsx'
import { useTicketActions } from '#web/ticket/actions.ts'
import { queueChoices, userChoices } from '#web/ticket/choices.ts'
import { ticketWords } from '#web/ticket/words.ts'
import dialog from '#web/ui/Dialog.module.css'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { useLabel } from '#web/ui/fieldLabels.ts'
import { AreaOrNullField } from '#web/ui/fields.tsx'
import { PersonButton } from '#web/ui/PersonButton.tsx'
import { serves } from '#web/user/serving.ts'
import { userWords } from '#web/user/words.ts'
import type { DialogProps } from './dialog.ts'
import dialogs from './dialogs.module.css'

const { userId, queueId, msgTransfer } = tickets.change.body.properties
const Transfer = Type.Object({ userId, queueId, msgTransfer })
type Chosen = { userId?: number | null; queueId?: number | null }

/** The target queue: the chosen one if the agent serves it, otherwise the agent's only queue. */
function useWay() {
  const users = useAtomValue(userChoices.all)
  const queues = useAtomValue(queueChoices.all)
  return ({ userId, queueId = null }: Chosen) => {
    const user = users.find(({ id }) => id === userId) ?? null
    const fitting = queues.filter(({ id }) => !user || serves(user, id))
    const into = fitting.find(({ id }) => id === queueId)?.id ?? theOnly(fitting)
    return { fitting, into, whom: user?.name ?? queues.find(({ id }) => id === into)?.name ?? '' }
  }
}

/** R-TICKET-15 to 17: to an agent or to nobody in particular, always into a queue. */
export function TransferDialog({ of: { ticket }, onClose }: DialogProps<'transfer'>) {
  const t = useWords(ticketWords)
  const { transfer } = useTicketActions(ticket)
  const way = useWay()
  const [picked, setPicked] = useState(false) // until a queue is chosen, the ticket stays in its queue if possible
  const [start] = useState({ userId: null, queueId: ticket.queueId, msgTransfer: null })
  return (
    <FormDialog
      title={t('transferTitle', { name: ticket.contact.name })}
      body={Transfer}
      start={start}
      verb={t('transfer')}
      light={['userId', 'queueId']}
      ready={(chosen) => {
        const { into } = way(chosen)
        return into !== null && !(chosen.userId === ticket.userId && into === ticket.queueId)
      }}
      onClose={onClose}
      onSubmit={({ userId = null, msgTransfer, ...chosen }) => {
        const { into, whom } = way({ userId, ...chosen })
        return transfer({ userId, queueId: into!, msgTransfer: msgTransfer ?? '', whom })
      }}
    >
      <Whom from={ticket.userId} picked={picked} />
      <Into onPick={() => setPicked(true)} />
      <AreaOrNullField name="msgTransfer" label={t('transferMessage')} hint={t('transferHint')} optional />
    </FormDialog>
  )
}

const there: UserRow['availability'][] = ['available', 'full', 'idle', 'away', 'offline']

/** Possible agents, online ones first; after a queue is chosen, only its agents. */
function Whom({ from, picked }: { from: number | null; picked: boolean }) {
  const t = useWords(ticketWords)
  const users = useAtomValue(userChoices.all)
  const queues = useAtomValue(queueChoices.all)
  const id = useId()
  const { field } = useController({ name: 'userId' })
  const queueId = useWatch({ name: 'queueId' }) as number | null
  const [sought, setSought] = useState('')
  useLabel('userId', t('transferUser'))
  const able = (one: UserRow) =>
    one.id !== from && (picked && queueId ? serves(one, queueId) : queues.some((queue) => serves(one, queue.id)))
  const found = users
    .filter((one) => able(one) && searchable(one.name).includes(searchable(sought.trim())))
    .toSorted((a, b) => there.indexOf(a.availability) - there.indexOf(b.availability) || compareNames(a.name, b.name))
  return (
    <FormGroup label={t('transferUser')} labelFor={id}>
      <InputGroup
        id={id}
        leftIcon={<Search />}
        placeholder={t('findUser')}
        value={sought}
        onValueChange={setSought}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
          event.preventDefault() // Enter chooses the first match and does not submit the form
          if (sought.trim() !== '' && found[0]) field.onChange(found[0].id)
        }}
        autoFocus
      />
      <div className={dialogs.people} role="radiogroup" aria-label={t('transferUser')}>
        <Person anyone name={t('transferAnyone')} chosen={field.value === null} onChoose={() => field.onChange(null)} />
        {found.map(({ id, name, availability, profileImage: picture }) => (
          <Person key={id} {...{ name, picture, availability }} chosen={field.value === id} onChoose={() => field.onChange(id)} />
        ))}
      </div>
      {found.length === 0 && (
        <p className={dialog.text} role="status">
          {t('transferNobody')}
        </p>
      )}
    </FormGroup>
  )
}

function Into({ onPick }: { onPick: () => void }) {
  const t = useWords(ticketWords)
  const userId = useWatch({ name: 'userId' }) as number | null
  const { field, fieldState } = useController({ name: 'queueId' })
  const { fitting, into } = useWay()({ userId, queueId: field.value as number | null })
  useLabel('queueId', t('queue'))
  const handleChoose = (id: number | null) => {
    onPick()
    field.onChange(id)
  }
  const users = useAtomValue(userChoices.all)
  const queues = useAtomValue(queueChoices.all)
  const user = users.find(({ id }) => id === userId)
  const left = into === null && queues.find(({ id }) => id === field.value)
  return (
    <>
      <QueueSelect queues={fitting} value={into} onChange={handleChoose} error={fieldState.error?.message} inputRef={field.ref} />
      {user && left && (
        <p className={dialog.text} role="status">
          {t('transferNotServed', { name: user.name, queue: left.name })}
        </p>
      )}
    </>
  )
}

type Offered = {
  name: string
  picture?: string | null
  anyone?: boolean
  availability?: UserRow['availability']
  chosen: boolean
  onChoose: () => void
}
function Person({ name, picture = null, anyone, availability, chosen, onChoose }: Offered) {
  const t = useWords(userWords)
  return (
    <PersonButton
      role="radio"
      aria-checked={chosen}
      name={name}
      picture={picture}
      presence={availability}
      face={
        anyone && (
          <span className={dialogs.personAnyone} aria-hidden>
            <People />
          </span>
        )
      }
      onClick={onChoose}
    >
      {availability && availability !== 'available' && availability !== 'offline' && <small>{t(availability)}</small>}
    </PersonButton>
  )
}
