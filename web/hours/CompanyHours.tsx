import { Button } from '@blueprintjs/core'
import { useEffect, useId, useState } from 'react'
import type { CompanyHours as Hours } from '#domain/company/contract.ts'
import type { Schedules } from '#domain/hours/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import { toast, toastFailure } from '#web/ui/toaster.ts'
import css from './CompanyHours.module.css'
import { Holidays, type OfCompany } from './Holidays.tsx'
import { HoursEditor } from './HoursEditor.tsx'
import { hoursProblem, hoursWords } from './words.ts'

/** The opening hours and the holidays of the company. */
export function CompanyHours() {
  const { companyId } = useViewer()
  const [hours, setHours] = useState<Hours | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry loads again
  useEffect(() => {
    api.companyHours.find({ params: { id: companyId } }).then((found) => {
      setError(null)
      setHours(found)
    }, setError)
  }, [companyId, tries])
  if (error) return <ErrorView error={error} onRetry={() => setTries(tries + 1)} />
  if (!hours) return <Skeleton rows={7} height={36} />
  return (
    <>
      <Week hours={hours} onChange={setHours} />
      <Holidays hours={hours} onChange={setHours} />
    </>
  )
}
function Week({ hours, onChange }: OfCompany) {
  const t = useWords(hoursWords)
  const act = useAsyncAction()
  const id = useId()
  const [draft, setDraft] = useState<Schedules>(hours.schedules)
  const changed = JSON.stringify(draft) !== JSON.stringify(hours.schedules)
  const params = { id: hours.id }
  const save = act(
    async () => {
      const saved = await api.companyHours.setSchedules({ params, body: { schedules: draft, version: hours.version } })
      onChange(saved)
      setDraft(saved.schedules)
    },
    {
      done: t('saved'),
      refused({ code }) {
        if (code !== 'ERR_ROW_CHANGED') return false
        void api.companyHours.find({ params }).then(onChange, toastFailure) // the edits stay and may be saved over the colleague's version
        toast(t('theirs'), 'warning')
        return true
      },
    },
  )
  return (
    <section className={css.part} aria-labelledby={id}>
      <h2 id={id}>{t('companyHours')}</h2>
      <p className={css.hint}>{t('unused')}</p>
      <HoursEditor value={draft} onChange={setDraft} />
      <div className={css.foot}>
        {changed && <span role="status">{t('rememberToSave')}</span>}
        <Button
          intent="primary"
          text={t('save')}
          loading={act.pending}
          disabled={!changed || hoursProblem(draft) !== null}
          onClick={() => void save()}
        />
      </div>
    </section>
  )
}
