import { useState } from 'react'
import { rawShortcode, shortcodeAt } from './shortcode.ts'

/** The quick reply that is sought at the caret, if the field `seeks` one, until Esc closes its list. */
export function useQuickReply(body: string, seeks: boolean) {
  const [selected, setSelected] = useState({ body: '', at: 0 })
  const [isClosed, setIsClosed] = useState(false)
  const short = seeks ? shortcodeAt(body, selected.body === body ? selected.at : body.length) : null
  if (isClosed && !short) setIsClosed(false)
  return {
    short,
    slash: isClosed ? null : short,
    /** A word that would be sent although it looks like a quick reply. */
    raw: seeks && !isClosed ? rawShortcode(body) : null,
    close: () => setIsClosed(true),
    select: ({ value, selectionEnd: at }: HTMLTextAreaElement) =>
      setSelected((now) => (now.body === value && now.at === at ? now : { body: value, at })),
  }
}
