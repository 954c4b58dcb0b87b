import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import type { DashboardFilters, MomentCounts } from '#domain/dashboard/contract.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { countsAtom, filmOf } from '#web/moment/atoms.ts'
import { useViewer } from '#web/session.ts'
import { dayOf } from '#web/ui/moment.ts'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import { Card } from './Cards.tsx'
import css from './Dashboard.module.css'
import { duration } from './format.ts'
import { dashboardWords } from './words.ts'

/** The cards at a past moment. None of them is live (A-PAST-03). */
export function MomentCards({ moment, filters }: { moment: string; filters: DashboardFilters }) {
  const t = useWords(dashboardWords)
  const language = useLanguage()
  const { counts, error, retry } = useCounts(moment, filters)
  if (error !== null) return <ErrorView error={error} onRetry={retry} />
  if (!counts) return <Skeleton rows={2} height={72} />
  return (
    <section className={css.page} aria-label={t('atThatMoment')} data-part="moment-cards" data-moment={counts.moment}>
      <dl className={css.cards}>
        <Card of="supportHappening" value={counts.supportHappening} />
        <Card of="supportPending" value={counts.supportPending}>
          {counts.supportWithBot > 0 && t('withBot', { n: counts.supportWithBot })}
        </Card>
        <Card of="longestWait" value={duration(counts.longestWait, language)} />
        <Card of="createdThatDay" value={counts.tickets} />
        <Card of="finalizedThatDay" value={counts.supportFinished} />
        <Card of="supportGroups" value={counts.supportGroups} />
      </dl>
    </section>
  )
}

/** The counts from the film of the day if it has this step, otherwise from the server. */
function useCounts(moment: string, filters: DashboardFilters) {
  const film = useAtomValue(filmOf({ day: dayOf(moment), filters }))
  const followed = useAtomValue(countsAtom)
  const follow = useSetAtom(countsAtom.follow)
  const step: MomentCounts | undefined = film.state === 'ready' ? film.value.steps.find((one) => one.moment === moment) : undefined
  const { reportQueueIds: limit } = useViewer() // a change of the limit loads the moment again (A-VIS-04)
  const key = JSON.stringify({ moment, filters, limit })
  const isKnown = step !== undefined
  useEffect(() => {
    if (!isKnown) void follow(key)
  }, [isKnown, key, follow])
  useEffect(() => () => void follow(null), [follow])
  const { value, error } = followed
  return { counts: step ?? value, error: isKnown ? null : error, retry: () => void follow(key) }
}
