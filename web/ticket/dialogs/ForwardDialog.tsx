import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useAtomValue, useSetAtom } from 'jotai'
import { useRef, useState } from 'react'
import type { ConnectionRow } from '#domain/connection/contract.ts'
import type { ContactRow } from '#domain/contact/contract.ts'
import { networkOf } from '#domain/contact/rules.ts'
import type { MessageRow } from '#domain/message/contract.ts'
import { ApiError, api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { brief } from '#web/message/bubble/in-words.ts'
import { pickWords } from '#web/message/bubble/pick-words.ts'
import { pickedAtom } from '#web/message/picked.ts'
import { messageWords } from '#web/message/words.ts'
import { QueueSelect, useServedQueues } from '#web/queue/QueueSelect.tsx'
import { connectionChoices } from '#web/ticket/choices.ts'
import { lastWords } from '#web/ticket/list/card.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useIsGone } from '#web/ui/gone.ts'
import { useHeldFocus } from '#web/ui/heldFocus.ts'
import { createIdempotentRetry } from '#web/ui/idempotent-retry.ts'
import { PersonButton } from '#web/ui/PersonButton.tsx'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { ContactPicker } from './ContactPicker.tsx'
import type { DialogProps } from './dialog.ts'
import dialogs from './dialogs.module.css'
import css from './ForwardDialog.module.css'
import { newWords } from './words.ts'

type To = Pick<ContactRow, 'id' | 'name' | 'urlPicture'>
const between = 900
const offered = 6
/**
 * R-MSG-07, R-MSG-08: selects the recipient, then sends one call per message with a pause between them. It asks
 * for a queue if one is required.
 */
export function ForwardDialog({ of: { ticket, messages }, onClose }: DialogProps<'forward'>) {
  const t = useWords(messageWords)
  const tUi = useWords(uiWords)
  const tPick = useWords(pickWords)
  const queues = useServedQueues()
  const { contact, chooseContact, queueId, setQueueId, asksQueue, nth, busy, ready, send } = useForwarding(messages, onClose)
  const [only] = messages
  return (
    <Dialog isOpen title={t('forwardTitle', { name: ticket.contact.name })} onClose={onClose}>
      <DialogBody>
        <blockquote className={css.forwarding}>
          {messages.length === 1 && only ? brief(only.mediaType, only.body, only.vCard) : t('forwardMany', { n: messages.length })}
        </blockquote>
        {busy && messages.length > 1 && <p role="status">{tPick('going', { n: nth, total: messages.length })}</p>}
        <RecipientField contact={contact} first={only} disabled={busy} onChange={chooseContact} />
        {asksQueue && <QueueSelect autoFocus hint={t('forwardQueue')} queues={queues} value={queueId} onChange={setQueueId} />}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={tUi('cancel')} onClick={onClose} />
            <Button
              key={contact?.id ?? 'none'}
              autoFocus={contact !== null}
              intent="primary"
              text={t('forward')}
              title={`${t('forward')} (Ctrl+Enter)`}
              disabled={!ready}
              loading={busy}
              onClick={() => void send()}
            />
          </>
        }
      />
    </Dialog>
  )
}

/** Sends the messages one after another. After a refusal it continues with the first message that was not sent. */
function useForwarding(messages: readonly MessageRow[], onClose: () => void) {
  const t = useWords(messageWords)
  const tPick = useWords(pickWords)
  const act = useAsyncAction()
  const setPicked = useSetAtom(pickedAtom)
  const [contact, setContact] = useState<To | null>(null)
  const [queueId, setQueueId] = useState<number | null>(null)
  const [asksQueue, setAsksQueue] = useState(false)
  const [busy, setBusy] = useState(false)
  useHeldFocus(busy)
  const [nth, setNth] = useState(0)
  const [does] = useState(createIdempotentRetry)
  const gone = useRef(0) // messages sent before a refusal are not sent twice
  const isGone = useIsGone()
  const ready = contact !== null && !busy && (!asksQueue || queueId !== null)
  async function sendRest(contactId: number): Promise<void> {
    try {
      for (; gone.current < messages.length; gone.current++) {
        setNth(gone.current + 1)
        if (gone.current > 0) await new Promise((next) => setTimeout(next, between))
        if (isGone()) return // cancelled, or another ticket was opened: the rest stays
        const body = { messageId: messages[gone.current]!.id, contactId, queueId }
        await does(body, (commandId) => api.messages.forward({ body }, { commandId }))
      }
    } catch (error) {
      if (error instanceof ApiError && error.code === 'ERR_QUEUE_REQUIRED') setAsksQueue(true)
      throw error
    }
  }
  async function send(): Promise<void> {
    if (!ready) return
    if (messages.length === 0) return void toast(t('forwardNone'), 'warning')
    setBusy(true)
    const done = await act(() => sendRest(contact.id))()
    setBusy(false)
    if (!done) return
    if (gone.current < messages.length) return void toast(tPick('goneInPart', { n: gone.current, total: messages.length }), 'warning')
    toast(messages.length === 1 ? t('forwardDone') : tPick('gone', { n: messages.length }))
    setPicked(null)
    onClose()
  }
  function chooseContact(to: To | null): void {
    gone.current = 0
    setAsksQueue(false)
    setQueueId(null)
    setContact(to)
  }
  return { contact, chooseContact, queueId, setQueueId, asksQueue, nth, busy, ready, send }
}

type RecipientProps = { contact: To | null; first: MessageRow | undefined; disabled: boolean; onChange: (to: To | null) => void }
/** The chosen contact, or the contacts to choose from. `first`: the first message, whose channel limits the choice. */
function RecipientField({ contact, first, disabled, onChange }: RecipientProps) {
  const tNew = useWords(newWords)
  const channel = useAtomValue(connectionChoices.all).find(({ id }) => id === first?.ticket.whatsappId)?.channel
  if (!contact)
    return (
      <ContactPicker
        onChoose={onChange}
        before={<Recent but={first?.ticketId ?? 0} {...(channel && { channel })} onChoose={onChange} />}
        {...(channel && { channel })}
      />
    )
  return (
    <p className={dialogs.chosen} data-part="chosen">
      <Avatar name={contact.name} picture={contact.urlPicture} size={32} /> <b>{contact.name}</b>
      <Button size="small" variant="minimal" text={tNew('change')} disabled={disabled} onClick={() => onChange(null)} />
    </p>
  )
}

/** The contacts of current conversations, because most messages are forwarded to them. */
function Recent({ but, channel, onChoose }: { but: number; channel?: ConnectionRow['channel']; onChoose: (to: To) => void }) {
  const t = useWords(messageWords)
  const [recent] = useState(() =>
    createRemoteAtom(() => api.tickets.list({ query: { status: 'open', sortTickets: 'DESC', pageSize: offered + 1 } })),
  )
  const found = useAtomValue(recent)
  const fits = (of: ConnectionRow['channel']) => channel === undefined || networkOf(of) === networkOf(channel)
  const rows = found.state === 'ready' ? found.value.tickets.filter((row) => row.id !== but && fits(row.channel)).slice(0, offered) : []
  if (rows.length === 0) return null
  return (
    <>
      <h3 className={dialogs.peopleRecent}>{t('forwardRecent')}</h3>
      {rows.map(({ id, contact, ...last }) => (
        <PersonButton key={id} name={contact.name} picture={contact.urlPicture} onClick={() => onChoose(contact)}>
          <small className={dialogs.personLast} dir="auto">
            {lastWords(last)}
          </small>
        </PersonButton>
      ))}
    </>
  )
}
