import { Button, Checkbox, DialogBody, DialogFooter, FormGroup, HTMLSelect } from '@blueprintjs/core'
import { useEffect, useId, useState } from 'react'
import type { CompanyHours, Holiday, ProposedHolidays as Proposed } from '#domain/company/contract.ts'
import { api } from '#web/api.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { calendarDay } from '#web/ui/moment.ts'
import { useReturnFocus } from '#web/ui/returnFocus.ts'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import { uiWords } from '#web/ui/words.ts'
import css from './ProposedHolidays.module.css'
import { hoursWords } from './words.ts'

type Props = { hours: CompanyHours; onAdd: (days: Holiday[]) => Promise<void>; onClose: () => void }

/** The holidays of a country, a state and a year to choose from. Statutory ones are preselected. */
export function ProposedHolidays({ hours, onAdd, onClose }: Props) {
  const t = useWords(hoursWords)
  const tUi = useWords(uiWords)
  const act = useAsyncAction()
  const id = useId()
  const language = useLanguage()
  useReturnFocus()
  const [thisYear] = useState(() => new Date().getFullYear())
  const [year, setYear] = useState(thisYear)
  const [place, setPlace] = useState<{ country?: string; state?: string }>({})
  const [answer, setAnswer] = useState<{ to: object; year: number; proposed: Proposed } | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [tries, setTries] = useState(0)
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry loads again
  useEffect(() => {
    let late = false
    api.companyHours.proposeHolidays({ params: { id: hours.id }, query: { year, language, ...place } }).then(
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
  }, [hours.id, year, language, place, tries])
  const proposed = answer?.proposed ?? null
  const fresh = answer?.to === place && answer.year === year // false while a new request is in flight
  const there = new Set(hours.holidays.map(({ date }) => date))
  const chosen = (fresh ? answer.proposed.days : []).filter(({ date, official }) => !there.has(date) && official !== turned.has(date))
  const add = act(async () => {
    await onAdd(chosen.map(({ date, name }) => ({ date, name })))
    onClose()
  })
  const named = (code: string) => new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code
  const countries = (proposed?.countries ?? []).map((value) => ({ value, label: named(value) }))
  return (
    <Dialog isOpen title={t('propose')} onClose={onClose}>
      <DialogBody>
        <div className={css.place}>
          <FormGroup label={t('country')} labelFor={`${id}-country`}>
            <HTMLSelect
              fill
              id={`${id}-country`}
              value={proposed?.country ?? ''}
              options={countries.toSorted((a, b) => a.label.localeCompare(b.label, language))}
              onChange={({ currentTarget }) => setPlace({ country: currentTarget.value })}
            />
          </FormGroup>
          {proposed && proposed.states.length > 0 && (
            <FormGroup label={t('state')} labelFor={`${id}-state`}>
              <HTMLSelect
                fill
                id={`${id}-state`}
                value={place.state ?? ''}
                options={[
                  { value: '', label: t('wholeCountry') },
                  ...proposed.states.map(({ code, name }) => ({ value: code, label: name })),
                ]}
                onChange={({ currentTarget: { value } }) => setPlace({ country: proposed.country, ...(value !== '' && { state: value }) })}
              />
            </FormGroup>
          )}
          <FormGroup label={t('year')} labelFor={`${id}-year`}>
            <HTMLSelect
              fill
              id={`${id}-year`}
              value={year}
              options={[thisYear, thisYear + 1, thisYear + 2]}
              onChange={({ currentTarget }) => setYear(Number(currentTarget.value))}
            />
          </FormGroup>
        </div>
        {error ? (
          <ErrorView error={error} onRetry={() => setTries(tries + 1)} />
        ) : !fresh ? (
          <Skeleton rows={8} height={28} />
        ) : answer.proposed.days.length === 0 ? (
          <p role="status">{t('noneKnown')}</p>
        ) : (
          <ul className={css.days}>
            {answer.proposed.days.map(({ date, name, official }) => (
              <li key={date}>
                <Checkbox
                  checked={there.has(date) || official !== turned.has(date)}
                  disabled={there.has(date)}
                  onChange={() => setTurned(turned.has(date) ? turned.difference(new Set([date])) : turned.union(new Set([date])))}
                >
                  <span className="nums">{calendarDay(date, language)}</span> <span dir="auto">{name}</span>
                  <span className={css.quiet}>{there.has(date) ? t('alreadyThere') : official ? '' : t('notByLaw')}</span>
                </Checkbox>
              </li>
            ))}
          </ul>
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
