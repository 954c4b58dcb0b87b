import { Button } from '@blueprintjs/core'
import { Calendar, Plus, Trash } from '@blueprintjs/icons'
import { type FormEvent, useId, useState } from 'react'
import type { CompanyHours, Holiday } from '#domain/company/contract.ts'
import { api } from '#web/api.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { useAct } from '#web/ui/async-action.ts'
import { calendarDay } from '#web/ui/moment.ts'
import { toast, toastUndo } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import css from './CompanyHours.module.css'
import { ProposedHolidays } from './ProposedHolidays.tsx'
import { hoursWords } from './words.ts'

export type OfCompany = { hours: CompanyHours; keep: (hours: CompanyHours) => void }

/** The days on which the company is closed: typed one by one, or chosen from those that its country keeps (A-HOURS-HOLIDAY). */
export function Holidays({ hours, keep }: OfCompany) {
  const say = useWords(hoursWords)
  const ui = useWords(uiWords)
  const act = useAct()
  const id = useId()
  const language = useLanguage()
  const [date, choose] = useState('')
  const [name, call] = useState('')
  const [problem, tell] = useState<string | null>(null)
  const [proposing, propose] = useState(false)
  const change = async (body: { added: Holiday[]; taken: string[] }) =>
    keep(await api.companyHours.changeHolidays({ params: { id: hours.id }, body }))
  const take = (day: Holiday) =>
    act(async () => {
      await change({ added: [], taken: [day.date] })
      toastUndo(say('holidayRemoved', { name: day.name }), ui('undo'), () => change({ added: [day], taken: [] }))
    })()

  async function add(event: FormEvent) {
    event.preventDefault()
    if (date === '' || name.trim() === '') return tell(say('needBoth'))
    if (hours.holidays.some((one) => one.date === date)) return tell(say('twice'))
    tell(null)
    const save = act(() => change({ added: [{ date, name: name.trim() }], taken: [] }), { done: say('holidaySaved') })
    if (!(await save())) return
    choose('')
    call('')
  }
  return (
    <section className={css.part} aria-labelledby={id} data-part="holidays">
      <h2 id={id}>{say('holidays')}</h2>
      <p className={css.hint}>{say('holidaysHint')}</p>
      <Button icon={<Calendar />} text={say('propose')} onClick={() => propose(true)} />
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
                onClick={() => void take(one)}
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
      {proposing && (
        <ProposedHolidays
          hours={hours}
          onClose={() => propose(false)}
          onAdd={async (added) => {
            await change({ added, taken: [] })
            toast(say('holidaySaved'))
          }}
        />
      )}
    </section>
  )
}
