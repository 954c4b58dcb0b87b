import { atom, useAtomValue } from 'jotai'
import { useMemo } from 'react'
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
  // A text: most of the thousands on a board stay as they are when the time passes, and only the others render again
  const shown = useMemo(
    () =>
      atom((get) => {
        const minutes = Math.max(0, Math.floor(((until ? Date.parse(until) : get(nowAtom)) - Date.parse(since)) / minuteMs))
        return `${urgency(minutes, get(limitsAtom))}|${span(minutes, language)}`
      }),
    [since, until, language],
  )
  const [level, text = ''] = useAtomValue(shown).split('|')
  return (
    <time
      className={`${css.waited} nums`}
      data-part="waited"
      dateTime={since}
      data-urgency={level}
      title={`${t('waits', { span: text })} · ${full(since, language)}`}
    >
      <span className="hidden-but-read">{t('waits', { span: text })}</span>
      <span aria-hidden>{text}</span>
    </time>
  )
}
