import { ChevronRight, Cross } from '@blueprintjs/icons'
import { useAtom, useAtomValue } from 'jotai'
import { useWords } from '#web/i18n.ts'
import { askedAtom, tabAtom } from '#web/ticket/atoms.ts'
import { allowNextClick } from '#web/ui/click-guard.ts'
import css from './Asked.module.css'
import tabs from './Tabs.module.css'
import { tabWords } from './words.ts'

/**
 * Below the waiting list, where its appearance moves nothing: opens the tickets that wait for a consent or rating,
 * and returns.
 */
export function Asked() {
  const t = useWords(tabWords)
  const [tab, setTab] = useAtom(tabAtom)
  const count = useAtomValue(askedAtom)
  const here = tab === 'asked'
  if (!here && !count) return null
  return (
    <button
      type="button"
      className={css.asked}
      data-part="asked"
      aria-pressed={here}
      onClick={() => {
        allowNextClick()
        setTab(here ? 'pending' : 'asked')
      }}
    >
      <span>{t('asked')}</span>
      {count !== null && count > 0 && <span className={`${tabs.count} nums`}>{count > 999 ? '999+' : count}</span>}
      <span className={css.on}>{here ? <Cross size={12} /> : <ChevronRight size={12} />}</span>
    </button>
  )
}
