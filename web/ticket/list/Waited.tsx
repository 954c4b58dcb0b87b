import { useAtomValue } from 'jotai'
import { minuteMs } from '#domain/duration/rules.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { full, span } from '#web/ui/moment.ts'
import { nowAtom } from '#web/ui/now.ts'
import css from './Waited.module.css'

/** Minutes after which a waiting time is marked as due and as late. */
const due = 10
const late = 30
export const urgency = (minutes: number): 'fresh' | 'due' | 'late' => (minutes < due ? 'fresh' : minutes < late ? 'due' : 'late')

/** The waiting time, coloured by its length. */
export function Waited({ since }: { since: string }) {
  const t = useWords(ticketWords)
  const language = useLanguage()
  const minutes = Math.max(0, Math.floor((useAtomValue(nowAtom) - Date.parse(since)) / minuteMs))
  const text = span(minutes, language)
  return (
    <time
      className={`${css.waited} nums`}
      data-part="waited"
      dateTime={since}
      data-urgency={urgency(minutes)}
      title={`${t('waits', { span: text })} · ${full(since, language)}`}
    >
      <span className="hidden-but-read">{t('waits', { span: text })}</span>
      <span aria-hidden>{text}</span>
    </time>
  )
}
