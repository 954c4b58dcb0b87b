import { useMemo } from 'react'
import type { TrafficDay } from '#domain/traffic/contract.ts'
import { amount, type Language, useLanguage, useWords } from '#web/i18n.ts'
import { Chart } from '#web/ui/Chart.tsx'
import type { ChartOf } from '#web/ui/drawing.ts'
import { calendarDay } from '#web/ui/moment.ts'
import { long, took } from './Figures.tsx'
import css from './Health.module.css'
import { trafficWords } from './words.ts'

const shortDay = (day: string, language: Language) =>
  new Intl.DateTimeFormat(language, { timeZone: 'UTC', day: '2-digit', month: '2-digit' }).format(new Date(day))

/** Per day: outcomes of sent messages, received messages, failures, the speed of the channel, and outages. */
export function Charts({ days }: { days: TrafficDay[] }) {
  const t = useWords(trafficWords)
  const language = useLanguage()
  const charts = useMemo((): ChartOf[] => {
    const along = {
      along: t('day'),
      points: days.map(({ day }) => ({ short: shortDay(day, language), long: calendarDay(day, language) })),
    }
    const counts = { ...along, write: (n: number) => amount(n, language), whole: true }
    const of = (what: 'received' | 'sent' | 'delivered' | 'read' | 'failed' | 'awayMinutes' | 'answerMs') => days.map((day) => day[what])
    return [
      {
        ...counts,
        ...{ title: t('perDay'), hint: t('sentHint') },
        series: [
          { name: t('sent'), colour: '--chart-soft', shape: 'bars', values: of('sent') },
          { name: t('delivered'), colour: '--chart-2', shape: 'line', values: of('delivered') },
          { name: t('read'), colour: '--chart-3', shape: 'dashes', values: of('read') },
        ],
      },
      {
        ...{ ...counts, title: t('receivedPerDay'), hint: t('receivedHint'), least: 5 },
        series: [{ name: t('received'), colour: '--chart-soft', shape: 'bars', values: of('received') }],
      },
      {
        ...{ ...along, title: t('answerPerDay'), hint: t('answerHint'), write: (ms) => took(ms, language), least: 1000 },
        series: [{ name: t('answerTime'), colour: '--chart-2', shape: 'line', values: of('answerMs') }],
      },
      {
        ...{ ...counts, title: t('failedPerDay'), least: 5 },
        series: [{ name: t('failedToLeave'), colour: '--danger', shape: 'bars', values: of('failed') }],
      },
      {
        ...{ ...along, title: t('awayPerDay'), write: (n) => long(n, language), least: 10 },
        series: [{ name: t('away'), colour: '--warning', shape: 'bars', values: of('awayMinutes') }],
      },
    ]
  }, [days, t, language])
  return (
    <div className={css.charts}>
      {charts.map((of) => (
        <Chart key={of.title} of={of} />
      ))}
    </div>
  )
}
