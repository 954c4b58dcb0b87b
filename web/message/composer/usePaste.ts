import { useStore } from 'jotai'
import type { ClipboardEvent, RefObject } from 'react'
import { useWords } from '#web/i18n.ts'
import { messageWords } from '#web/message/words.ts'
import { attach } from './attach.ts'
import { draftOf } from './early.ts'
import { fieldWords } from './field-words.ts'
import { pastedText } from './paste.ts'
import type { ComposerState } from './useComposerState.ts'
import type { useTextEditing } from './useTextEditing.ts'

/** Attaches given files, and inserts pasted text at the caret. */
export function usePaste(state: ComposerState, editing: ReturnType<typeof useTextEditing>, field: RefObject<HTMLTextAreaElement | null>) {
  const t = useWords(messageWords)
  const tField = useWords(fieldWords)
  const store = useStore()
  const { ticket, mode, draft, write, refuse, setFiles, setNotices } = state

  const take = (given: Iterable<File>) => {
    if (!state.isOn) return refuse(tField('notSent'))
    setNotices([])
    void attach(given, setFiles, refuse)
  }
  /** Offers the whole text as a file, because only a part of it fits. */
  const offerFile = (text: string, fits: number, from: number, to: number) => {
    const before = draft.body
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
  const handlePaste = (event: ClipboardEvent) => {
    const { clipboardData } = event
    const files = [...clipboardData.files]
    const text = pastedText({ files, getData: (type) => clipboardData.getData(type) })
    if (text === '' && files.length === 0) return
    event.preventDefault()
    if (text === '') return take(files)
    const [from, to] = editing.selection()
    const fits = editing.insert(text, from, to)
    if (fits < text.length) offerFile(text, fits, from, to)
  }
  return { take, handlePaste }
}
