import { atom, useAtomValue } from 'jotai'
import { useState } from 'react'
import { type QuickReplyRow, seesReply } from '#domain/quick-reply/contract.ts'
import { allReplies } from '#web/quick-reply/replies.ts'
import { useViewer } from '#web/session.ts'
import { mayBeDigitShortcode, rawShortcode, shortcodeAt } from './shortcode.ts'

const noReplies = atom<QuickReplyRow[]>([])
/** The shortcodes that the viewer may use. They are loaded only for a text that needs them. */
function useShortcodes(isNeeded: boolean): string[] {
  const viewer = useViewer()
  const rows = useAtomValue(isNeeded ? allReplies.all : noReplies)
  return rows.filter((row) => seesReply(viewer, row)).map(({ shortcode }) => shortcode)
}

/** The quick reply that is sought at the caret, if the field `seeks` one, until Esc closes its list. */
export function useQuickReply(body: string, seeks: boolean) {
  const [selected, setSelected] = useState({ body: '', at: 0 })
  const [isClosed, setIsClosed] = useState(false)
  const known = useShortcodes(seeks && mayBeDigitShortcode(body))
  const short = seeks ? shortcodeAt(body, selected.body === body ? selected.at : body.length, known) : null
  if (isClosed && !short) setIsClosed(false)
  return {
    short,
    slash: isClosed ? null : short,
    /** A word that would be sent although it looks like a quick reply. */
    raw: seeks && !isClosed ? rawShortcode(body, known) : null,
    close: () => setIsClosed(true),
    select: ({ value, selectionEnd: at }: HTMLTextAreaElement) =>
      setSelected((now) => (now.body === value && now.at === at ? now : { body: value, at })),
  }
}
