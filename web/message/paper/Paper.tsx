import { useAtomValue } from 'jotai'
import { createPortal } from 'react-dom'
import { networkName } from '#domain/channel/channels.ts'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { formattedNumber } from '#web/contact/phone.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { factOf, laid, whole } from '#web/message/thread/grouping.ts'
import { sentence } from '#web/message/thread/LogLine.tsx'
import { messageWords } from '#web/message/words.ts'
import { meAtom } from '#web/session.ts'
import { logWords } from '#web/ticket/dialogs/words.ts'
import { statusWords } from '#web/ticket/words.ts'
import { clock, date, dayOf, displayZone, hour } from '#web/ui/moment.ts'
import type { Gathered } from './gather.ts'
import css from './Paper.module.css'
import { PrintedMessage } from './PrintedMessage.tsx'
import { paperWords } from './words.ts'

type Of = { ticket: TicketRow; of: Gathered; notes: boolean; earlier: boolean; patient: boolean; onPicture: () => void }

/** The conversation as an A4 document (R-INBOX-15); it is hidden on screen. */
export function Paper({ ticket, of, notes, earlier, patient, onPicture }: Of) {
  const t = useWords(messageWords)
  const tLog = useWords(logWords)
  const language = useLanguage()
  const messages = notes ? of.messages : of.messages.filter(({ isPrivate }) => !isPrivate)
  const byId = new Map(messages.map((row) => [row.id, row]))
  const days = laid(messages.map(factOf), of.log, null, whole)
  return createPortal(
    <table className={css.printSheet} data-part="print-sheet" role="presentation">
      <thead>
        <tr>
          <td className={css.running}>
            {ticket.contact.name} · #{ticket.id}
          </td>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>
            <Head ticket={ticket} messages={messages} at={of.at} notes={notes} />
            {earlier && messages[0] && messages[0].ticketId !== ticket.id && (
              <p className={css.ticket}>{t('earlierTicket', { id: messages[0].ticketId })}</p>
            )}
            {days.map(({ day, at, lines }) => (
              <section key={day}>
                <h2>{dayOf(at) && date(at, language)}</h2>
                {lines.map((line) => {
                  if (line.kind === 'message')
                    return (
                      <PrintedMessage key={line.key} message={byId.get(line.id)!} ticket={ticket} patient={patient} onPicture={onPicture} />
                    )
                  if (line.kind === 'ticket')
                    return (
                      <p key={line.key} className={css.ticket}>
                        {t(line.ticketId === ticket.id ? 'thisTicket' : 'earlierTicket', { id: line.ticketId })}
                      </p>
                    )
                  if (line.kind === 'unread') return null
                  return (
                    <p key={line.key} className={css.log}>
                      {sentence(line.entry, tLog)} · {hour(line.entry.createdAt, language)}
                      {notes && line.entry.note && <q>{line.entry.note}</q>}
                    </p>
                  )
                })}
              </section>
            ))}
            {notes && of.notes.length > 0 && <Notes of={of} />}
          </td>
        </tr>
      </tbody>
    </table>,
    document.body,
  )
}

function Head({ ticket, messages, at, notes }: { ticket: TicketRow; messages: MessageRow[]; at: string; notes: boolean }) {
  const t = useWords(paperWords)
  const tStatus = useWords(statusWords)
  const language = useLanguage()
  const me = useAtomValue(meAtom)
  const { contact, id, uuid, status, queue, user, whatsapp, channel, tags, isGroup } = ticket
  const [first, last] = [messages[0], messages.at(-1)]
  const on = (moment: string) => `${date(moment, language)} ${hour(moment, language)}`
  const rows: [label: string, value: string][] = [
    [t('contact'), contact.name],
    ...(isGroup ? [] : [[t('number'), formattedNumber(contact.number)] as [string, string]]),
    [t('ticket'), `#${id} · ${uuid}`],
    [t('status'), tStatus(status)],
    [t('queue'), queue?.name ?? t('noQueue')],
    [t('agent'), user?.name ?? t('nobody')],
    [t('channel'), [networkName(channel), whatsapp?.name].filter(Boolean).join(' · ')],
    ...(tags.length > 0 ? [[t('tags'), tags.map(({ name }) => name).join(', ')] as [string, string]] : []),
    ...(first && last ? [[t('period'), `${on(first.createdAt)} – ${on(last.createdAt)}`] as [string, string]] : []),
    [t('messages'), new Intl.NumberFormat(language).format(messages.length)],
  ]
  return (
    <header className={css.head}>
      <p className={css.company}>{me?.company.name}</p>
      <h1>{t('conversation', { name: contact.name })}</h1>
      <dl>
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
      <p className={css.made}>
        {t('made', { date: date(at, language), time: clock(at, language), name: me?.name ?? '', zone: displayZone() })}
        {!notes && ` ${t('withoutNotes')}`}
      </p>
    </header>
  )
}

function Notes({ of: { notes } }: { of: Gathered }) {
  const t = useWords(paperWords)
  const tMessage = useWords(messageWords)
  const language = useLanguage()
  return (
    <section>
      <h2>{t('notes')}</h2>
      {notes.map(({ id, user, note, createdAt }) => (
        <article key={id} className={css.message} data-private>
          <p className={css.by}>
            <b>{user?.name ?? tMessage('system')}</b> · {date(createdAt, language)} {hour(createdAt, language)}
          </p>
          <p className={css.body} dir="auto">
            {note}
          </p>
        </article>
      ))}
    </section>
  )
}
