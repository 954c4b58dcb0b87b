import { Button, ProgressBar } from '@blueprintjs/core'
import { Lock } from '@blueprintjs/icons'
import { useAtomValue, useStore } from 'jotai'
import type { MessageRow } from '#domain/message/contract.ts'
import { signed } from '#domain/message/rules.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import type { Collection } from '#web/live.ts'
import bubble from '#web/message/bubble/Bubble.module.css'
import { Marks } from '#web/message/bubble/Marks.tsx'
import { Written } from '#web/message/bubble/Written.tsx'
import { isToGo, unanswered } from '#web/message/outbox.ts'
import { out, takeBack } from '#web/message/sending.ts'
import type { Sending } from '#web/message/unsent.ts'
import { messageWords } from '#web/message/words.ts'
import { useMe } from '#web/session.ts'
import { Thumb } from '#web/ui/Thumb.tsx'
import { Time } from '#web/ui/Time.tsx'
import { failure } from '#web/ui/toaster.ts'
import { minute } from './grouping.ts'

/** Sent messages without an answer yet, at the end of the thread. */
export function Pendings({ ticket, list }: { ticket: Pick<TicketRow, 'id' | 'channel'>; list: Collection<MessageRow> }) {
  const { id, name } = useMe()
  const store = useStore()
  const items = useAtomValue(out.ofTicket(ticket.id))
  const ids = useAtomValue(list.ids)
  const rows = items.length === 0 ? [] : ids.slice(-30).map((one) => store.get(list.row(one)))
  const last = rows.at(-1)
  const ours = last && last.ticketId === ticket.id && last.fromMe && last.user?.id === id
  const pending = unanswered(items, rows, id)
  const noLine = pending.some(({ state }) => state === 'waiting')
  return pending.map((item, place) => {
    const before = pending[place - 1] ?? (ours ? { at: last.createdAt, isPrivate: last.isPrivate } : null)
    const first = before === null || before.isPrivate !== item.isPrivate || minute(before.at) !== minute(item.at)
    const text = first && item.sign && item.body !== '' ? signed(name, ticket.channel, item.body) : item.body
    return <Pending key={item.key} item={item} first={first} text={text} noLine={noLine && isToGo(item)} />
  })
}

/**
 * `text`: the text with the sender's signature; `noLine`: waiting for the connection, or behind a waiting message.
 */
function Pending({ item, first, text, noLine }: { item: Sending; first: boolean; text: string; noLine: boolean }) {
  const t = useWords(messageWords)
  const { state, files, isPrivate, error, share, key } = item
  return (
    <article
      className={bubble.message}
      data-part="message"
      aria-label={t('messageFrom', { name: t('you') })}
      data-us
      data-last
      data-first={first || undefined}
      data-pending={state}
      data-private={isPrivate || undefined}
      data-failed={state === 'failed' || undefined}
    >
      <div className={bubble.bubble} data-part="bubble">
        {isPrivate && (
          <p className={bubble.who}>
            <Lock size={11} /> {t('private')}
          </p>
        )}
        {files.map((file) => (
          <p className={bubble.pendingFile} key={`${file.name} ${file.size}`}>
            <Thumb file={file} /> <span>{file.name}</span>
          </p>
        ))}
        {files.length > 0 && state === 'sending' && <ProgressBar value={share} stripes={false} />}
        {text !== '' && <Written text={text} />}
        <span className={bubble.foot}>
          <Time at={item.at} as="hour" />
          <Marks ack={state === 'stored' ? 1 : 0} failed={state === 'failed'} uncertain={false} />
        </span>
      </div>
      {noLine && <p className={`${bubble.trouble} ${bubble.doubt}`}>{t('waitsForLine')}</p>}
      {state === 'failed' && (
        <p className={bubble.trouble} role="alert">
          {failure(error)}
          <Button size="small" variant="minimal" intent="danger" text={t('again')} onClick={() => out.again(key)} />
          <Button size="small" variant="minimal" text={t('backToEdit')} onClick={() => takeBack(item)} />
          <Button size="small" variant="minimal" text={t('discard')} onClick={() => out.discard(key)} />
        </p>
      )}
    </article>
  )
}
