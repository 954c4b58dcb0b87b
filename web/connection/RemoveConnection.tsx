import { useState } from 'react'
import type { ConnectionRow, ConnectionUse } from '#domain/connection/contract.ts'
import { type ApiError, api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import { Counts } from '#web/ui/Counts.tsx'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { removalWords } from './removal-words.ts'

/** Asks first; of one that is still in use it says how much ends with it, and asks again (A-CONN-06, A-QUEUE-01). */
export function RemoveConnection({ row: { id, name }, onClose }: { row: Pick<ConnectionRow, 'id' | 'name'>; onClose: () => void }) {
  const say = useWords(removalWords)
  const ui = useWords(uiWords)
  const [use, found] = useState<ConnectionUse | null>(null)
  const remove = async () => {
    await api.connections.remove({ params: { id }, query: use ? { release: true } : {} })
    toast(say('removed'))
  }
  const inUse = ({ code, detail }: ApiError) => {
    if (code === 'ERR_WAPP_IN_USE') found(detail as ConnectionUse)
    return code === 'ERR_WAPP_IN_USE'
  }
  const title = ui('removeOne', { name })
  if (!use)
    return (
      <Confirm
        key="ask"
        title={title}
        question={say('askRemove')}
        verb={ui('remove')}
        refused={inUse}
        onClose={onClose}
        onConfirm={remove}
      />
    )
  return (
    <Confirm
      key="use"
      title={title}
      verb={say('endAndRemove')}
      onClose={onClose}
      onConfirm={remove}
      question={
        <>
          <p>{say('askRemoveUsed')}</p>
          <Counts
            of={[
              [say('usedTickets'), use.tickets],
              [say('usedMessages'), use.messages],
              [say('usedPeople'), use.users],
            ]}
          />
        </>
      }
    />
  )
}
