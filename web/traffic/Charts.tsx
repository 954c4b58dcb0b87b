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

/** Day by day: what became of what was sent, what came in, what failed, how fast the channel was, and for how long it was away. */
export function Charts({ days }: { days: TrafficDay[] }) {
  const say = useWords(trafficWords)
  const language = useLanguage()
  const charts = useMemo((): ChartOf[] => {
    const along = {
      along: say('day'),
      points: days.map(({ day }) => ({ short: shortDay(day, language), long: calendarDay(day, language) })),
    }
    const counts = { ...along, write: (n: number) => amount(n, language), whole: true }
    const of = (what: 'received' | 'sent' | 'delivered' | 'read' | 'failed' | 'awayMinutes' | 'answerMs') => days.map((day) => day[what])
    return [
      {
        ...counts,
        ...{ title: say('perDay'), hint: say('sentHint') },
        series: [
          { name: say('sent'), colour: '--chart-soft', shape: 'bars', values: of('sent') },
          { name: say('delivered'), colour: '--chart-2', shape: 'line', values: of('delivered') },
          { name: say('read'), colour: '--chart-3', shape: 'dashes', values: of('read') },
        ],
      },
      {
        ...{ ...counts, title: say('receivedPerDay'), hint: say('receivedHint'), least: 5 },
        series: [{ name: say('received'), colour: '--chart-soft', shape: 'bars', values: of('received') }],
      },
      {
        ...{ ...along, title: say('answerPerDay'), hint: say('answerHint'), write: (ms) => took(ms, language), least: 1000 },
        series: [{ name: say('answerTime'), colour: '--chart-2', shape: 'line', values: of('answerMs') }],
      },
      {
        ...{ ...counts, title: say('failedPerDay'), least: 5 },
        series: [{ name: say('failedToLeave'), colour: '--danger', shape: 'bars', values: of('failed') }],
      },
      {
        ...{ ...along, title: say('awayPerDay'), write: (n) => long(n, language), least: 10 },
        series: [{ name: say('away'), colour: '--warning', shape: 'bars', values: of('awayMinutes') }],
      },
    ]
  }, [days, say, language])
  return (
    <div className={css.charts}>
      {charts.map((of) => (
        <Chart key={of.title} of={of} />
      ))}
    </div>
  )
}
