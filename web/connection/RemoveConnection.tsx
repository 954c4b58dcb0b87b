import type { ConnectionRow } from '#domain/connection/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { connectionWords } from './words.ts'

/** Asks before a connection goes, and says what goes with it (A-CONN-06). */
export function RemoveConnection({ row: { id, name }, onClose }: { row: Pick<ConnectionRow, 'id' | 'name'>; onClose: () => void }) {
  const say = useWords(connectionWords)
  const ui = useWords(uiWords)
  return (
    <Confirm
      title={ui('removeOne', { name })}
      question={say('askRemove')}
      verb={ui('remove')}
      onClose={onClose}
      onConfirm={async () => {
        await api.connections.remove({ params: { id } })
        toast(say('removed'))
      }}
    />
  )
}
