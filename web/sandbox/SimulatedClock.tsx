import { Button, ButtonGroup } from '@blueprintjs/core'
import { Time as Clock } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { dayMs, hourMs, minuteMs } from '#domain/duration/rules.ts'
import { sandboxClock } from '#domain/sandbox/contract.ts'
import { api } from '#web/api.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { useMay } from '#web/session.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import { date, hour, span } from '#web/ui/moment.ts'
import { aheadAtom, nowAtom } from '#web/ui/now.ts'
import css from './SimulatedClock.module.css'
import { sandboxWords } from './words.ts'

const steps = [10 * minuteMs, hourMs, 8 * hourMs, dayMs, 7 * dayMs]
const move = (advanceMs: number) => api.sandboxClock.advance({ body: { advanceMs } })

/** The simulated time and buttons that move it forward. */
export function SimulatedClock() {
  const t = useWords(sandboxWords)
  const language = useLanguage()
  const act = useAsyncAction()
  const ahead = useAtomValue(aheadAtom)
  const now = new Date(useAtomValue(nowAtom)).toISOString()
  const mayMove = useMay(sandboxClock.advance)
  const [asked, setAsked] = useState<number | null>(null)
  if (!mayMove && ahead === 0) return null
  const name = (ms: number) => `+${span(ms / minuteMs, language)}`
  return (
    <section className={css.clock} aria-label={t('clock')}>
      <p>
        <Clock />
        <span>
          <time dateTime={now}>
            {date(now, language)} {hour(now, language)}
          </time>
          <small>{ahead === 0 ? t('clockReal') : t('clockAhead', { time: span(ahead / minuteMs, language) })}</small>
        </span>
      </p>
      {mayMove && (
        <ButtonGroup>
          {steps.map((ms) => (
            <Button
              key={ms}
              text={name(ms)}
              aria-label={t('clockMove', { time: span(ms / minuteMs, language) })}
              disabled={act.pending}
              onClick={() => (ahead === 0 ? setAsked(ms) : void act(() => move(ms))())}
            />
          ))}
        </ButtonGroup>
      )}
      {asked !== null && (
        <Confirm
          title={t('clockAsk')}
          question={t('clockAskLead')}
          verb={t('clockMove', { time: span(asked / minuteMs, language) })}
          intent="primary"
          onConfirm={() => move(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  )
}
