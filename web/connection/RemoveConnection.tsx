import { useState } from 'react'
import type { ConnectionRow, ConnectionUse } from '#domain/connection/contract.ts'
import { type ApiError, api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import { Counts } from '#web/ui/Counts.tsx'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { removalWords } from './removal-words.ts'

/**
 * Asks for confirmation. For a connection in use it shows what ends with it and asks again (A-CONN-06,
 * A-QUEUE-01).
 */
export function RemoveConnection({ row: { id, name }, onClose }: { row: Pick<ConnectionRow, 'id' | 'name'>; onClose: () => void }) {
  const t = useWords(removalWords)
  const tUi = useWords(uiWords)
  const [use, setUse] = useState<ConnectionUse | null>(null)
  const handleRemove = async () => {
    await api.connections.remove({ params: { id }, query: use ? { release: true } : {} })
    toast(t('removed'))
  }
  const inUse = ({ code, detail }: ApiError) => {
    if (code === 'ERR_WAPP_IN_USE') setUse(detail as ConnectionUse)
    return code === 'ERR_WAPP_IN_USE'
  }
  const title = tUi('removeOne', { name })
  if (!use)
    return (
      <Confirm
        key="ask"
        title={title}
        question={t('askRemove')}
        verb={tUi('remove')}
        refused={inUse}
        onClose={onClose}
        onConfirm={handleRemove}
      />
    )
  return (
    <Confirm
      key="use"
      title={title}
      verb={t('endAndRemove')}
      onClose={onClose}
      onConfirm={handleRemove}
      question={
        <>
          <p>{t('askRemoveUsed')}</p>
          <Counts
            of={[
              [t('usedTickets'), use.tickets],
              [t('usedMessages'), use.messages],
              [t('usedPeople'), use.users],
            ]}
          />
        </>
      }
    />
  )
}
