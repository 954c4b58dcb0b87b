import { type ChangeEvent, type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { ignoreErrors } from '#web/ignore-errors.ts'
import { fitting, typedWithinLimit } from './paste.ts'
import type { EditKind, SelectedText } from './textHistory.ts'
import type { ComposerState } from './useComposerState.ts'

let loading: Promise<typeof import('./textHistory.ts')> | undefined
const library = () => {
  loading ??= import('./textHistory.ts').catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

/** The kind of a browser's `inputType`. */
export const editKindOf = (inputType: string | undefined): EditKind =>
  inputType === 'insertText' || inputType === 'insertLineBreak'
    ? 'typed'
    : inputType === 'insertCompositionText'
      ? 'composed'
      : inputType?.startsWith('deleteContent')
        ? 'deleted'
        : 'whole'

/** The browser's own undo, from its menu, knows the text of other tickets, so `walk` replaces it. */
function useMenuHistory(field: RefObject<HTMLTextAreaElement | null>, walk: (direction: 'undo' | 'redo') => void): void {
  const walkAsAsked = useEffectEvent((event: InputEvent) => {
    if (event.target !== field.current || !/^history(Undo|Redo)$/.test(event.inputType)) return
    event.preventDefault()
    walk(event.inputType === 'historyUndo' ? 'undo' : 'redo')
  })
  useEffect(() => {
    const listen = (event: InputEvent) => walkAsAsked(event)
    document.addEventListener('beforeinput', listen)
    return () => document.removeEventListener('beforeinput', listen)
  }, [])
}

/** Edits the text of a draft at the caret and records each change, so that undo and redo work in its ticket. */
export function useTextEditing(field: RefObject<HTMLTextAreaElement | null>, state: ComposerState) {
  const { ticket, mode, readBody } = state
  const { body } = state.draft
  const key = `${ticket.uuid} ${mode}`
  const write = (text: string) => state.write({ body: text })
  const wanted = useRef<SelectedText | null>(null)
  const placeCaret = () => {
    const { current } = field
    const { current: to } = wanted
    if (!current || !to || current.value !== to.body) return
    wanted.current = null
    current.focus({ preventScroll: true })
    current.setSelectionRange(to.from, to.to)
  }
  useLayoutEffect(placeCaret) // after the render with the new text
  useEffect(() => void ignoreErrors(library(), 'it is loaded again with the next change'), [])

  const put = (next: SelectedText) => {
    wanted.current = next
    write(next.body)
    placeCaret() // no render follows if the text is the same
  }
  const record = (after: string, caret: number, kind: EditKind) => {
    const edit = { before: body, after, caret, kind, at: performance.now() }
    const recorded = library().then(({ historyOf }) => historyOf(key, body).record(edit))
    void ignoreErrors(recorded, 'without the library this change cannot be undone')
  }
  const walk = (direction: 'undo' | 'redo') => {
    const walked = library().then(({ historyOf }) => {
      const text = readBody()
      const next = historyOf(key, text)[direction](text)
      if (next) put(next)
    })
    void ignoreErrors(walked, 'without the library nothing can be undone')
  }
  useMenuHistory(field, walk)
  /** Replaces the text and its selection as one step. */
  const replace = (next: SelectedText) => {
    record(next.body, next.to, 'whole')
    put(next)
  }
  /** Replaces a part of the text as one step. Returns the number of inserted characters, which the limit may lower. */
  const insert = (text: string, from: number, to: number): number => {
    const { body: after, fits } = fitting(body, from, to, text.replace(/\r\n?/g, '\n'))
    replace({ body: after, from: from + fits, to: from + fits })
    return fits
  }
  return {
    insert,
    replace,
    selection(): readonly [from: number, to: number] {
      const { selectionStart, selectionEnd } = field.current ?? {}
      return [selectionStart ?? body.length, selectionEnd ?? body.length]
    },
    handleChange({ target, nativeEvent }: ChangeEvent<HTMLTextAreaElement>): void {
      wanted.current = null
      const typed = typedWithinLimit(body, target.value, target.selectionEnd)
      record(typed.body, typed.caret, editKindOf((nativeEvent as InputEvent).inputType))
      if (typed.body === target.value) write(typed.body)
      else put({ body: typed.body, from: typed.caret, to: typed.caret })
    },
    handleSelect({ value, selectionStart: from, selectionEnd: to }: HTMLTextAreaElement): void {
      const selected = library().then(({ historyOf }) => historyOf(key, value).select({ body: value, from, to }))
      void ignoreErrors(selected, 'without the library nothing can be undone')
    },
    /** Undoes or redoes a step if the keys ask for it. */
    handleKeys(event: KeyboardEvent): boolean {
      const letter = event.key.toLowerCase()
      if (event.altKey || !(event.ctrlKey || event.metaKey) || (letter !== 'z' && !(letter === 'y' && !event.metaKey))) return false
      event.preventDefault()
      walk(letter === 'y' || event.shiftKey ? 'redo' : 'undo')
      return true
    },
  }
}
