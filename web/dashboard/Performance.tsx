import { TimelineBarChart } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { useMemo } from 'react'
import type { Attendant, Bar, Counters, Dashboard, Target } from '#domain/dashboard/contract.ts'
import type { TargetResult } from '#domain/report/contract.ts'
import { amount, type Language, useLanguage, useWords } from '#web/i18n.ts'
import { Chart } from '#web/ui/Chart.tsx'
import type { ChartOf } from '#web/ui/drawing.ts'
import { calendarDay } from '#web/ui/moment.ts'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import type { Asked } from './address.ts'
import { barsOf, ofAsked } from './atoms.ts'
import { Behind, Card } from './Cards.tsx'
import css from './Dashboard.module.css'
import { Definition } from './Definition.tsx'
import { created, reportBehind } from './drill.ts'
import { duration, percent } from './format.ts'
import { useRefresh } from './refresh.ts'
import { dashboardWords } from './words.ts'

/** Charts per day or hour and per agent, and the times of the finalized tickets (R-DASH-04). */
export function Performance({ asked, numbers: { counters, attendants, target } }: { asked: Asked; numbers: Dashboard }) {
  const t = useWords(dashboardWords)
  return (
    <div className={css.panel}>
      <dl className={css.cards}>
        <Card of="tickets" value={counters.tickets} before={counters.previous.tickets} behind={reportBehind(asked, created)}>
          {counters.startedByUs > 0 && t('startedByUs', { n: counters.startedByUs })}
        </Card>
        <Card of="reopened" value={counters.reopened} />
        {counters.consentRefused > 0 && <Card of="consentRefused" value={counters.consentRefused} />}
        {target && <TargetCard of={target} asked={asked} />}
      </dl>
      <div className={css.charts}>
        <PerTime asked={asked} />
        <PerAgent rows={attendants} />
      </div>
      <Times of={counters} />
    </div>
  )
}

/** The answers in time, of those with a result (A-COUNT-15). Each number leads to exactly the tickets that it counts. */
function TargetCard({ of: { met, missed, open, percent: share }, asked }: { of: Target; asked: Asked }) {
  const t = useWords(dashboardWords)
  const language = useLanguage()
  const behind = (target: TargetResult, n: number) => (n > 0 ? reportBehind(asked, { ...created, target }) : undefined)
  return (
    <Card of="target" value={share === null ? '–' : percent(share, language)} behind={behind('any', met + missed)}>
      <Behind to={behind('met', met)}>{t('targetMet', { n: met })}</Behind> ·{' '}
      <Behind to={behind('missed', missed)}>{t('targetMissed', { n: missed })}</Behind>
      {open > 0 && ` · ${t('targetOpen', { n: open })}`}
    </Card>
  )
}

const shortDay = (day: string, language: Language) =>
  new Intl.DateTimeFormat(language, { timeZone: 'UTC', day: '2-digit', month: '2-digit' }).format(new Date(day))

function PerTime({ asked }: { asked: Asked }) {
  const t = useWords(dashboardWords)
  const language = useLanguage()
  const of = barsOf(ofAsked(asked))
  const loaded = useAtomValue(of)
  const reload = useSetAtom(of.reload)
  useRefresh(reload, asked)
  const bars = loaded.state === 'ready' ? loaded.value.data : null
  const chart = useMemo((): ChartOf | null => {
    if (!bars) return null
    const perDay = bars[0]?.data !== undefined
    const point = ({ data, horario }: Bar) =>
      data === undefined
        ? { short: `${horario}`, long: `${horario}:00` }
        : { short: shortDay(data, language), long: calendarDay(data, language) }
    const values = (what: 'total' | 'finalized') => bars.map((bar) => (bar.future ? null : bar[what]))
    return {
      ...{ title: t(perDay ? 'perDay' : 'perHour'), along: t(perDay ? 'day' : 'hour'), hint: t('barsHint') },
      ...{ points: bars.map(point), write: (n) => amount(n, language), whole: true, least: 5 },
      series: [
        { name: t('created'), colour: '--chart-soft', shape: 'bars', values: values('total') },
        { name: t('finalized'), colour: '--chart-2', shape: 'line', values: values('finalized') },
      ],
    }
  }, [bars, t, language])
  if (loaded.state === 'failed')
    return (
      <div>
        <p role="alert">{t('chartFailed')}</p>
        <ErrorView error={loaded.error} onRetry={reload} />
      </div>
    )
  if (!chart) return <Skeleton rows={3} height={72} />
  return bars!.some(({ total, finalized }) => total > 0 || finalized > 0) ? <Chart of={chart} /> : <NoData />
}

const shownAgents = 30
function PerAgent({ rows }: { rows: Attendant[] }) {
  const t = useWords(dashboardWords)
  const language = useLanguage()
  const chart = useMemo((): ChartOf => {
    const served = rows.filter(({ tickets }) => tickets > 0).slice(0, shownAgents)
    const nameOf = ({ id, name, removed }: Attendant) =>
      id === null ? t('noAgent') : name === null ? t('unknown', { id }) : removed ? t('removed', { name }) : name
    return {
      ...{ title: t('perAgent'), along: t('agent'), write: (n) => amount(n, language), whole: true, least: 5 },
      points: served.map((row) => ({ short: nameOf(row).slice(0, 12), long: nameOf(row) })),
      series: [{ name: t('finalized'), colour: '--chart-2', shape: 'bars', values: served.map(({ tickets }) => tickets) }],
    }
  }, [rows, t, language])
  return chart.points.length > 0 ? <Chart of={chart} /> : <NoData />
}

function NoData() {
  const t = useWords(dashboardWords)
  return <Empty icon={<TimelineBarChart size={20} />} title={t('noData')} />
}

const measures = ['waiting', 'firstAnswer', 'support', 'resolution', 'bot'] as const
/** Each time with the number of measured tickets beside it (A-COUNT-11). */
function Times({ of: { times, closedTimes } }: { of: Counters }) {
  const t = useWords(dashboardWords)
  const language = useLanguage()
  return (
    <section className={css.section}>
      <h2>
        {t('times')} {closedTimes && <Definition of="openHours" name={t('openHours')} />}
      </h2>
      <p>{t(closedTimes ? 'openTimesHint' : 'timesHint')}</p>
      <div className={css.scrolls}>
        <table className={css.table} aria-label={t('times')}>
          <thead>
            <tr>
              <th scope="col">{t('measure')}</th>
              {(['n', 'average', 'median', 'p90'] as const).map((name) => (
                <th key={name} scope="col" className={css.num}>
                  {t(name)}
                </th>
              ))}
              {closedTimes && (
                <th scope="col" className={css.num}>
                  {t('closedAverage')}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {measures.map((name) => (
              <tr key={name}>
                <th scope="row">
                  {t(name)} <Definition of={name} name={t(name)} />
                </th>
                <td className={`${css.num} nums`}>{amount(times[name].n, language)}</td>
                {(['average', 'median', 'p90'] as const).map((what) => (
                  <td key={what} className={`${css.num} nums`}>
                    {duration(times[name][what], language)}
                  </td>
                ))}
                {closedTimes && (
                  <td className={`${css.num} nums`} data-part="closed">
                    {duration(name === 'bot' ? null : closedTimes[name].average, language)}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
