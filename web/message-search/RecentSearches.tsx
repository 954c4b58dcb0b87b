import { Button } from '@blueprintjs/core'
import { Cross, History } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { Link } from 'wouter'
import { useWords } from '#web/i18n.ts'
import { filtersIn, viewOf } from './address.ts'
import css from './RecentSearches.module.css'
import { forgetSearchAtom, recentSearchesAtom } from './recent.ts'
import { searchWords } from './words.ts'

/** This user's recent searches on this device. */
export function RecentSearches() {
  const t = useWords(searchWords)
  const recent = useAtomValue(recentSearchesAtom)
  const forget = useSetAtom(forgetSearchAtom)
  if (recent.length === 0) return null
  return (
    <section className={css.recent} aria-label={t('recent')} data-part="recent-searches">
      <h2>{t('recent')}</h2>
      <ul>
        {recent.map((address) => {
          const view = viewOf(new URLSearchParams(address))
          const n = filtersIn(view)
          return (
            <li key={address}>
              <Link href={`/search?${address}`} replace data-part="recent-search">
                <History size={14} />
                <span dir="auto">{view.q}</span>
                {n > 0 && <small>{n === 1 ? t('withFiltersOne') : t('withFilters', { n })}</small>}
              </Link>
              <Button
                variant="minimal"
                size="small"
                icon={<Cross />}
                aria-label={t('forget', { search: view.q })}
                onClick={() => forget(address)}
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
