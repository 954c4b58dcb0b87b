import { Button } from '@blueprintjs/core'
import { atom, useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { channels } from '#domain/channel/channels.ts'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { threadOf } from '#web/message/atoms.ts'
import { showMessage } from '#web/message/show-message.ts'
import { messageWords } from '#web/message/words.ts'
import { useViewer } from '#web/session.ts'
import { allowed } from '#web/ticket/actions.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { toast, toastFailure } from '#web/ui/toaster.ts'
import { sendAgain } from './again.ts'
import css from './Bubble.module.css'
import { useReason } from './reason.ts'
import { lastAttempt } from './resent.ts'
import { troubleWords } from './words.ts'

type Of = { message: MessageRow; ticket: TicketRow }

/** Why a message failed or is uncertain, and what the agent can do about it. */
export function Trouble({ message, ticket }: Of) {
  const t = useWords(messageWords)
  const tTrouble = useWords(troubleWords)
  const reason = useReason()
  const { failed, uncertain } = message
  if (failed !== null)
    return (
      <p className={css.trouble} role="alert">
        <span title={failed}>
          {t('notSent')} {reason(failed)}
        </span>
        <Again message={message} ticket={ticket} />
      </p>
    )
  if (!uncertain) return null
  return (
    <p className={`${css.trouble} ${css.doubt}`}>
      {tTrouble(channels[ticket.channel].once ? 'uncertainOnce' : 'uncertain')}
      <Check message={message} ticket={ticket} />
      <Again message={message} ticket={ticket} />
    </p>
  )
}

/** Asks the channel for the delivery state. An answer arrives as a live update of the message. */
function Check({ message, ticket }: Of) {
  const tTrouble = useWords(troubleWords)
  const act = useAsyncAction()
  const may = allowed(ticket, useViewer()).write && message.ticketId === ticket.id && message.sentAgain === null
  if (!may) return null
  const ask = act(async () => {
    const { outcome } = await api.messages.check({ params: { id: message.id } })
    toast(
      tTrouble(outcome === 'unknown' && channels[ticket.channel].once ? 'uncertainOnce' : outcome),
      outcome === 'arrived' ? 'success' : 'warning',
    )
  })
  return <Button size="small" variant="minimal" text={tTrouble('check')} loading={act.pending} onClick={() => void ask()} />
}

/** An agent who may answer can resend once; afterwards the button leads to the new message. */
function Again({ message, ticket }: Of) {
  const t = useWords(messageWords)
  const viewer = useViewer()
  const { sentAgain, failed } = message
  if (sentAgain !== null) return <LastAttempt ticketId={ticket.id} first={sentAgain} />
  if (message.ticketId !== ticket.id || !allowed(ticket, viewer).write) return null
  return (
    <Button
      size="small"
      variant="minimal"
      text={t('again')}
      onClick={() => void sendAgain(message)}
      {...(failed !== null && { intent: 'danger' })}
    />
  )
}

const outcomeWords = { pending: 'sendingAgain', sent: 'sentAgain', failed: 'failedAgain', uncertain: 'uncertainAgain' } as const

/** Leads to the last attempt and names its outcome. */
function LastAttempt({ ticketId, first }: { ticketId: number; first: number }) {
  const tTrouble = useWords(troubleWords)
  const list = threadOf(ticketId)
  const { row } = list
  const attempt = useMemo(() => atom((get) => lastAttempt(first, (id) => get(row(id)) as MessageRow | null)), [first, row])
  const { id, outcome } = useAtomValue(attempt)
  return (
    <Button
      size="small"
      variant="minimal"
      text={tTrouble(outcomeWords[outcome])}
      onClick={() => void showMessage(list, id).catch(toastFailure)}
    />
  )
}
