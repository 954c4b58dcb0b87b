import { useAtom, useAtomValue, useSetAtom, useStore } from 'jotai'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import type { Collection } from '#web/live.ts'
import { filesOf, overtakenOf, sendDraft } from '#web/message/sending.ts'
import { messageWords } from '#web/message/words.ts'
import { fileOf } from '#web/quick-reply/replies.ts'
import { useViewer } from '#web/session.ts'
import { live } from '#web/socket.ts'
import { allowed } from '#web/ticket/actions.ts'
import { dialogAtom, narrowAtom } from '#web/ticket/atoms.ts'
import { toList } from '#web/ticket/list/TicketList.tsx'
import { isWriting } from '#web/ui/keys.ts'
import { AnswerWindow, useAnswering } from './AnswerWindow.tsx'
import { SendDisabledNotice } from './Asleep.tsx'
import { attach } from './attach.ts'
import { Bar } from './Bar.tsx'
import css from './Composer.module.css'
import { useCarriedFocus } from './carriedFocus.ts'
import { DropFiles } from './DropFiles.tsx'
import { type Draft, modeFor } from './drafts.ts'
import emojis from './Emojis.module.css'
import { draftOf, modeOf, takeEarly } from './early.ts'
import { Files } from './Files.tsx'
import { fieldWords } from './field-words.ts'
import { StaleReplyPrompt } from './Guard.tsx'
import { KeptDraft } from './KeptDraft.tsx'
import { Notices, noticesOf } from './Notices.tsx'
import { NumberAway } from './NumberAway.tsx'
import { fitting, longest } from './paste.ts'
import replies from './QuickReplies.module.css'
import { Quote } from './Quote.tsx'
import { useQuickReply } from './quickReply.ts'
import recorder from './Recorder.module.css'
import { useTextHeight } from './textHeight.ts'
import { touched } from './touched.ts'

const Emojis = lazy(() => import('./Emojis.tsx').then(({ Emojis }) => ({ default: Emojis })))
const Recorder = lazy(() => import('./Recorder.tsx').then(({ Recorder }) => ({ default: Recorder })))
const QuickReplies = lazy(() => import('./QuickReplies.tsx').then(({ QuickReplies }) => ({ default: QuickReplies })))

/** Another agent has the ticket now, or this agent cannot see it any more. `by`: the other agent, if known. */
export type LeftBehind = { by: string | null }

