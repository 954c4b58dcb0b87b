import { Button } from '@blueprintjs/core'
import { History } from '@blueprintjs/icons'
import { useWords } from '#web/i18n.ts'
import { now } from '#web/ui/now.ts'
import { newestStep } from './steps.ts'
import { useMoment } from './use-moment.ts'
import { momentWords } from './words.ts'

/** Leaves the live view for a past moment; the way back is in the bar. */
export function MomentButton() {
  const t = useWords(momentWords)
  const { moment, write } = useMoment()
  if (moment !== null) return null
  return <Button icon={<History />} text={t('open')} data-part="moment-button" onClick={() => write(newestStep(now()))} />
}
