import { Button } from '@blueprintjs/core'
import { Cross, Draw, Emoji, Lock, Microphone, Paperclip, SendMessage, Unlock } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { type ClipboardEvent, type KeyboardEvent, lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import type { Collection } from '#web/live.ts'
import { endAtom } from '#web/message/atoms.ts'
import { brief } from '#web/message/bubble/Bubble.tsx'
import { useSettings, useViewer } from '#web/session.ts'
import { allowed } from '#web/ticket/actions.ts'
import { narrowAtom } from '#web/ticket/atoms.ts'
import { Drop } from '#web/ticket/list/Drop.tsx'
import { toList } from '#web/ticket/list/TicketList.tsx'
import { uiWords } from '#web/ui/words.ts'
import './composer.css'
import { draftOf, heldOf, out } from '#web/message/sending.ts'
import { messageWords } from '#web/message/words.ts'
import { Asleep } from './Asleep.tsx'
import { blank, filesOf } from './drafts.ts'
import { Files, pick } from './Files.tsx'
import { Guard } from './Guard.tsx'
import { signAtom } from './sign.ts'

const Emojis = lazy(() => import('./Emojis.tsx').then(({ Emojis }) => ({ default: Emojis })))
const Recorder = lazy(() => import('./Recorder.tsx').then(({ Recorder }) => ({ default: Recorder })))
const QuickReplies = lazy(() => import('./QuickReplies.tsx').then(({ QuickReplies }) => ({ default: QuickReplies })))

const rows = 5
const line = 20
const touched = typeof matchMedia !== 'undefined' && matchMedia('(pointer: coarse)').matches

export function Composer({ ticket, list }: { ticket: TicketRow; list: Collection<MessageRow> }) {
  const say = useWords(messageWords)
  const settings = useSettings()
  const viewer = useViewer()
  const [draft, write] = useAtom(draftOf(ticket.id))
  const [files, attach] = useAtom(filesOf(ticket.id))
  const [held, decide] = useAtom(heldOf(ticket.id))
  const [sign, signIt] = useAtom(signAtom)
  const toEnd = useSetAtom(endAtom)
  const narrow = useAtomValue(narrowAtom)
  const [recording, record] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const keys = useRef<((event: KeyboardEvent) => boolean) | null>(null)
  const mayWrite = allowed(ticket, viewer).write
  const on = mayWrite || draft.isPrivate
  const signs = settings.sendSignMessage === 'enabled'
  const empty = draft.body.trim() === '' && files.length === 0 // R-MSG-02
  const slash = on && !draft.isPrivate && /^\/\S*$/.test(draft.body)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const { current } = field
    if (!current) return
    current.style.height = 'auto'
    current.style.height = `${Math.min(current.scrollHeight, rows * line + 20)}px` // R-MSG-03
  }, [draft.body, recording])

  // Who opens a ticket of theirs, takes one, or has spoken, writes next.
  useEffect(() => {
    if (mayWrite && !recording && !touched) field.current?.focus({ preventScroll: true })
  }, [mayWrite, recording])

  const send = (anyway: boolean, voice: File[] = []) => {
    const some = [...voice, ...files]
    if (draft.body.trim() === '' && some.length === 0) return
    out.send({
      ...{ ticketId: ticket.id, body: draft.body.trim(), quoted: draft.quoted, isPrivate: draft.isPrivate, anyway },
      ...{ sign: signs && sign && !draft.isPrivate, seen: ticket.revision, files: some },
    })
    write(blank)
    attach([])
    decide(null)
    toEnd({ ticketId: ticket.id })
    field.current?.focus()
  }
  const insert = (text: string) => {
    const { current } = field
    const from = current?.selectionStart ?? draft.body.length
    const to = current?.selectionEnd ?? from
    write({ body: draft.body.slice(0, from) + text + draft.body.slice(to) })
    requestAnimationFrame(() => {
      current?.focus()
      current?.setSelectionRange(from + text.length, from + text.length)
    })
  }
  const pressed = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing || keys.current?.(event)) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      if (draft.quoted !== null) write({ quoted: null })
      else if (!toList()) field.current?.blur()
    }
    if (event.key !== 'Enter' || event.shiftKey || touched) return
    event.preventDefault()
    if (held === null) send(false) // while an answer of another waits for a decision, Enter decides nothing
  }
  const take = (given: Iterable<File>) => void pick([...given], files, attach) // a list of files empties itself once its event is over
  const pasted = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return
    event.preventDefault()
    take(event.clipboardData.files)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files are dropped anywhere on it; the button does the same
    <div
      className="composer"
      data-private={draft.isPrivate || undefined}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        if (on) take(event.dataTransfer.files)
      }}
    >
      {held && <Guard held={held} list={list} ticket={ticket} onSend={() => send(true)} />}
      {!mayWrite && <Asleep ticket={ticket} />}
      {ticket.channel === 'facebook' && mayWrite && <p className="composer-note">{say('facebook')}</p>}
      {draft.quoted !== null && <Quote list={list} id={draft.quoted} clear={() => write({ quoted: null })} />}
      {files.length > 0 && <Files files={files} onChange={attach} />}
      {slash && (
        <Suspense>
          <QuickReplies
            sought={draft.body.slice(1)}
            ticket={ticket}
            lend={(given) => {
              keys.current = given
            }}
            onChoose={(body) => {
              write({ body })
              field.current?.focus()
            }}
          />
        </Suspense>
      )}
      {recording ? (
        <Suspense fallback={<div className="recorder" />}>
          <Recorder
            onDone={(file) => {
              record(false)
              if (file) send(false, [file])
            }}
          />
        </Suspense>
      ) : (
        <>
          <textarea
            ref={field}
            rows={1}
            aria-label={say('message')}
            placeholder={say(!on ? 'asleep' : draft.isPrivate ? 'writePrivate' : narrow ? 'writeShort' : 'write')}
            disabled={!on}
            value={draft.body}
            maxLength={10_000}
            onChange={({ target }) => write({ body: target.value })}
            onKeyDown={pressed}
            onPaste={pasted}
          />
          <div className="composer-bar">
            <input
              ref={picker}
              type="file"
              multiple
              hidden
              aria-hidden
              tabIndex={-1}
              onChange={({ target }) => {
                take(target.files ?? [])
                target.value = ''
              }}
            />
            <Button
              variant="minimal"
              icon={<Paperclip />}
              disabled={!on}
              aria-label={say('attach')}
              title={say('attach')}
              onClick={() => picker.current?.click()}
            />
            <Drop placement="top-start" content={() => <Emojis onChoose={insert} />}>
              <Button variant="minimal" icon={<Emoji />} disabled={!on} aria-label={say('emojis')} title={say('emojis')} />
            </Drop>
            <Button
              variant="minimal"
              className="composer-toggle"
              icon={draft.isPrivate ? <Lock /> : <Unlock />}
              active={draft.isPrivate}
              aria-pressed={draft.isPrivate}
              title={say('privateHint')}
              aria-label={say('private')}
              text={say('private')}
              onClick={() => {
                write({ isPrivate: !draft.isPrivate })
                requestAnimationFrame(() => field.current?.focus())
              }}
            />
            {signs && (
              <Button
                variant="minimal"
                className="composer-toggle"
                icon={<Draw />}
                active={sign && !draft.isPrivate}
                aria-pressed={sign}
                disabled={draft.isPrivate}
                title={say('signHint', { name: viewer.name })}
                aria-label={say('sign')}
                text={say('sign')}
                onClick={() => signIt(!sign)}
              />
            )}
            <span className="composer-hint" aria-hidden>
              {!touched && on && say('enter')}
            </span>
            {empty && !draft.isPrivate ? (
              <Button
                variant="minimal"
                icon={<Microphone />}
                disabled={!on}
                aria-label={say('record')}
                title={say('record')}
                onClick={() => record(true)}
              />
            ) : (
              <Button
                intent="primary"
                icon={<SendMessage />}
                disabled={!on || empty || held !== null}
                aria-label={say(draft.isPrivate ? 'savePrivate' : 'send')}
                title={say(draft.isPrivate ? 'savePrivate' : 'send')}
                onClick={() => send(false)}
              />
            )}
          </div>
        </>
      )}
    </div>
  )
}

function Quote({ list, id, clear }: { list: Collection<MessageRow>; id: number; clear: () => void }) {
  const say = useWords(messageWords)
  const sayUi = useWords(uiWords)
  const row = useAtomValue(list.row(id)) as MessageRow | null
  if (!row) return null
  return (
    <div className="composer-quote" data-us={row.fromMe || undefined}>
      <p>
        <b>{say('replyTo', { name: row.fromMe ? (row.user?.name ?? say('we')) : (row.contact?.name ?? '') })}</b>
        <span>{brief(row.mediaType, row.body)}</span>
      </p>
      <Button variant="minimal" size="small" icon={<Cross />} aria-label={sayUi('cancel')} onClick={clear} />
    </div>
  )
}
