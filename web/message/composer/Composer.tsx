import { useAtom, useAtomValue, useSetAtom, useStore } from 'jotai'
import { type ClipboardEvent, type KeyboardEvent, lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import type { Collection } from '#web/live.ts'
import { endAtom } from '#web/message/atoms.ts'
import { draftOf, filesOf, out, overtakenOf, readyingOf } from '#web/message/sending.ts'
import { messageWords } from '#web/message/words.ts'
import { fileOf } from '#web/quick-reply/replies.ts'
import { useSettings, useViewer } from '#web/session.ts'
import { live } from '#web/socket.ts'
import { allowed } from '#web/ticket/actions.ts'
import { dialogAtom, narrowAtom } from '#web/ticket/atoms.ts'
import { toList } from '#web/ticket/list/TicketList.tsx'
import { AnswerWindow, useAnswering } from './AnswerWindow.tsx'
import { Asleep } from './Asleep.tsx'
import { Bar } from './Bar.tsx'
import css from './Composer.module.css'
import { DropFiles } from './DropFiles.tsx'
import { blank, type Draft } from './drafts.ts'
import emojis from './Emojis.module.css'
import { Files, pick } from './Files.tsx'
import { Guard } from './Guard.tsx'
import { Notices, noticesOf } from './Notices.tsx'
import { NumberAway } from './NumberAway.tsx'
import { fitting, longest } from './paste.ts'
import replies from './QuickReplies.module.css'
import { Quote } from './Quote.tsx'
import recorder from './Recorder.module.css'
import { signAtom } from './sign.ts'
import { touched } from './touched.ts'
import { keepVoice } from './voice.ts'

const Emojis = lazy(() => import('./Emojis.tsx').then(({ Emojis }) => ({ default: Emojis })))
const Recorder = lazy(() => import('./Recorder.tsx').then(({ Recorder }) => ({ default: Recorder })))
const QuickReplies = lazy(() => import('./QuickReplies.tsx').then(({ QuickReplies }) => ({ default: QuickReplies })))

const rows = 8
const line = 20

export function Composer({ ticket, list }: { ticket: TicketRow; list: Collection<MessageRow> }) {
  const say = useWords(messageWords)
  const settings = useSettings()
  const viewer = useViewer()
  const [draft, put] = useAtom(draftOf(ticket.id))
  const write = (change: Partial<Draft>) => put({ ...change, to: ticket.contact.name })
  const [files, attach] = useAtom(filesOf(ticket.id))
  const [overtaken, decide] = useAtom(overtakenOf(ticket.id))
  const [readying, ready] = useAtom(readyingOf(ticket.id))
  const waits = overtaken !== null || readying > 0
  const [notices, notice] = useAtom(noticesOf(ticket.id))
  const sign = useAtomValue(signAtom)
  const store = useStore()
  const toEnd = useSetAtom(endAtom)
  const showDialog = useSetAtom(dialogAtom)
  const narrow = useAtomValue(narrowAtom)
  const [recording, record] = useState(false)
  const [closed, close] = useState(false)
  const [choosing, showEmojis] = useState(false)
  const [wished, wish] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const keys = useRef<((event: KeyboardEvent) => boolean) | null>(null)
  const serves = allowed(ticket, viewer).write
  const mayWrite = useAnswering(ticket).is !== 'closed' && serves
  const on = mayWrite || draft.isPrivate
  const empty = draft.body.trim() === '' && files.length === 0 // R-MSG-02
  const short = on && !draft.isPrivate && /^\/\S*\s*$/.test(draft.body)
  const slash = short && !closed
  if (closed && !short) close(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const { current } = field
    if (!current) return
    current.style.height = 'auto'
    current.style.height = `${Math.min(current.scrollHeight, rows * line + 18)}px` // R-MSG-03
  }, [draft.body, recording])

  // Who opens a ticket of theirs, takes one, or has spoken, writes next.
  useEffect(() => {
    const { current } = field
    if (!serves || recording || touched || !current) return
    current.focus({ preventScroll: true })
    current.setSelectionRange(current.value.length, current.value.length)
  }, [serves, recording])

  const send = (anyway: boolean, voice: File[] = []) => {
    const some = [...voice, ...files]
    if (draft.body.trim() === '' && some.length === 0) return
    out.send({
      ...{
        ticketId: ticket.id,
        uuid: ticket.uuid,
        to: ticket.contact.name,
        body: draft.body.trim(),
        quoted: draft.quoted,
        isPrivate: draft.isPrivate,
        anyway,
      },
      ...{ sign: settings.sendSignMessage === 'enabled' && sign && !draft.isPrivate, seen: ticket.revision, files: some },
    })
    write({ ...blank, isPrivate: draft.isPrivate }) // who writes notes goes on writing notes
    attach([])
    notice([])
    decide(null)
    toEnd({ ticketId: ticket.id })
    field.current?.focus()
  }
  /** A shortcut never leaves as it stands: it is chosen from, or the list is closed first. */
  const ask = () => {
    if (waits) return // while an answer of another waits for a decision, Enter decides nothing
    if (slash) {
      wish(draft.body)
      field.current?.focus()
    } else send(false)
  }
  const insert = (text: string, from: number, to: number) => {
    const { body, fits } = fitting(draft.body, from, to, text)
    write({ body })
    const at = from + fits
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(at, at)
    })
    return fits
  }
  const selection = () => {
    const { selectionStart, selectionEnd } = field.current ?? {}
    return [selectionStart ?? draft.body.length, selectionEnd ?? draft.body.length] as const
  }
  const pressed = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    const chord = event.ctrlKey || event.metaKey
    if (slash && keys.current?.(event)) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      if (slash) close(true)
      else if (choosing) showEmojis(false)
      else if (draft.quoted !== null) write({ quoted: null })
      else if (!toList()) field.current?.blur()
    }
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || (touched && !chord && !slash)) return
    event.preventDefault()
    if (!event.repeat) ask()
  }
  const refuse = (text: string) => notice((all) => [...all.filter((one) => one.text !== text), { text }])
  const prepare = async (given: File[]) => {
    ready((n) => n + 1)
    await pick(given, attach, refuse).finally(() => ready((n) => n - 1))
  }
  const take = (given: Iterable<File>) => {
    notice([])
    void prepare([...given])
  }
  const pasted = (event: ClipboardEvent) => {
    const { files: given } = event.clipboardData
    if (given.length > 0) {
      event.preventDefault()
      return take([...given])
    }
    const text = event.clipboardData.getData('text/plain').replace(/\r\n?/g, '\n')
    const [from, to] = selection()
    if (draft.body.length - (to - from) + text.length <= longest) return
    event.preventDefault()
    const before = draft.body
    const fits = insert(text, from, to)
    const [stuck, after] = [text.slice(0, fits), before.slice(0, from) + text.slice(0, fits) + before.slice(to)]
    const whole = new File([text], say('textFile'), { type: 'text/plain' })
    const run = () => {
      const { body } = store.get(draftOf(ticket.id))
      write({ body: body === after ? before : body.replace(stuck, () => '') }) // what was written around it since stays
      void prepare([whole])
      field.current?.focus()
    }
    notice([{ text: say('cut', { n: fits, total: text.length }), verb: say('asFile'), run }])
  }

  return (
    <div className={css.composer} data-part="composer" data-private={draft.isPrivate || undefined}>
      <DropFiles on={on && !recording} onFiles={take} />
      {overtaken && <Guard overtaken={overtaken} list={list} ticket={ticket} onSend={() => send(true)} />}
      {serves && !draft.isPrivate && <NumberAway ticket={ticket} />}
      {serves ? <AnswerWindow ticket={ticket} kept={!mayWrite && draft.body.trim() !== ''} /> : <Asleep ticket={ticket} />}
      {notices.length > 0 && <Notices notices={notices} onChange={notice} />}
      {draft.quoted !== null && <Quote list={list} id={draft.quoted} clear={() => write({ quoted: null })} />}
      {files.length > 0 && <Files files={files} onChange={attach} />}
      {slash && (
        <Suspense fallback={<p className={`${replies.replies} ${replies.none}`}>{say('quickLoading')}</p>}>
          <QuickReplies
            sought={draft.body.slice(1).trimEnd()}
            wished={wished === draft.body}
            ticket={ticket}
            lend={(given) => {
              keys.current = given
            }}
            onChoose={(body, reply) => {
              write({ body })
              fileOf(reply).then(
                (file) => file && take([file]),
                () => refuse(say('quickFileFailed')),
              )
              field.current?.focus()
            }}
          />
        </Suspense>
      )}
      {recording ? (
        <Suspense fallback={<div className={recorder.recorder} />}>
          <Recorder
            onDone={(file) => {
              record(false)
              if (file && overtaken === null) send(false, [file])
              else if (file) attach((now) => [...now, file]) // it goes, or not, with what waits for a decision
            }}
            onLeft={(file, how) => keepVoice(ticket.id, file, how)}
          />
        </Suspense>
      ) : (
        <>
          {choosing && on && (
            <div className={emojis.emojiPanel}>
              <Suspense>
                <Emojis
                  onChoose={(emoji) => insert(emoji, ...selection())}
                  onClose={() => {
                    showEmojis(false)
                    field.current?.focus()
                  }}
                />
              </Suspense>
            </div>
          )}
          <textarea
            ref={field}
            rows={1}
            dir="auto"
            aria-label={say('message')}
            placeholder={say(!on ? 'asleep' : draft.isPrivate ? 'writePrivate' : narrow ? 'writeShort' : 'write')}
            disabled={!on}
            value={draft.body}
            maxLength={longest}
            onChange={({ target }) => {
              write({ body: target.value })
              if (!draft.isPrivate && !short) live.typing(ticket.id)
            }}
            onKeyDown={pressed}
            onPaste={pasted}
          />
          <Bar
            on={on}
            empty={empty}
            waits={waits}
            readying={readying > 0}
            isPrivate={draft.isPrivate}
            hint={say(draft.isPrivate ? 'enterPrivate' : 'enter')}
            onFiles={take}
            onFileList={() => showDialog({ kind: 'fileList', ticket })}
            choosing={choosing}
            onEmojis={() => showEmojis(!choosing)}
            onPrivate={() => {
              write({ isPrivate: !draft.isPrivate })
              requestAnimationFrame(() => field.current?.focus())
            }}
            onRecord={() => record(true)}
            onInteractive={() => showDialog({ kind: 'interactive', ticket })}
            onSend={ask}
          />
        </>
      )}
    </div>
  )
}
