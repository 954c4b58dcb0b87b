import { atom, useAtomValue } from 'jotai'
import { minuteMs } from '#domain/duration/rules.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { settingsAtom } from '#web/session.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { full, span } from '#web/ui/moment.ts'
import { nowAtom } from '#web/ui/now.ts'
import { type Limits, urgency } from './urgency.ts'
import css from './Waited.module.css'

/** The limits of the company. */
export const limitsAtom = atom((get): Limits => {
  const { waitingDueMinutes, waitingLateMinutes } = get(settingsAtom)
  return { due: Number(waitingDueMinutes), late: Number(waitingLateMinutes) }
})

/** The waiting time up to now or to `until`, coloured by its length. */
export function Waited({ since, until }: { since: string; until?: string }) {
  const t = useWords(ticketWords)
  const language = useLanguage()
  const limits = useAtomValue(limitsAtom)
  const now = useAtomValue(nowAtom)
  const minutes = Math.max(0, Math.floor(((until ? Date.parse(until) : now) - Date.parse(since)) / minuteMs))
  const text = span(minutes, language)
  return (
    <time
      className={`${css.waited} nums`}
      data-part="waited"
      dateTime={since}
      data-urgency={urgency(minutes, limits)}
      title={`${t('waits', { span: text })} · ${full(since, language)}`}
    >
      <span className="hidden-but-read">{t('waits', { span: text })}</span>
      <span aria-hidden>{text}</span>
    </time>
  )
}
