import { useWords } from '#web/i18n.ts'
import { useMe } from '#web/session.ts'
import { Chip } from '#web/ui/Chip.tsx'
import { limitWords } from './limit-words.ts'
import css from './ReportLimit.module.css'

/** Names the queues that the numbers of the screen are limited to, if they are (A-VIS-04). */
export function ReportLimit() {
  const t = useWords(limitWords)
  const queues = useMe().reportQueues
  if (queues === null) return null
  return (
    <p className={css.limit} data-part="report-limit">
      {t(queues.length === 0 ? 'noQueue' : 'limitedTo')}
      {queues.map(({ id, name, color }) => (
        <Chip key={id} name={name} color={color} />
      ))}
    </p>
  )
}
