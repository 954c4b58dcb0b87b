import { type KeyboardEvent, lazy, Suspense } from 'react'
import { useWords } from '#web/i18n.ts'
import { messageWords } from '#web/message/words.ts'
import { fileAt } from '#web/ui/files.ts'
import replies from './QuickReplies.module.css'
import type { Shortcode } from './shortcode.ts'
import type { ComposerState } from './useComposerState.ts'
import type { useTextEditing } from './useTextEditing.ts'

const QuickReplies = lazy(() => import('./QuickReplies.tsx').then(({ QuickReplies }) => ({ default: QuickReplies })))

/** The list of quick replies while it loads and afterwards. The chosen one replaces its shortcode, with its file. */
export function QuickReplyList(of: {
  slash: Shortcode
  isWished: boolean
  /** Receives the handler of the list for the field's keys. */
  lend: (keys: ((event: KeyboardEvent) => boolean) | null) => void
  state: ComposerState
  editing: ReturnType<typeof useTextEditing>
  onFile: (name: string, load: () => Promise<File>, failed: string) => void
}) {
  const t = useWords(messageWords)
  const { slash, state, editing } = of
  return (
    <Suspense fallback={<p className={`${replies.replies} ${replies.none}`}>{t('quickLoading')}</p>}>
      <QuickReplies
        sought={slash.sought}
        wished={of.isWished}
        ticket={state.ticket}
        lend={of.lend}
        onChoose={(body, reply) => {
          editing.insert(body, slash.from, slash.to)
          const { mediaPath, mediaName } = reply
          const name = mediaName ?? 'file'
          if (mediaPath) of.onFile(name, () => fileAt(mediaPath, name), t('quickFileFailed'))
        }}
      />
    </Suspense>
  )
}