/** The text field of a ticket in any state. Text that cannot be sent stays, with the reason above it. */
export function Composer({ ticket, list, left = null }: { ticket: TicketRow; list: Collection<MessageRow>; left?: LeftBehind | null }) {
  const t = useWords(messageWords)
  const tField = useWords(fieldWords)
  const viewer = useViewer()
  const [mode, setMode] = useAtom(modeOf(ticket.uuid))
  const isPrivate = mode === 'note'
  const [draft, setDraft] = useAtom(draftOf(ticket.uuid, mode))
  const write = (change: Partial<Draft>) => setDraft({ ...change, to: ticket.contact.name, ticketId: ticket.id })
  const [files, setFiles] = useAtom(filesOf(ticket.id, mode))
  const [overtaken, setOvertaken] = useAtom(overtakenOf(ticket.id))
  const isPreparing = files.some((one) => one.isPreparing)
  const waits = (overtaken !== null && overtaken.item.isPrivate === isPrivate) || isPreparing
  const [notices, setNotices] = useAtom(noticesOf(ticket.id))
  const store = useStore()
  const setDialog = useSetAtom(dialogAtom)
  const narrow = useAtomValue(narrowAtom)
  const [recording, setRecording] = useState(false)
  const [choosing, setChoosing] = useState(false)
  const [wished, setWished] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const keys = useRef<((event: KeyboardEvent) => boolean) | null>(null)
  const id = useId()
  const serves = left === null && allowed(ticket, viewer).write
  const mayWrite = useAnswering(ticket).is !== 'closed' && serves
  const on = left === null && (mayWrite || isPrivate)
  const empty = draft.body.trim() === '' && files.length === 0 // R-MSG-02
  const { short, slash, raw, close, select } = useQuickReply(draft.body, on && !isPrivate)

  useTextHeight(field, draft.body, recording)
  useCarriedFocus(field, ticket.uuid)
  // The field takes the focus when an agent opens their ticket, accepts one or ends a recording, unless they type
  // elsewhere.
  useLayoutEffect(() => {
    const { current } = field
    if (!serves || recording || touched || !current || isWriting(document.activeElement)) return
    current.focus({ preventScroll: true })
    current.setSelectionRange(current.value.length, current.value.length)
  }, [serves, recording])

  const refuse = (text: string) => setNotices((all) => [...all.filter((one) => one.text !== text), { text }])
  const sendEarly = useEffectEvent(() => {
    for (const early of takeEarly(ticket.uuid)) {
      const may = early.mode === 'note' || mayWrite
      if (may && sendDraft(ticket, early)) continue
      const { body } = store.get(draftOf(ticket.uuid, early.mode))
      store.set(draftOf(ticket.uuid, early.mode), { body: [body, early.body].filter(Boolean).join('\n') })
      refuse(tField('notSent'))
    }
  })
  useEffect(() => {
    if (left === null) sendEarly()
  }, [left])

  const send = (anyway: boolean) => {
    const from = anyway && overtaken ? modeFor(overtaken.item.isPrivate) : mode
    if (!sendDraft(ticket, { mode: from, anyway })) return
    if (anyway) setOvertaken(null) // saving a note decides nothing about the reply
    field.current?.focus()
  }
  /** A shortcut is never sent as it is: the agent chooses a reply or closes the list first. */
  const ask = () => {
    if (waits) return // Enter does nothing while a colleague's answer needs a decision
    if (!on) {
      if (!empty) refuse(tField('notSent'))
    } else if (slash) {
      setWished(draft.body)
      field.current?.focus()
    } else if (raw !== null) setNotices([{ text: t('rawShortcode', { raw }), verb: t('sendAsIs'), run: () => send(false) }])
    else send(false)
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
  const handleKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const chord = event.ctrlKey || event.metaKey
    if (slash && keys.current?.(event)) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      if (slash) close()
      else if (choosing) setChoosing(false)
      else if (draft.quoted !== null) write({ quoted: null })
      else if (!toList()) field.current?.blur()
    }
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || (touched && !chord && !slash)) return
    event.preventDefault()
    if (!event.repeat) ask()
  }
  const take = (given: Iterable<File>) => {
    if (!on) return refuse(tField('notSent'))
    setNotices([])
    void attach(given, setFiles, refuse)
  }
  const handlePaste = (event: ClipboardEvent) => {
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
    const whole = new File([text], t('textFile'), { type: 'text/plain' })
    const run = () => {
      const { body } = store.get(draftOf(ticket.uuid, mode))
      write({ body: body === after ? before : body.replace(stuck, () => '') }) // keeps text that was typed around it since
      void attach([whole], setFiles, refuse)
      field.current?.focus()
    }
    setNotices([{ text: t('cut', { n: fits, total: text.length }), verb: t('asFile'), run }])
  }

  return (
    <div className={css.composer} data-part="composer" data-private={isPrivate || undefined}>
      <DropFiles on={on && !recording} onFiles={take} />
      {overtaken && <StaleReplyPrompt overtaken={overtaken} list={list} ticket={ticket} onSend={() => send(true)} />}
      {serves && !isPrivate && <NumberAway ticket={ticket} />}
      <div id={`${id}-why`}>
        {left ? (
          <KeptDraft isPrivate={isPrivate} body={draft.body} />
        ) : serves ? (
          <AnswerWindow ticket={ticket} kept={!mayWrite && draft.body.trim() !== ''} />
        ) : (
          <SendDisabledNotice ticket={ticket} />
        )}
      </div>
      {notices.length > 0 && <Notices notices={notices} onChange={setNotices} />}
      {draft.quoted !== null && <Quote list={list} id={draft.quoted} onClear={() => write({ quoted: null })} />}
      {files.length > 0 && (
        <Files files={files} onChange={setFiles} captions={draft.captions} onCaptions={(captions) => write({ captions })} onSend={ask} />
      )}
      {slash && (
        <Suspense fallback={<p className={`${replies.replies} ${replies.none}`}>{t('quickLoading')}</p>}>
          <QuickReplies
            sought={slash.sought}
            wished={wished === draft.body}
            ticket={ticket}
            lend={(given) => {
              keys.current = given
            }}
            onChoose={(body, reply) => {
              insert(body, slash.from, slash.to)
              fileOf(reply).then(
                (file) => file && take([file]),
                () => refuse(t('quickFileFailed')),
              )
              field.current?.focus()
            }}
          />
        </Suspense>
      )}
      {recording ? (
        <Suspense fallback={<div className={recorder.recorder} />}>
          <Recorder ticket={ticket} onEnd={() => setRecording(false)} />
        </Suspense>
      ) : (
        <>
          {choosing && on && (
            <div className={emojis.emojiPanel}>
              <Suspense>
                <Emojis
                  onChoose={(emoji) => insert(emoji, ...selection())}
                  onClose={() => {
                    setChoosing(false)
                    field.current?.focus()
                  }}
                />
              </Suspense>
            </div>
          )}
          <label htmlFor={id} className={css.mode} data-part="mode">
            {isPrivate ? tField('note') : tField('replyTo', { name: ticket.contact.name })}
          </label>
          <textarea
            ref={field}
            id={id}
            rows={1}
            dir="auto"
            aria-describedby={`${id}-why`}
            placeholder={t(!on ? 'asleep' : isPrivate ? 'writePrivate' : narrow ? 'writeShort' : 'write')}
            value={draft.body}
            maxLength={longest}
            onChange={({ target }) => {
              write({ body: target.value })
              select(target)
              if (on && !isPrivate && !short) live.typing(ticket.id)
            }}
            onSelect={({ currentTarget }) => select(currentTarget)}
            onKeyDown={handleKeyDown}
            onPaste={handlePaste}
          />
          <Bar
            on={on}
            empty={empty}
            waits={waits}
            readying={isPreparing}
            isPrivate={isPrivate}
            hint={t(isPrivate ? 'enterPrivate' : 'enter')}
            onFiles={take}
            onFileList={() => setDialog({ kind: 'fileList', ticket })}
            choosing={choosing}
            onEmojis={() => setChoosing(!choosing)}
            onPrivate={() => {
              setMode(isPrivate ? 'reply' : 'note')
              requestAnimationFrame(() => field.current?.focus())
            }}
            onRecord={() => setRecording(true)}
            onInteractive={() => setDialog({ kind: 'interactive', ticket })}
            onSend={ask}
          />
        </>
      )}
    </div>
  )
}
