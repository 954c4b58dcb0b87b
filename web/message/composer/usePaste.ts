import { useStore } from 'jotai'
import type { ClipboardEvent, RefObject } from 'react'
import { useWords } from '#web/i18n.ts'
import { messageWords } from '#web/message/words.ts'
import { readied } from '#web/ui/files.ts'
import { attach } from './attach.ts'
import { draftOf } from './early.ts'
import { fieldWords } from './field-words.ts'
import type { Notice } from './Notices.tsx'
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
  /** Keeps the place of a file that is being downloaded, so that the message waits for it. `failed`: the text if it cannot be loaded. */
  const takeLater = (name: string, load: () => Promise<File>, failed: string) => {
    const prepare = () => load().then(readied, () => failed)
    void attach([new File([], name)], setFiles, refuse, prepare)
  }
  /** Offers to attach a file instead of the inserted text. */
  const offer = (notice: { text: string; verb: string }, instead: File, inserted: string, from: number, to: number): Notice => {
    const before = draft.body
    const after = before.slice(0, from) + inserted + before.slice(to)
    const run = () => {
      const { body } = store.get(draftOf(ticket.uuid, mode))
      write({ body: body === after ? before : body.replace(inserted, () => '') }) // keeps text that was typed around it since
      void attach([instead], setFiles, refuse)
      field.current?.focus()
    }
    return { ...notice, run }
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
    const inserted = text.slice(0, fits)
    const notices: Notice[] = []
    if (fits < text.length) {
      const whole = new File([text], t('textFile'), { type: 'text/plain' })
      notices.push(offer({ text: t('cut', { n: fits, total: text.length }), verb: t('asFile') }, whole, inserted, from, to))
    }
    const picture = files.find(({ type }) => type.startsWith('image/')) // a spreadsheet's picture of its cells
    if (picture && state.isOn) notices.push(offer({ text: t('pastedAsText'), verb: t('asPicture') }, picture, inserted, from, to))
    if (notices.length > 0) setNotices(notices)
  }
  return { take, takeLater, handlePaste }
}
