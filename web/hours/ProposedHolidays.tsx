import { Button, Checkbox, DialogBody, DialogFooter, FormGroup, type HTMLSelectProps } from '@blueprintjs/core'
import { useEffect, useId, useState } from 'react'
import type { CompanyHours, Holiday, ProposedHolidays as Proposed } from '#domain/company/contract.ts'
import { api } from '#web/api.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { calendarDay } from '#web/ui/moment.ts'
import { useReturnFocus } from '#web/ui/returnFocus.ts'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import { uiWords } from '#web/ui/words.ts'
import css from './ProposedHolidays.module.css'
import { hoursWords } from './words.ts'

type Props = { hours: CompanyHours; onAdd: (days: Holiday[]) => Promise<void>; onClose: () => void }

type Place = { country?: string; state?: string }
type Answer = { to: Place; year: number; proposed: Proposed }

/** The holidays of a country, a state and a year to choose from. Statutory ones are preselected. */
export function ProposedHolidays({ hours, onAdd, onClose }: Props) {
  const t = useWords(hoursWords)
  const tUi = useWords(uiWords)
  const act = useAsyncAction()
  useReturnFocus()
  const [thisYear] = useState(() => new Date().getFullYear())
  const [year, setYear] = useState(thisYear)
  const [place, setPlace] = useState<Place>({})
  const { answer, error, retry, turned, turn } = useProposals(hours.id, year, place)
  const fresh = answer?.to === place && answer.year === year // false while a new request is in flight
  const there = new Set(hours.holidays.map(({ date }) => date))
  const chosen = (fresh ? answer.proposed.days : []).filter(({ date, official }) => !there.has(date) && official !== turned.has(date))
  const add = act(async () => {
    await onAdd(chosen.map(({ date, name }) => ({ date, name })))
    onClose()
  })
  return (
    <Dialog isOpen title={t('propose')} onClose={onClose}>
      <DialogBody>
        <div className={css.place}>
          <PlaceFields proposed={answer?.proposed ?? null} place={place} onChange={setPlace} />
          <Choice
            label={t('year')}
            value={year}
            options={[thisYear, thisYear + 1, thisYear + 2]}
            onChange={(value) => setYear(Number(value))}
          />
        </div>
        {error ? (
          <ErrorView error={error} onRetry={retry} />
        ) : !fresh ? (
          <Skeleton rows={8} height={28} />
        ) : answer.proposed.days.length === 0 ? (
          <p role="status">{t('noneKnown')}</p>
        ) : (
          <Days days={answer.proposed.days} there={there} turned={turned} onTurn={turn} />
        )}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={tUi('cancel')} onClick={onClose} />
            <Button
              intent="primary"
              text={t(chosen.length === 1 ? 'addOne' : 'addSome', { n: chosen.length })}
              disabled={chosen.length === 0}
              loading={act.pending}
              onClick={() => void add()}
            />
          </>
        }
      />
    </Dialog>
  )
}

/** Loads the proposals for a place and a year. An answer to an earlier choice is ignored. `turned`: days whose preselection was changed. */
function useProposals(id: number, year: number, place: Place) {
  const language = useLanguage()
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [tries, setTries] = useState(0)
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry loads again
  useEffect(() => {
    let late = false
    api.companyHours.proposeHolidays({ params: { id }, query: { year, language, ...place } }).then(
      (found) => {
        if (late) return
        setError(null)
        setAnswer({ to: place, year, proposed: found })
        setTurned(new Set())
      },
      (fault) => !late && setError(fault),
    )
    return () => {
      late = true
    }
  }, [id, year, language, place, tries])
  const turn = (date: string) => setTurned(turned.has(date) ? turned.difference(new Set([date])) : turned.union(new Set([date])))
  return { answer, error, retry: () => setTries(tries + 1), turned, turn }
}

/** The country, and its state if the country has any. */
function PlaceFields({ proposed, place, onChange }: { proposed: Proposed | null; place: Place; onChange: (place: Place) => void }) {
  const t = useWords(hoursWords)
  const language = useLanguage()
  const named = (code: string) => new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code
  const countries = (proposed?.countries ?? []).map((value) => ({ value, label: named(value) }))
  return (
    <>
      <Choice
        label={t('country')}
        value={proposed?.country ?? ''}
        options={countries.toSorted((a, b) => a.label.localeCompare(b.label, language))}
        onChange={(country) => onChange({ country })}
      />
      {proposed && proposed.states.length > 0 && (
        <Choice
          label={t('state')}
          value={place.state ?? ''}
          options={[{ value: '', label: t('wholeCountry') }, ...proposed.states.map(({ code, name }) => ({ value: code, label: name }))]}
          onChange={(state) => onChange({ country: proposed.country, ...(state !== '' && { state }) })}
        />
      )}
    </>
  )
}

type ChoiceProps = { label: string; value: string | number; options: HTMLSelectProps['options']; onChange: (value: string) => void }
function Choice({ label, value, options, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <FormGroup label={label} labelFor={id}>
      <HTMLSelect
        fill
        id={id}
        value={value}
        {...(options && { options })}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </FormGroup>
  )
}

type DaysProps = { days: Proposed['days']; there: ReadonlySet<string>; turned: ReadonlySet<string>; onTurn: (date: string) => void }
/** `there`: days that the company has already. */
function Days({ days, there, turned, onTurn }: DaysProps) {
  const t = useWords(hoursWords)
  const language = useLanguage()
  return (
    <ul className={css.days}>
      {days.map(({ date, name, official }) => (
        <li key={date}>
          <Checkbox checked={there.has(date) || official !== turned.has(date)} disabled={there.has(date)} onChange={() => onTurn(date)}>
            <span className="nums">{calendarDay(date, language)}</span> <span dir="auto">{name}</span>
            <span className={css.quiet}>{there.has(date) ? t('alreadyThere') : official ? '' : t('notByLaw')}</span>
          </Checkbox>
        </li>
      ))}
    </ul>
  )
}
