import { Button } from '@blueprintjs/core'
import { ChevronRight, Circle, TickCircle } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { type ReactNode, useId } from 'react'
import { Link } from 'wouter'
import type { StepName } from '#domain/checklist/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { sandboxExistsAtom } from '#web/sandbox/exists.ts'
import { useSettings } from '#web/session.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { toastUndo } from '#web/ui/toaster.ts'
import { stepsAtom } from './atoms.ts'
import css from './Checklist.module.css'
import { checklistWords, hintWords, stepWords } from './words.ts'

const setTo = (value: 'enabled' | 'disabled') => api.settings.set({ params: { key: 'firstSteps' }, body: { value } })

/** The open steps, or `children` when there are none. */
export function Steps({ children }: { children: ReactNode }) {
  const t = useWords(checklistWords)
  const tStep = useWords(stepWords)
  const tHint = useWords(hintWords)
  const steps = useAtomValue(stepsAtom)
  const simulated = useAtomValue(sandboxExistsAtom)
  const act = useAsyncAction()
  const { scheduleType } = useSettings()
  /** Hours are set, but no text for the time outside of them. */
  const lacksText = scheduleType !== 'disabled'
  const id = useId()
  if (steps.length === 0) return children
  const places: Record<StepName, string> = {
    ...{ team: '/users', queue: '/queues', connection: '/connections', greeting: '/connections', hours: '/settings' },
    ...(lacksText && { hours: scheduleType === 'queue' ? '/queues' : '/connections' }),
    test: simulated ? '/sandbox' : '/connections', // shows the number that a real phone writes to
  }
  const hide = act(async () => {
    await setTo('disabled')
    toastUndo(t('hidden'), t('undo'), () => setTo('enabled'))
  })
  return (
    <section className={css.card} aria-labelledby={id}>
      <h2 id={id}>{t('title')}</h2>
      <p className={css.lead}>{t('lead', { done: steps.filter(({ done }) => done).length, all: steps.length })}</p>
      <ol>
        {steps.map(({ step, done }) => (
          <li key={step} data-step={step} data-done={done || undefined}>
            <Link href={places[step]}>
              {done ? <TickCircle className={css.done ?? ''} title={t('done')} /> : <Circle className={css.open ?? ''} />}
              <span className={css.text}>
                <strong>{tStep(step)}</strong>
                {!done && <small>{tHint(step === 'hours' && lacksText ? 'hoursText' : step)}</small>}
              </span>
              <ChevronRight className={css.open ?? ''} />
            </Link>
          </li>
        ))}
      </ol>
      <Button variant="minimal" size="small" text={t('hide')} disabled={act.pending} onClick={() => void hide()} />
    </section>
  )
}
