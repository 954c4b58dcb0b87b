import { Button } from '@blueprintjs/core'
import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import type { AutomationStep } from '#domain/automation/contract.ts'
import type { ScheduledRuleId } from '#domain/automation/rules.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { Marked } from '#web/message/bubble/Written.tsx'
import { messageWords } from '#web/message/words.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { brief, date, hour } from '#web/ui/moment.ts'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import { Time } from '#web/ui/Time.tsx'
import css from './Automation.module.css'
import { atWords, nextWords } from './next-words.ts'
import { stepsOf } from './steps.ts'
import { automationWords, reasonText, reasonWords, silenceOf, silenceWords } from './words.ts'

/** Shows what the ticket's rules did, each step with its reason, and what they will do next. */
export function Automation({ ticket: { id, revision, status } }: { ticket: TicketRow }) {
  const t = useWords(automationWords)
  const act = useAsyncAction()
  const stepsAtom = stepsOf(id)
  const now = useAtomValue(stepsAtom)
  const reload = useSetAtom(stepsAtom.reload)
  useEffect(() => void (revision >= 0 && reload()), [revision, reload]) // each event of the ticket changes the revision
  useEffect(() => stepsAtom.forget, [stepsAtom])
  if (now.state === 'loading') return <Skeleton rows={2} />
  if (now.state === 'failed') return <ErrorView error={now.error} onRetry={reload} />
  const { steps, next, from } = now.value
  const isWaiting = status === 'pending'
  const handleLoadEarlier = act(() => stepsAtom.earlier().then(reload))
  return (
    <>
      {from > 0 && <Button variant="minimal" size="small" text={t('earlier')} onClick={handleLoadEarlier} />}
      {steps.length === 0 ? (
        <p className={css.none}>{t('none')}</p>
      ) : (
        <ol className={css.steps} aria-label={t('title')}>
          {steps.map((step, n) => (
            <Step key={step.revision} step={step} again={step.answers?.messageId === steps[n - 1]?.answers?.messageId} />
          ))}
        </ol>
      )}
      {status !== 'closed' && (next.length > 0 || isWaiting) && (
        <div className={css.next}>
          <h4>{t('next')}</h4>
          {next.length === 0 && <p className={css.none}>{t('nothingNext')}</p>}
          {next.map((one) => (
            <Next key={one.rule} {...one} />
          ))}
        </div>
      )}
    </>
  )
}

/** `again`: the step answers the same message as the step before, so that message is not repeated. */
function Step({ step, again }: { step: AutomationStep; again: boolean }) {
  const { at, rule, reason, answers, choice, said: messages, text, queue, user, lane } = step
  const t = useWords(automationWords)
  const tReason = useWords(reasonWords)
  const tSilence = useWords(silenceWords)
  const tMessage = useWords(messageWords)
  const silence = silenceOf(reason)
  const words = ({ kind, body, deletedBy }: AutomationStep['said'][number]) =>
    deletedBy ? (
      <em>{tMessage(deletedBy === 'contact' ? 'deletedByContact' : 'deletedByUs')}</em>
    ) : (
      <Marked text={body === '' || kind !== 'chat' ? `${t('file')} ${body}`.trim() : body} />
    )
  return (
    <li className={css.step} data-part="automation" data-rule={rule} data-reason={reason}>
      <p className={css.line}>
        <b>{reasonText(tReason, reason)}</b>
        <Time at={at} className={css.when} />
      </p>
      {answers && !again && (
        <p className={css.quiet}>
          {t(choice ? 'answered' : 'wrote')}: <q>{words(answers)}</q>
          {choice && <> · {t('taken', { n: choice.number, name: choice.name })}</>}
        </p>
      )}
      {messages.length > 0 && (
        <div className={css.quiet}>
          {t('sent')}:
          {messages.map((one) => (
            <q key={one.messageId} className={css.quote}>
              {words(one)}
            </q>
          ))}
        </div>
      )}
      {messages.length === 0 && silence && <p className={css.quiet}>{tSilence(silence)}</p>}
      {text && (
        <p className={css.quiet}>
          {t('text')}: <code>{text}</code>
        </p>
      )}
      <p className={css.quiet}>
        {[
          queue && t('toQueue', { name: queue.name }),
          user && t('toUser', { name: user.name }),
          lane && t('toLane', { name: lane.name }),
          t('rule', { rule }),
        ]
          .filter((part) => part !== null)
          .join(' · ')}
      </p>
    </li>
  )
}

function Next({ rule, dueAt }: { rule: ScheduledRuleId; dueAt: string }) {
  const tNext = useWords(nextWords)
  const tAt = useWords(atWords)
  const language = useLanguage()
  const today = brief(dueAt, language) === hour(dueAt, language)
  const at = tAt(today ? 'today' : 'later', { day: date(dueAt, language), hour: hour(dueAt, language) })
  return (
    <p className={css.due} data-part="automation-next" data-rule={rule}>
      {tNext(rule, { at })}
    </p>
  )
}
