import { useAtomValue } from 'jotai'
import { useLanguage, useWords } from '#web/i18n.ts'
import { lostSinceAtom } from '#web/socket.ts'
import { clock } from './moment.ts'
import css from './NotLive.module.css'
import { uiWords } from './words.ts'

/** Says since when the numbers of now are not live. `failing`: since when they cannot be loaded, though the connection is open. */
export function NotLive({ failing = null }: { failing?: string | null }) {
  const t = useWords(uiWords)
  const language = useLanguage()
  const since = useAtomValue(lostSinceAtom) ?? failing
  if (since === null) return null
  return (
    <p role="status" className={css.notLive} data-part="not-live">
      {t('notLive', { time: clock(since, language) })}
    </p>
  )
}
