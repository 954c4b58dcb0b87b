import { useSetAtom } from 'jotai'
import { type ComponentProps, type KeyboardEvent, lazy, type RefObject, Suspense, useId, useLayoutEffect, useRef, useState } from 'react'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import type { Collection } from '#web/live.ts'
import { messageWords } from '#web/message/words.ts'
import { dialogAtom } from '#web/ticket/atoms.ts'
import { toList } from '#web/ticket/list/TicketList.tsx'
import { isWriting, useKeys } from '#web/ui/keys.ts'
import { isSubmit } from '#web/ui/submit-by-enter.ts'
import { touched } from '#web/ui/touched.ts'
import { Above } from './Above.tsx'
import { Bar } from './Bar.tsx'
import css from './Composer.module.css'
import { useCarriedFocus } from './carriedFocus.ts'
import { DropFiles } from './DropFiles.tsx'
import emojis from './Emojis.module.css'
import { Field } from './Field.tsx'
import { type Mark, marked } from './marking.ts'
import { longest } from './paste.ts'
import { QuickReplyList } from './QuickReplyList.tsx'
import { useQuickReply } from './quickReply.ts'
import recorder from './Recorder.module.css'
import { useTextHeight } from './textHeight.ts'
import { type LeftBehind, useComposerState } from './useComposerState.ts'
import { useEditLast } from './useEditLast.ts'
import { usePaste } from './usePaste.ts'
import { useSubmit } from './useSubmit.ts'
import { useTextEditing } from './useTextEditing.ts'

const Emojis = lazy(() => import('./Emojis.tsx').then(({ Emojis }) => ({ default: Emojis })))
const DraftPreview = lazy(() => import('./DraftPreview.tsx').then(({ DraftPreview }) => ({ default: DraftPreview })))
const Recorder = lazy(() => import('./Recorder.tsx').then(({ Recorder }) => ({ default: Recorder })))

/** The text field of a ticket in any state. Text that cannot be sent stays, with the reason above it. */
export function Composer({ ticket, list, left = null }: { ticket: TicketRow; list: Collection<MessageRow>; left?: LeftBehind | null }) {
  const [isRecording, setIsRecording] = useState(false)
  const [isChoosing, setIsChoosing] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const listKeys = useRef<((event: KeyboardEvent) => boolean) | null>(null)
  const id = useId()
  const state = useComposerState(ticket, left)
  const { isOn, isPrivate, draft } = state
  // Stays once it had the focus, so that the buttons above it do not move under the pointer
  const [isRevealed, setIsRevealed] = useState(false)
  const isIdle = !isRevealed && !isOn && !state.serves && left === null && state.isEmpty && draft.quoted === null
  const editing = useTextEditing(field, state)
  const quickReply = useQuickReply(draft.body, isOn && !isPrivate)
  const { send, submit, isWished } = useSubmit(state, left, quickReply, field)
  const { take, takeLater, handlePaste } = usePaste(state, editing, field)
  useTextHeight(field, draft.body, isRecording)
  useCarriedFocus(field, ticket.uuid)
  useOwnFocus(field, state.serves, isRecording)

  useMarkKeys(isOn, field, editing)
  const editLast = useEditLast(ticket, list)

  const focusField = () => field.current?.focus()
  const switchTo = (mode: 'reply' | 'note') => {
    state.setMode(mode)
    requestAnimationFrame(focusField)
  }
  const closeEmojis = () => {
    setIsChoosing(false)
    focusField()
  }
  const lendKeys = (keys: typeof listKeys.current) => {
    listKeys.current = keys
  }
  const handleKeyDown = useFieldKeys({ field, state, editing, quickReply, listKeys, isChoosing, setIsChoosing, editLast, submit })
  return (
    <div className={css.composer} data-part="composer" data-private={isPrivate || undefined} data-idle={isIdle || undefined}>
      <DropFiles on={isOn && !isRecording} onFiles={take} />
      <Above
        state={state}
        list={list}
        left={left}
        id={`${id}-why`}
        onSendAnyway={() => send(true)}
        onSubmit={submit}
        onNote={() => switchTo('note')}
      />
      {quickReply.slash && <QuickReplyList {...{ isWished, state, editing }} slash={quickReply.slash} lend={lendKeys} onFile={takeLater} />}
      {isRecording ? (
        <Suspense fallback={<div className={recorder.recorder} />}>
          <Recorder ticket={ticket} onEnd={() => setIsRecording(false)} />
        </Suspense>
      ) : (
        <>
          {isChoosing && isOn && <EmojiPanel editing={editing} onClose={closeEmojis} />}
          <Preview state={state} />
          <div className={css.box}>
            <Field
              {...{ field, id, state, editing, quickReply }}
              describedBy={`${id}-why`}
              onFocus={() => setIsRevealed(true)}
              onKeyDown={handleKeyDown}
              onPaste={handlePaste}
            />
            <Tools
              {...{ state, isChoosing }}
              onFiles={take}
              onEmojis={() => setIsChoosing(!isChoosing)}
              onPrivate={() => switchTo(isPrivate ? 'reply' : 'note')}
              onRecord={() => setIsRecording(true)}
              onSend={submit}
            />
          </div>
        </>
      )}
    </div>
  )
}

