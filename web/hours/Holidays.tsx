import { Button } from '@blueprintjs/core'
import { Calendar, Plus, Trash } from '@blueprintjs/icons'
import { type FormEvent, useId, useState } from 'react'
import type { CompanyHours, Holiday } from '#domain/company/contract.ts'
import { api } from '#web/api.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { type AsyncAction, useAsyncAction } from '#web/ui/async-action.ts'
import { badEntryType } from '#web/ui/bad-entry.ts'
import { badEntryText } from '#web/ui/check.ts'
import { EntryInput } from '#web/ui/EntryInput.tsx'
import { calendarDay } from '#web/ui/moment.ts'
import { toast, toastUndo } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import css from './CompanyHours.module.css'
import { ProposedHolidays } from './ProposedHolidays.tsx'
import { hoursWords } from './words.ts'

export type OfCompany = { hours: CompanyHours; onChange: (hours: CompanyHours) => void }

type Change = (body: { added: Holiday[]; taken: string[] }) => Promise<void>

/**
 * The days on which the company is closed: entered one by one, or chosen from the country's holidays
 * (A-HOURS-HOLIDAY).
 */
export function Holidays({ hours, onChange }: OfCompany) {
  const t = useWords(hoursWords)
  const id = useId()
  const act = useAsyncAction()
  const [proposing, setProposing] = useState(false)
  const change: Change = async (body) => onChange(await api.companyHours.changeHolidays({ params: { id: hours.id }, body }))
  return (
    <section className={css.part} aria-labelledby={id} data-part="holidays">
      <h2 id={id}>{t('holidays')}</h2>
      <p className={css.hint}>{t('holidaysHint')}</p>
      <Button icon={<Calendar />} text={t('propose')} onClick={() => setProposing(true)} />
      <Days days={hours.holidays} act={act} onChange={change} />
      <NewHoliday days={hours.holidays} act={act} onChange={change} />
      {proposing && (
        <ProposedHolidays
          hours={hours}
          onClose={() => setProposing(false)}
          onAdd={async (added) => {
            await change({ added, taken: [] })
            toast(t('holidaySaved'))
          }}
        />
      )}
    </section>
  )
}

/** `act`: runs one change of the section at a time. */
type DaysProps = { days: Holiday[]; act: AsyncAction; onChange: Change }
function Days({ days, act, onChange }: DaysProps) {
  const t = useWords(hoursWords)
  const tUi = useWords(uiWords)
  const language = useLanguage()
  const take = (day: Holiday) =>
    act(async () => {
      await onChange({ added: [], taken: [day.date] })
      toastUndo(t('holidayRemoved', { name: day.name }), tUi('undo'), () => onChange({ added: [day], taken: [] }))
    })()
  if (days.length === 0) return <p className={css.hint}>{t('noHolidays')}</p>
  return (
    <ul className={css.days}>
      {days.map((one) => (
        <li key={one.date}>
          <span className="nums">{calendarDay(one.date, language)}</span>
          <span dir="auto">{one.name}</span>
          <Button
            variant="minimal"
            size="small"
            icon={<Trash size={14} />}
            aria-label={t('removeHoliday', { name: one.name })}
            disabled={act.pending}
            onClick={() => void take(one)}
          />
        </li>
      ))}
    </ul>
  )
}

function NewHoliday({ days, act, onChange }: DaysProps) {
  const t = useWords(hoursWords)
  const [date, setDate] = useState('')
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  async function add(event: FormEvent) {
    event.preventDefault()
    if (badEntryType(date)) return setProblem(badEntryText('date'))
    if (date === '' || name.trim() === '') return setProblem(t('needBoth'))
    if (days.some((one) => one.date === date)) return setProblem(t('twice'))
    setProblem(null)
    const save = act(() => onChange({ added: [{ date, name: name.trim() }], taken: [] }), { done: t('holidaySaved') })
    if (!(await save())) return
    setDate('')
    setName('')
  }
  return (
    <>
      <form className={css.add} onSubmit={(event) => void add(event)}>
        <label>
          <span>{t('date')}</span>
          <EntryInput type="date" className="bp6-input" value={date} onEntry={setDate} />
        </label>
        <label>
          <span>{t('name')}</span>
          <input className="bp6-input" value={name} maxLength={100} onChange={({ currentTarget }) => setName(currentTarget.value)} />
        </label>
        <Button type="submit" icon={<Plus />} text={t('addHoliday')} loading={act.pending} />
      </form>
      {problem && (
        <p className={css.problem} role="alert">
          {problem}
        </p>
      )}
    </>
  )
}
