import { Button } from '@blueprintjs/core'
import { Cross, Duplicate } from '@blueprintjs/icons'
import { Fragment, useId } from 'react'
import { endsNextDay, overlaps, type Schedules, type ServiceDay, shifts, weekdays } from '#domain/hours/contract.ts'
import { useWords } from '#web/i18n.ts'
import css from './HoursEditor.module.css'
import { TimeInput } from './TimeInput.tsx'
import { hoursWords, shiftProblem, weekdayWords } from './words.ts'

const shut = { startTimeA: '', endTimeA: '', startTimeB: '', endTimeB: '' }
const isShut = (day: ServiceDay) => shifts.every(([start, end]) => day[start] === '' && day[end] === '')

/** The hours of a week: two shifts a day. One day's hours can be copied to all days; a missing day is closed. */
export function HoursEditor({ value, onChange }: { value: Schedules; onChange: (next: Schedules) => void }) {
  const t = useWords(hoursWords)
  const tWeekday = useWords(weekdayWords)
  const week = weekdays.map((weekdayEn): ServiceDay => {
    const kept = value.find((day) => day.weekdayEn === weekdayEn)
    return kept ?? { weekday: tWeekday(weekdayEn), weekdayEn, ...shut }
  })
  const handleChange = (next: ServiceDay) => onChange(week.map((day) => (day.weekdayEn === next.weekdayEn ? next : day)))
  return (
    <div className={css.week} data-part="hours">
      {week.map((day) => (
        <Day
          key={day.weekdayEn}
          day={day}
          onChange={handleChange}
          onCopy={() => onChange(week.map(({ weekday, weekdayEn }) => ({ ...day, weekday, weekdayEn })))}
          t={t}
          name={tWeekday(day.weekdayEn)}
        />
      ))}
    </div>
  )
}

type HoursTranslate = ReturnType<typeof useWords<keyof typeof hoursWords>>
function Day(of: { day: ServiceDay; name: string; t: HoursTranslate; onChange: (day: ServiceDay) => void; onCopy: () => void }) {
  const { day, name, t } = of
  const id = useId()
  const wrong = shifts.map(([start, end]) => shiftProblem(day[start], day[end]))
  const found = wrong.find((one) => one !== null)
  const both = !found && overlaps(day)
  const problem = found ? t(found) : both && t('overlap')
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset of Blueprint looks different
    <div className={css.day} role="group" aria-labelledby={id} data-weekday={day.weekdayEn}>
      <span id={id} className={css.name}>
        {name}
      </span>
      {shifts.map(([start, end], n) => (
        <span key={start} className={css.shift}>
          {([start, end] as const).map((edge, at) => (
            <Fragment key={edge}>
              {at === 1 && <span aria-hidden>–</span>}
              <TimeInput
                label={`${name}, ${t(n === 0 ? 'shiftA' : 'shiftB')}, ${t(at === 0 ? 'from' : 'to')}`}
                wrong={wrong[n] !== null || both}
                value={day[edge]}
                onChange={(time) => of.onChange({ ...day, [edge]: time })}
              />
            </Fragment>
          ))}
          {endsNextDay(day[start], day[end]) && <span className={css.nextDay}>{t('nextDay')}</span>}
        </span>
      ))}
      <span className={css.tools}>
        <Button
          variant="minimal"
          size="small"
          icon={<Duplicate size={14} />}
          title={t('copy', { day: name })}
          aria-label={t('copy', { day: name })}
          onClick={of.onCopy}
        />
        <Button
          variant="minimal"
          size="small"
          icon={<Cross size={14} />}
          title={t('shut', { day: name })}
          aria-label={t('shut', { day: name })}
          disabled={isShut(day)}
          onClick={() => of.onChange({ ...day, ...shut })}
        />
      </span>
      {problem ? (
        <p className={css.problem} role="alert">
          {problem}
        </p>
      ) : (
        isShut(day) && <p className={css.closed}>{t('closed')}</p>
      )}
    </div>
  )
}
