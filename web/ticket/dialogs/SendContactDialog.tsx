import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { IdNumber, SendMessage } from '@blueprintjs/icons'
import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { isStored } from '#domain/answers.ts'
import type { ContactRow } from '#domain/contact/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { cards, linesOf } from '#domain/vcard/rules.ts'
import { ApiError, api } from '#web/api.ts'
import { contactCard } from '#web/contact/card.ts'
import { useWords } from '#web/i18n.ts'
import { endAtom, threadOf } from '#web/message/atoms.ts'
import { messageWords } from '#web/message/words.ts'
import { store } from '#web/session.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { useCommandId } from '#web/ui/command-id.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useHeldFocus } from '#web/ui/heldFocus.ts'
import { Problem } from '#web/ui/Problem.tsx'
import { uiWords } from '#web/ui/words.ts'
import { ContactPicker } from './ContactPicker.tsx'
import type { DialogProps } from './dialog.ts'
import dialogs from './dialogs.module.css'
import { refusalOver } from './refusal.ts'
import css from './SendContactDialog.module.css'
import { sendContactWords } from './send-contact-words.ts'
import { newWords } from './words.ts'

/** Sends a contact card to the customer of a ticket: chosen by name or number, with a preview (R-MSG-13). */
export function SendContactDialog({ of: { ticket }, onClose }: DialogProps<'sendContact'>) {
  const t = useWords(sendContactWords)
  const tNew = useWords(newWords)
  const tMessage = useWords(messageWords)
  const tUi = useWords(uiWords)
  const [contact, setContact] = useState<ContactRow | null>(null)
  const vCard = contact && contactCard(contact)
  const { send, sending, problem, isOvertaken, forget } = useCardSend(ticket, onClose)
  const chooseContact = (to: ContactRow | null) => {
    forget()
    setContact(to)
  }
  return (
    <Dialog isOpen title={t('title', { name: ticket.contact.name })} onClose={onClose}>
      <DialogBody>
        <p className={css.lead}>{t('lead')}</p>
        {contact ? (
          <>
            <p className={dialogs.chosen} data-part="chosen">
              <Avatar name={contact.name} picture={contact.urlPicture} size={32} /> <b>{contact.name}</b>
              <Button size="small" variant="minimal" text={tNew('change')} disabled={sending} onClick={() => chooseContact(null)} />
            </p>
            {vCard ? <CardPreview vCard={vCard} /> : <Problem>{t(contact.number.includes('*') ? 'hidden' : 'nothing')}</Problem>}
          </>
        ) : (
          <ContactPicker isPerson isForMessages={false} onChoose={chooseContact} />
        )}
        <Problem>{problem}</Problem>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={tUi('cancel')} onClick={onClose} />
            <Button
              key={contact?.id ?? 'none'}
              autoFocus={vCard !== null}
              intent="primary"
              icon={<SendMessage />}
              text={tMessage(isOvertaken ? 'sendAnyway' : 'send')}
              disabled={vCard === null}
              loading={sending}
              onClick={() => vCard && void send(vCard)}
            />
          </>
        }
      />
    </Dialog>
  )
}

/** The card as the customer will see it. Its number and addresses are plain text, so that no click leaves the dialog. */
function CardPreview({ vCard }: { vCard: string }) {
  const t = useWords(sendContactWords)
  const [name, ...lines] = cards(vCard).flatMap(linesOf)
  return (
    <section className={css.preview} aria-label={t('preview')} data-part="card-preview">
      <p>{t('preview')}</p>
      <div className={css.bubble}>
        <IdNumber size={22} />
        <div>
          <b>{name}</b>
          {lines.map((line) => (
            <span key={line}>{line}</span>
          ))}
        </div>
      </div>
    </section>
  )
}

/** Sends a card, and keeps why it was refused. `isOvertaken`: a colleague answered since the ticket was shown. */
function useCardSend(ticket: TicketRow, onSent: () => void) {
  const t = useWords(sendContactWords)
  const setEnd = useSetAtom(endAtom)
  const commandOf = useCommandId()
  const [sending, setSending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [isOvertaken, setIsOvertaken] = useState(false)
  useHeldFocus(sending)
  const params = { ticketId: ticket.id }
  async function send(vCard: string): Promise<void> {
    setSending(true)
    setProblem(null)
    try {
      const body = { body: '', vCard, ...(isOvertaken ? { anyway: true } : { seen: ticket.revision }) }
      const answer = await api.messages.send({ params, body }, { commandId: commandOf(vCard) })
      const { apply } = threadOf(ticket.id)
      if (!isStored(answer))
        store.set(
          apply,
          answer.messages.map((row) => ({ op: 'put' as const, row })),
        )
      setEnd(params)
      onSent()
    } catch (error) {
      const isChanged = error instanceof ApiError && error.code === 'ERR_TICKET_CHANGED'
      setIsOvertaken(isChanged)
      setProblem(isChanged ? t('changed') : refusalOver(error))
      if (isChanged) void store.set(threadOf(ticket.id).reload)
    } finally {
      setSending(false)
    }
  }
  return { send, sending, problem, isOvertaken, forget: () => setProblem(null) }
}
