import { useAtomValue } from 'jotai'
import { useState } from 'react'
import type { QueueRow, QueueUse } from '#domain/queue/contract.ts'
import { type ApiError, api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { queueChoices } from '#web/ticket/choices.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import { Counts } from '#web/ui/Counts.tsx'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { QueueSelect } from './QueueSelect.tsx'
import css from './RetireQueue.module.css'
import { queueWords } from './words.ts'

/** Asks for confirmation. For a queue in use it asks where its tickets go (A-QUEUE-01). */
export function RetireQueue({ queue, onClose }: { queue: QueueRow; onClose: () => void }) {
  const t = useWords(queueWords)
  const tUi = useWords(uiWords)
  const [use, setUse] = useState<QueueUse | null>(null)
  const [moveTo, setMoveTo] = useState<number | null>(null)
  const others = useAtomValue(queueChoices.all).filter(({ id }) => id !== queue.id)
  const target = others.find(({ id }) => id === moveTo)
  const title = tUi('removeOne', { name: queue.name })
  const handleRetire = async () => {
    await api.queues.remove({ params: { id: queue.id }, query: target ? { moveTo: target.id } : {} })
    toast(t('retired'))
  }
  const inUse = ({ code, detail }: ApiError) => {
    if (code === 'ERR_QUEUE_IN_USE') setUse(detail as QueueUse)
    return code === 'ERR_QUEUE_IN_USE'
  }
  if (!use)
    return (
      <Confirm
        key="ask"
        title={title}
        question={
          <>
            <p>{t('warn')}</p>
            <p>{t('thenWhere')}</p>
          </>
        }
        verb={tUi('remove')}
        refused={inUse}
        onClose={onClose}
        onConfirm={handleRetire}
      />
    )
  return (
    <Confirm
      key="move"
      title={title}
      verb={t('moveAndRemove')}
      off={!target}
      onClose={onClose}
      onConfirm={handleRetire}
      question={
        <>
          <p>{t('inUse')}</p>
          <ul className={css.becomes}>
            {(['becomesTickets', 'becomesOptions', 'becomesConnections'] as const).map((what) => (
              <li key={what}>{t(what)}</li>
            ))}
          </ul>
          <Counts of={(['tickets', 'users', 'connections', 'options'] as const).map((what) => [t(what), use[what]])} />
          {others.length === 0 ? (
            <p role="status">{t('noOther')}</p>
          ) : (
            <QueueSelect label={t('moveTo')} queues={others} value={target?.id ?? null} onChange={setMoveTo} />
          )}
        </>
      }
    />
  )
}
