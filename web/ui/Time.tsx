import { useLanguage } from '#web/i18n.ts'
import { brief, clock, date, dayAndHour, dayName, full, hour } from './moment.ts'

const shapes = { brief, hour, clock, date, day: dayName, moment: dayAndHour }

/** A time; the title shows it in full. */
export function Time({ at, as = 'brief', className }: { at: string; as?: keyof typeof shapes; className?: string | undefined }) {
  const language = useLanguage()
  return (
    <time dateTime={at} title={full(at, language)} className={className}>
      {shapes[as](at, language)}
    </time>
  )
}
