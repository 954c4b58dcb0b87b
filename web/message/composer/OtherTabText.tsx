import { Button } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { useAtom } from 'jotai'
import { useWords } from '#web/i18n.ts'
import { uiWords } from '#web/ui/words.ts'
import { otherTabOf } from './early.ts'
import css from './Notices.module.css'
import type { ComposerState } from './useComposerState.ts'
import { composerWords } from './words.ts'

const most = 120

/** Offers the text that another tab of this person wrote for the ticket. */
export function OtherTabText({ state: { ticket, mode, write } }: { state: ComposerState }) {
  const t = useWords(composerWords)
  const tUi = useWords(uiWords)
  const [text, setText] = useAtom(otherTabOf(ticket.uuid, mode))
  if (text === null) return null
  return (
    <ul className={css.notices} data-part="other-tab">
      <li>
        <span dir="auto">{t('otherTab', { text: text.length > most ? `${text.slice(0, most).trimEnd()}…` : text })}</span>
        <Button size="small" variant="outlined" text={t('useOtherTab')} onClick={() => write({ body: text })} />
        <Button size="small" variant="minimal" icon={<Cross size={12} />} aria-label={tUi('close')} onClick={() => setText(null)} />
      </li>
    </ul>
  )
}
