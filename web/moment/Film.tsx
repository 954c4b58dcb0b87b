import { Button } from '@blueprintjs/core'
import { useAtomValue, useSetAtom } from 'jotai'
import { useMemo } from 'react'
import type { DashboardFilters, MomentCounts } from '#domain/dashboard/contract.ts'
import { amount, useLanguage, useWords } from '#web/i18n.ts'
import { Chart } from '#web/ui/Chart.tsx'
import type { ChartOf } from '#web/ui/drawing.ts'
import { hour, offsetAt } from '#web/ui/moment.ts'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import { filmOf } from './atoms.ts'
import css from './MomentBar.module.css'
import { peakOf, type StepsOfDay } from './steps.ts'
import { momentWords } from './words.ts'

/** The counts of the whole day as a chart, with a mark at the shown moment. */
export function Film({
  steps: { day, isUneven },
  filters,
  position,
  isOpen,
  onPick,
}: {
  steps: StepsOfDay
  filters: DashboardFilters
  position: number
  isOpen: boolean
  onPick: (position: number) => void
}) {
  const t = useWords(momentWords)
  const language = useLanguage()
  const of = filmOf({ day, filters })
  const loaded = useAtomValue(of)
  const reload = useSetAtom(of.reload)
  const steps = loaded.state === 'ready' ? loaded.value.steps : null
  const chart = useMemo((): ChartOf | null => {
    if (!steps) return null
    const short = ({ moment }: MomentCounts) => hour(moment, language)
    /* The hour after a clock change is there twice. */
    const long = (step: MomentCounts) => (isUneven ? `${short(step)} ${offsetAt(step.moment, language)}` : short(step))
    return {
      ...{ title: t('chart'), along: t('hour'), write: (n) => amount(n, language), whole: true, least: 5 },
      points: steps.map((step) => ({ short: short(step), long: long(step) })),
      labelled: steps.flatMap((step, i) => (short(step).endsWith('00') ? [i] : [])),
      series: [
        { name: t('waiting'), colour: '--chart-3', shape: 'line', values: steps.map((step) => step.supportPending) },
        { name: t('served'), colour: '--chart-2', shape: 'line', values: steps.map((step) => step.supportHappening) },
        { name: t('withBot'), colour: '--chart-soft', shape: 'line', values: steps.map((step) => step.supportWithBot) },
      ],
    }
  }, [steps, isUneven, t, language])
  if (loaded.state === 'failed') return <ErrorView error={loaded.error} onRetry={reload} />
  if (!steps || !chart) return <Skeleton rows={1} height={isOpen ? 220 : 32} />
  const peak = peakOf(steps)
  return (
    <details className={css.film} open={isOpen}>
      <summary>{t('chart')}</summary>
      {peak !== null && (
        <Button
          variant="minimal"
          text={t('peak', { time: chart.points[peak]!.long, n: steps[peak]!.supportPending })}
          onClick={() => onPick(peak)}
        />
      )}
      <Chart of={chart} mark={position} />
    </details>
  )
}
