import { Inbox as InboxIcon } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { amount, useLanguage, useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { Empty } from '#web/ui/states.tsx'
import { waitingElsewhereAtom } from './waiting-elsewhere.ts'
import { noneWaitingWords } from './words.ts'

/** The empty waiting list. It says how many tickets wait where the viewer does not see them, and why. */
export function NoneWaiting() {
  const t = useWords(noneWaitingWords)
  const tTicket = useWords(ticketWords)
  const language = useLanguage()
  const { profile, queueIds } = useViewer()
  const { withoutQueue, inOtherQueues } = useAtomValue(waitingElsewhereAtom)
  const noQueue = profile !== 'admin' && queueIds.length === 0
  const isElsewhere = withoutQueue + inOtherQueues > 0
  const counted = (n: number, one: keyof typeof noneWaitingWords, many: keyof typeof noneWaitingWords) =>
    n > 0 && <p>{t(n === 1 ? one : many, { n: amount(n, language) })}</p>
  return (
    <Empty icon={<InboxIcon size={20} />} title={noQueue ? t('noQueue') : isElsewhere ? t('noneForYou') : tTicket('nonePending')}>
      <div data-part="waiting-elsewhere">
        {noQueue && <p>{t('noQueueHint')}</p>}
        {counted(withoutQueue, 'withoutQueueOne', 'withoutQueue')}
        {counted(inOtherQueues, 'inOtherQueuesOne', 'inOtherQueues')}
        {!noQueue && <p>{isElsewhere ? t('askAdmin') : tTicket('noneHint')}</p>}
      </div>
    </Empty>
  )
}
