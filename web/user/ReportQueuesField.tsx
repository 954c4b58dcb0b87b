import { useAtomValue } from 'jotai'
import { useWatch } from 'react-hook-form'
import { useWords } from '#web/i18n.ts'
import { queueChoices } from '#web/ticket/choices.ts'
import { AllOrManyField } from './fields.tsx'
import { fieldsOfUser, userWords } from './words.ts'

type Watched = { profile: string; showDashboard: string; allowRealTime: string; queueIds: number[]; reportQueueIds: number[] | null }

/** The queues that dashboard, panel and report show, for a user who may open one of them and is no admin (A-VIS-04). */
export function ReportQueuesField() {
  const t = useWords(userWords)
  const tFieldsOfUser = useWords(fieldsOfUser)
  const queues = useAtomValue(queueChoices.all)
  const { profile, showDashboard, allowRealTime, queueIds, reportQueueIds } = useWatch<Watched>() as Watched
  if (profile === 'admin' || (showDashboard !== 'enabled' && allowRealTime !== 'enabled')) return null
  return (
    <AllOrManyField
      name="reportQueueIds"
      label={tFieldsOfUser('reportQueueIds')}
      {...(reportQueueIds !== null && { hint: t(reportQueueIds.length === 0 ? 'noReportQueues' : 'reportQueuesHint') })}
      choices={queues}
      all={t('allQueues')}
      empty={t('noQueues')}
      first={queueIds}
    />
  )
}
