import { Button } from '@blueprintjs/core'
import { Plus, Trash } from '@blueprintjs/icons'
import { type FormEvent, useEffect, useId, useState } from 'react'
import type { CompanyHours as Hours } from '#domain/company/contract.ts'
import { hoursFault, type Schedules } from '#domain/hours/contract.ts'
import { api } from '#web/api.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { useAct } from '#web/ui/act.ts'
import { calendarDay } from '#web/ui/moment.ts'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import css from './CompanyHours.module.css'
import { HoursEditor } from './HoursEditor.tsx'
import { hoursWords } from './words.ts'

/** When the company is open, and on which days it is not. */
export function CompanyHours() {
  const { companyId } = useViewer()
  const [hours, keep] = useState<Hours | null>(null)
  const [error, fail] = useState<unknown>(null)
  const [tries, again] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when it is tried again
  useEffect(() => {
    api.companyHours.find({ params: { id: companyId } }).then((found) => {
      fail(null)
      keep(found)
    }, fail)
  }, [companyId, tries])
  if (error) return <ErrorView error={error} retry={() => again(tries + 1)} />
  if (!hours) return <Skeleton rows={7} height={36} />
  return (
    <>
      <Week hours={hours} keep={keep} />
      <Holidays hours={hours} keep={keep} />
    </>
  )
}
type Of = { hours: Hours; keep: (hours: Hours) => void }

function Week({ hours, keep }: Of) {
  const say = useWords(hoursWords)
  const act = useAct()
  const id = useId()
  const [draft, write] = useState<Schedules>(hours.schedules)
  const changed = JSON.stringify(draft) !== JSON.stringify(hours.schedules)
  const save = act(
    async () => {
      const saved = await api.companyHours.setSchedules({ params: { id: hours.id }, body: { schedules: draft } })
      keep(saved)
      write(saved.schedules)
    },
    { done: say('saved') },
  )
  return (
    <section className={css.part} aria-labelledby={id}>
      <h2 id={id}>{say('companyHours')}</h2>
      <p className={css.hint}>{say('unused')}</p>
      <HoursEditor value={draft} onChange={write} />
      <div className={css.foot}>
        {changed && <span role="status">{say('rememberToSave')}</span>}
        <Button
          intent="primary"
          text={say('save')}
          loading={act.pending}
          disabled={!changed || hoursFault(draft) !== null}
          onClick={() => void save()}
        />
      </div>
    </section>
  )
}

function Holidays({ hours, keep }: Of) {
  const say = useWords(hoursWords)
  const act = useAct()
  const id = useId()
  const [date, choose] = useState('')
  const [name, call] = useState('')
  const language = useLanguage()
  const [problem, tell] = useState<string | null>(null)
  const put = (holidays: Hours['holidays']) =>
    act(async () => keep(await api.companyHours.setHolidays({ params: { id: hours.id }, body: { holidays } })), {
      done: say('holidaySaved'),
    })()
  async function add(event: FormEvent) {
    event.preventDefault()
    if (date === '' || name.trim() === '') return tell(say('needBoth'))
    if (hours.holidays.some((one) => one.date === date)) return tell(say('twice'))
    tell(null)
    if (!(await put([...hours.holidays, { date, name: name.trim() }]))) return
    choose('')
    call('')
  }
  return (
    <section className={css.part} aria-labelledby={id} data-part="holidays">
      <h2 id={id}>{say('holidays')}</h2>
      <p className={css.hint}>{say('holidaysHint')}</p>
      {hours.holidays.length === 0 ? (
        <p className={css.hint}>{say('noHolidays')}</p>
      ) : (
        <ul className={css.days}>
          {hours.holidays.map((one) => (
            <li key={one.date}>
              <span className="nums">{calendarDay(one.date, language)}</span>
              <span dir="auto">{one.name}</span>
              <Button
                variant="minimal"
                size="small"
                icon={<Trash size={14} />}
                aria-label={say('removeHoliday', { name: one.name })}
                disabled={act.pending}
                onClick={() => void put(hours.holidays.filter(({ date: day }) => day !== one.date))}
              />
            </li>
          ))}
        </ul>
      )}
      <form className={css.add} onSubmit={(event) => void add(event)}>
        <label>
          <span>{say('date')}</span>
          <input type="date" className="bp6-input" value={date} onChange={({ currentTarget }) => choose(currentTarget.value)} />
        </label>
        <label>
          <span>{say('name')}</span>
          <input className="bp6-input" value={name} maxLength={100} onChange={({ currentTarget }) => call(currentTarget.value)} />
        </label>
        <Button type="submit" icon={<Plus />} text={say('addHoliday')} loading={act.pending} />
      </form>
      {problem && (
        <p className={css.problem} role="alert">
          {problem}
        </p>
      )}
    </section>
  )
}
