import { useDeferredValue } from 'react'
import { useWords } from '#web/i18n.ts'
import { Blocks } from '#web/message/bubble/Written.tsx'
import { knownOf } from '#web/quick-reply/replies.ts'
import { useViewer } from '#web/session.ts'
import css from './DraftPreview.module.css'
import { previewOf } from './draft-preview.ts'
import { previewWords } from './preview-words.ts'
import type { ComposerState } from './useComposerState.ts'

/** The draft as it will be read: with formats, and with the variables filled that the server fills in a reply. */
export function DraftPreview({ state: { ticket, draft, isPrivate } }: { state: ComposerState }) {
  const t = useWords(previewWords)
  const { nome, 'primeiro nome': first, numero, atendente } = knownOf(ticket, useViewer())
  const values = Object.fromEntries(
    Object.entries({ nome, 'primeiro nome': first, numero, atendente }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
  const body = useDeferredValue(draft.body)
  const preview = previewOf(body, { values, isPrivate, channel: ticket.channel })
  if (!preview) return null
  const label = t(isPrivate ? 'note' : 'reply')
  return (
    <section
      className={css.preview}
      aria-label={label}
      data-part="draft-preview"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long preview is scrolled with the keyboard
      tabIndex={0}
    >
      <small>{label}</small>
      <div dir="auto">{preview.isFormatted ? <Blocks text={preview.text} still /> : preview.text}</div>
    </section>
  )
}
