import { Button } from '@blueprintjs/core'
import { Lock } from '@blueprintjs/icons'
import { useAtomValue, useStore } from 'jotai'
import type { MessageRow } from '#domain/message/contract.ts'
import { signed } from '#domain/message/rules.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { ApiError } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import type { Collection } from '#web/live.ts'
import bubble from '#web/message/bubble/Bubble.module.css'
import { Marks } from '#web/message/bubble/Marks.tsx'
import { Upload } from '#web/message/bubble/Upload.tsx'
import { Written } from '#web/message/bubble/Written.tsx'
import { isBlocked, isToGo, unanswered } from '#web/message/outbox.ts'
import { discardUnsent, out, takeBack } from '#web/message/sending.ts'
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
    const waitsFor = isBlocked(item, items) ? 'file' : noLine && isToGo(item) ? 'line' : null
    return <Pending key={item.key} item={item} first={first} text={text} waitsFor={waitsFor} />
  })
}

/** Why a message is not sent yet: a failed file before it, or the connection. */
type WaitsFor = 'file' | 'line' | null

/** `text`: the text with the sender's signature. */
function Pending({ item, first, text, waitsFor }: { item: Sending; first: boolean; text: string; waitsFor: WaitsFor }) {
  const t = useWords(messageWords)
  const { state, files, isPrivate } = item
  return (
    <article
      className={bubble.message}
      data-part="message"
      aria-label={t('messageFromYou')}
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
        {files.length > 0 && state === 'sending' && <Upload item={item} />}
        {text !== '' && <Written text={text} />}
        <span className={bubble.foot}>
          <Time at={item.at} as="hour" />
          <Marks ack={state === 'stored' ? 1 : 0} failed={state === 'failed'} uncertain={false} />
        </span>
      </div>
      {waitsFor && <Waiting item={item} waitsFor={waitsFor} />}
      {state === 'failed' && <Failed item={item} />}
    </article>
  )
}

/** Refusals of the text or file itself, which the server would repeat. */
const finalRefusals = ['ERR_TOO_LARGE', 'ERR_UNSUPPORTED_MEDIA', 'ERR_INVALID_INPUT']
const isFinal = (error: unknown): boolean => error instanceof ApiError && finalRefusals.includes(error.code)

function Failed({ item }: { item: Sending }) {
  const t = useWords(messageWords)
  return (
    <p className={bubble.trouble} role="alert">
      {failure(item.error)}
      {!isFinal(item.error) && (
        <Button size="small" variant="minimal" intent="danger" text={t('again')} onClick={() => out.again(item.key)} />
      )}
      <Button size="small" variant="minimal" text={t('backToEdit')} onClick={() => takeBack(item)} />
      <Button size="small" variant="minimal" text={t('discard')} onClick={() => discardUnsent(item)} />
    </p>
  )
}

/** The server may have an interrupted message, so it is not edited but only sent again under its command id. */
function Waiting({ item, waitsFor }: { item: Sending; waitsFor: 'file' | 'line' }) {
  const t = useWords(messageWords)
  return (
    <p className={`${bubble.trouble} ${bubble.doubt}`}>
      {t(waitsFor === 'file' ? 'waitsForFile' : 'waitsForLine')}
      {item.state === 'waiting' && <Button size="small" variant="minimal" text={t('again')} onClick={() => out.wake()} />}
      <Button size="small" variant="minimal" text={t('discard')} onClick={() => discardUnsent(item)} />
    </p>
  )
}
