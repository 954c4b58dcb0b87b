import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { lastWords, speaker } from './card.ts'

/** The last message in one line: who, and what; while a transfer is news, that. */
export function Preview({ ticket }: { ticket: TicketRow }) {
  const say = useWords(ticketWords)
  const { id: me } = useViewer()
  const { transfer } = ticket
  if (transfer)
    return (
      <span className="card-last card-transfer" dir="auto" title={transfer.note ?? undefined}>
        <b>{say('transferredBy', { name: transfer.user?.name ?? say('somebody') })}</b> {transfer.note}
      </span>
    )
  const who = speaker(ticket, me)
  const text = lastWords(ticket)
  return (
    <span className="card-last" dir="auto">
      {who !== null && text !== '' && <b>{who === 'you' ? say('you') : who === 'system' ? say('automatic') : `${who}:`} </b>}
      {ticket.lastMessageDeleted ? <i>{say('deletedMessage')}</i> : text || say('noMessages')}
    </span>
  )
}
