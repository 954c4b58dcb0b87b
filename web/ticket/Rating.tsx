import { rateOf } from '#domain/ticket/rules.ts'
import { useWords } from '#web/i18n.ts'
import css from './Rating.module.css'
import { ticketWords } from './words.ts'

const faces = { 1: '😠', 2: '🙁', 3: '😐', 4: '🙂', 5: '😀' } as const

/** The contact's rating of the service (A-NPS-01). */
export function Rating({ nps }: { nps: number | null }) {
  const t = useWords(ticketWords)
  if (nps === null) return null
  const name = t('ratedOf', { nps: String(nps) })
  return (
    <span className={`${css.rating} nums`} role="img" aria-label={name} title={name}>
      {faces[rateOf(nps)]} {nps}
    </span>
  )
}