type FieldKeys = {
  field: RefObject<HTMLTextAreaElement | null>
  state: ReturnType<typeof useComposerState>
  editing: Editing
  quickReply: ReturnType<typeof useQuickReply>
  /** The keys of the open list of quick replies. */
  listKeys: RefObject<((event: KeyboardEvent) => boolean) | null>
  isChoosing: boolean
  setIsChoosing: (is: boolean) => void
  editLast: (isPrivate: boolean) => boolean
  submit: () => void
}
/** Enter, Esc and ↑ in the field. */
function useFieldKeys({ field, state, editing, quickReply, listKeys, isChoosing, setIsChoosing, editLast, submit }: FieldKeys) {
  const { draft, write, isPrivate } = state
  const handleEscape = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (quickReply.slash) quickReply.close()
    else if (isChoosing) setIsChoosing(false)
    else if (draft.quoted !== null) write({ quoted: null })
    else if (!toList()) field.current?.blur()
  }
  return (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (quickReply.slash && listKeys.current?.(event)) return
    if (editing.handleKeys(event)) return
    if (event.key === 'ArrowUp' && draft.body === '' && isPlain(event) && editLast(isPrivate)) return event.preventDefault()
    if (event.key === 'Escape') handleEscape(event)
    // In the list of quick replies Enter chooses, also on a touch keyboard.
    if (!isSubmit(event) && !(quickReply.slash && event.key === 'Enter' && !event.shiftKey && !event.altKey)) return
    event.preventDefault()
    if (!event.repeat) submit()
  }
}

/** The row of tools below the text. */
function Tools({
  state,
  ...of
}: { state: ReturnType<typeof useComposerState> } & Pick<
  ComponentProps<typeof Bar>,
  'isChoosing' | 'onFiles' | 'onEmojis' | 'onPrivate' | 'onRecord' | 'onSend'
>) {
  const t = useWords(messageWords)
  const setDialog = useSetAtom(dialogAtom)
  const { ticket, mode, isOn, isPrivate, isEmpty, isWaiting, isPreparing } = state
  return (
    <Bar
      {...{ isOn, isPrivate, isEmpty, isWaiting, isPreparing, ...of }}
      hint={t(isPrivate ? 'enterPrivate' : 'enter')}
      onCamera={() => setDialog({ kind: 'camera', ticket, mode })}
      onFileList={() => setDialog({ kind: 'fileList', ticket })}
      onContact={() => setDialog({ kind: 'sendContact', ticket })}
      onInteractive={() => setDialog({ kind: 'interactive', ticket })}
    />
  )
}

const isPlain = ({ shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent) => !(shiftKey || altKey || ctrlKey || metaKey)

/** Ctrl+B and Ctrl+I in the field, also in the sheet of shortcuts. */
function useMarkKeys(isOn: boolean, field: RefObject<HTMLTextAreaElement | null>, { replace }: Editing): void {
  const t = useWords(messageWords)
  const mark = (sign: Mark) => {
    const { current } = field
    if (!current || current !== document.activeElement) return
    const next = marked({ body: current.value, from: current.selectionStart, to: current.selectionEnd }, sign)
    if (next.body.length <= longest) replace(next)
  }
  const keys = (['bold', 'italic'] as const).map((label) => ({
    keys: label === 'bold' ? 'mod+b' : 'mod+i',
    label: t(label),
    typing: true as const,
    run: () => mark(label === 'bold' ? '*' : '_'),
  }))
  useKeys(t('formatting'), isOn ? keys : [])
}

/**
 * The field takes the focus when an agent opens their ticket, accepts one or ends a recording, unless they type
 * elsewhere.
 */
function useOwnFocus(field: { current: HTMLTextAreaElement | null }, serves: boolean, isRecording: boolean): void {
  useLayoutEffect(() => {
    const { current } = field
    if (!serves || isRecording || touched || !current || isWriting(document.activeElement)) return
    current.focus({ preventScroll: true })
    current.setSelectionRange(current.value.length, current.value.length)
  }, [field, serves, isRecording])
}

/** Signs of formats and variables. Without them a draft is read as it is typed, and the preview is not loaded. */
const mayDiffer = /[*_~`{]|^(?:[->]|\d+\.) /m
const Preview = ({ state }: { state: ReturnType<typeof useComposerState> }) =>
  state.isOn &&
  mayDiffer.test(state.draft.body) && (
    <Suspense>
      <DraftPreview state={state} />
    </Suspense>
  )

type Editing = ReturnType<typeof useTextEditing>
function EmojiPanel({ editing, onClose }: { editing: Editing; onClose: () => void }) {
  return (
    <div className={emojis.emojiPanel}>
      <Suspense>
        <Emojis onChoose={(emoji) => editing.insert(emoji, ...editing.selection())} onClose={onClose} />
      </Suspense>
    </div>
  )
}
