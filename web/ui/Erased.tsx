import { isErasedText } from '#domain/text/rules.ts'
import { useWords } from '#web/i18n.ts'
import css from './Erased.module.css'
import { uiWords } from './words.ts'

/** The word that is shown in place of a text that was erased on request. */
export function Erased() {
  const t = useWords(uiWords)
  return (
    <em className={css.erased} data-part="erased">
      {t('erased')}
    </em>
  )
}

/** A text, or the word for one that was erased. */
export const Readable = ({ text }: { text: string }) => (isErasedText(text) ? <Erased /> : text)
