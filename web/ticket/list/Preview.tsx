import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import { Marks } from '#web/message/bubble/Marks.tsx'
import type { Sending } from '#web/message/unsent.ts'
import { useViewer } from '#web/session.ts'
import { colleagueText, useColleagues } from '#web/ticket/colleagues.ts'
import { useWrites } from '#web/ticket/typing.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { Readable } from '#web/ui/Erased.tsx'
import { lastLine, lastWords, speaker } from './card.ts'
import type { DraftInList } from './draft-in-list.ts'
import css from './Preview.module.css'

type Of = { ticket: TicketRow; waits?: Sending | null; draft?: DraftInList | null }
/** One line: an unsent message, else a draft, else a recent transfer, else the sender and text of the last message. */
export function Preview({ ticket, waits = null, draft = null }: Of) {
  const t = useWords(ticketWords)
  const { id: me } = useViewer()
  const { transfer } = ticket
  const writes = useWrites(ticket.id)
  const busy = useColleagues(ticket.id).find(({ doing }) => doing === 'replies' || doing === 'notes')
  if (waits)
    return (
      <span className={css.last} data-part="card-last" dir="auto">
        <b>{t('you')}</b> {waits.body === '' ? attachment(waits.files) : lastLine(waits.body, true)}
      </span>
    )
  if (writes)
    return (
      <span className={`${css.last} ${css.writes}`} data-part="card-last">
        {t('writes')}
      </span>
    )
  if (busy)
    return (
      <span className={`${css.last} ${css.writes}`} data-part="card-last">
        {colleagueText(t, busy)}
      </span>
    )
  if (draft)
    return (
      <span className={css.last} data-part="card-last" dir="auto">
        <b className={css.draft}>{t('draftSign')}</b> {draft.text === '' ? attachment(draft.files) : lastLine(draft.text, true)}
      </span>
    )
  if (transfer)
    return (
      <span className={`${css.last} ${css.transfer}`} data-part="card-last" dir="auto" title={transfer.note ?? undefined}>
        <b>
          {t('transferredBy', { name: transfer.user?.name ?? t('somebody') })}
          {transfer.note && ':'}
        </b>{' '}
        {transfer.note}
      </span>
    )
  const who = speaker(ticket, me)
  const us = who === null ? undefined : ours.get(who)
  const text = lastWords(ticket)
  return (
    <span className={css.last} data-part="card-last" dir="auto">
      {ticket.lastMessageAck !== null && !ticket.lastMessageDeleted && (
        <Marks ack={ticket.lastMessageAck} failed={false} uncertain={false} />
      )}
      {who !== null && text !== '' && <b>{us ? t(us) : `${who}:`} </b>}
      {ticket.lastMessageDeleted ? <i>{t('deletedMessage')}</i> : text === '' ? t('noMessages') : <Readable text={text} />}
    </span>
  )
}

const ours = new Map<string, 'you' | 'onPhone' | 'automatic'>([
  ['you', 'you'],
  ['phone', 'onPhone'],
  ['system', 'automatic'],
])
const attachment = ([file]: readonly File[]) => (file?.type.startsWith('audio/') ? '🎤' : `📎 ${file?.name ?? ''}`)
