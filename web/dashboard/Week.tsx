import { SegmentedControl } from '@blueprintjs/core'
import { TimelineBarChart } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import type { WeekHour } from '#domain/dashboard/contract.ts'
import { amount, useLanguage, useWords } from '#web/i18n.ts'
import { weekdayName, weekHourName } from '#web/ui/moment.ts'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import type { Asked } from './address.ts'
import { ofAsked, weekOf } from './atoms.ts'
import { Behind } from './Cards.tsx'
import css from './Dashboard.module.css'
import { Definition } from './Definition.tsx'
import { created, reportBehind } from './drill.ts'
import { duration } from './format.ts'
import { useRefresh } from './refresh.ts'
import { dashboardWords } from './words.ts'

const shown = ['created', 'waiting'] as const
type Shown = (typeof shown)[number]
const shownValue = (hour: WeekHour, what: Shown): number | null => (what === 'created' ? hour.created : hour.waiting.median)

const hoursOfDay = Array.from({ length: 24 }, (_, hour) => hour)
const weekdays = Array.from({ length: 7 }, (_, weekday) => weekday)

/** The heat map of the week: when tickets are created, and how long they wait then. */
export function Week({ asked }: { asked: Asked }) {
  const t = useWords(dashboardWords)
  const [what, setWhat] = useState<Shown>('created')
  const of = weekOf(ofAsked(asked))
  const loaded = useAtomValue(of)
  const reload = useSetAtom(of.reload)
  useRefresh(reload, asked)
  return (
    <div className={css.section}>
      <h2>
        {t('week')} <Definition of={what === 'created' ? 'weekCreated' : 'weekWaiting'} name={t('week')} />
      </h2>
      <SegmentedControl
        inline
        role="radiogroup"
        aria-label={t('measure')}
        size="small"
        value={what}
        options={shown.map((value) => ({ value, label: t(value === 'created' ? 'created' : 'waitingMedian') }))}
        onValueChange={(value) => setWhat(value as Shown)}
      />
      {loaded.state === 'failed' && <ErrorView error={loaded.error} onRetry={reload} />}
      {loaded.state === 'loading' && <Skeleton rows={7} height={32} />}
      {loaded.state === 'ready' && loaded.value.hours.length === 0 && <Empty icon={<TimelineBarChart size={20} />} title={t('noData')} />}
      {loaded.state === 'ready' && loaded.value.hours.length > 0 && <HeatMap hours={loaded.value.hours} what={what} asked={asked} />}
    </div>
  )
}

function HeatMap({ hours, what, asked }: { hours: WeekHour[]; what: Shown; asked: Asked }) {
  const t = useWords(dashboardWords)
  const language = useLanguage()
  const byHour = new Map(hours.map((hour) => [hour.weekHour, hour]))
  const most = Math.max(...hours.map((hour) => shownValue(hour, what) ?? 0), 1)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard scrolls it
    <section className={css.scrolls} tabIndex={0} aria-label={t('week')}>
      <table className={css.heat} data-part="week" aria-label={t('week')}>
        <thead>
          <tr>
            <td />
            {hoursOfDay.map((hour) => (
              <th key={hour} scope="col" className="nums">
                {String(hour).padStart(2, '0')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weekdays.map((weekday) => (
            <tr key={weekday}>
              <th scope="row">
                <abbr title={weekdayName(weekday, language, 'long')}>{weekdayName(weekday, language, 'short')}</abbr>
              </th>
              {hoursOfDay.map((hour) => {
                const weekHour = weekday * 24 + hour
                const known = byHour.get(weekHour)
                const value = known ? shownValue(known, what) : what === 'created' ? 0 : null
                return <Cell key={hour} weekHour={weekHour} what={what} value={value} most={most} asked={asked} />
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Cell({ weekHour, what, value, most, asked }: { weekHour: number; what: Shown; value: number | null; most: number; asked: Asked }) {
  const language = useLanguage()
  const text = what === 'created' ? amount(value ?? 0, language) : duration(value, language)
  const share = value === null ? 0 : Math.sqrt(value / most)
  const short = what === 'created' ? text : value === null ? '' : amount(Math.round(value / 60), language)
  return (
    <td
      className="nums"
      title={`${weekHourName(weekHour, language)}: ${text}`}
      style={{ backgroundColor: `color-mix(in oklab, var(--chart-2) ${Math.round(share * 55)}%, transparent)` }}
    >
      {value !== null && value > 0 && (
        <Behind to={what === 'created' ? reportBehind(asked, { ...created, weekHour }) : undefined}>{short}</Behind>
      )}
    </td>
  )
}
