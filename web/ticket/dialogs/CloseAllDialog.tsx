import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import type { QueueRow } from '#domain/queue/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { listAtom } from '#web/ticket/atoms.ts'
import { queueChoices } from '#web/ticket/choices.ts'
import type { Tab } from '#web/ticket/list/wanted.ts'
import { tabWords } from '#web/ticket/list/words.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { Chip } from '#web/ui/Chip.tsx'
import { Confirm } from '#web/ui/Confirm.tsx'
import { loaded } from '#web/ui/loaded.ts'
import { toastUndo } from '#web/ui/toaster.ts'
import type { Shown } from './dialog.ts'

/** R-TICKET-18: the tab's status and the chosen queues, whoever serves; without a choice, every queue there is. How many is said before. */
export function CloseAllDialog({ of: { tab, choice }, close }: Shown<'closeAll'>) {
  const queues = useAtomValue(queueChoices.all).filter(({ id }) => choice.queueIds.length === 0 || choice.queueIds.includes(id))
  return <Asking key={queues.length} tab={tab} queues={queues} close={close} />
}

function Asking({ tab, queues, close }: { tab: Tab; queues: QueueRow[]; close: () => void }) {
  const say = useWords(ticketWords)
  const sayTab = useWords(tabWords)
  const list = useAtomValue(listAtom)
  const reload = useSetAtom(list!.reload)
  const status = tab === 'pending' || tab === 'group' ? tab : 'open'
  const chosen = JSON.stringify(queues.map(({ id }) => id))
  const [counting] = useState(() => loaded(() => api.tickets.countAll({ query: { status, selectedQueueIds: chosen } })))
  const counted = useAtomValue(counting)
  const n = counted.state === 'ready' ? counted.value.count : null
  return (
    <Confirm
      title={say('closeAll')}
      verb={n ? say('closeCount', { n }) : say('closeAll')}
      waits={counted.state === 'loading'}
      off={n === 0}
      onClose={close}
      onConfirm={async () => {
        const { count: closed, batch } = await api.tickets.closeAll({ body: { status, selectedQueueIds: JSON.parse(chosen) as number[] } })
        toastUndo(closed === 1 ? say('closedOne') : say('closedAll', { n: closed }), say('undo'), async () => {
          await api.tickets.undoAll({ body: { batch } })
          await reload()
        })
        void reload()
      }}
      question={
        <>
          <p className="dialog-text">{n === 0 ? say('closeNone') : say('closeAllText', { tab: sayTab(tab) })}</p>
          <p className="dialog-chips">
            {queues.map(({ id, name, color }) => (
              <Chip key={id} name={name} color={color} />
            ))}
          </p>
        </>
      }
    />
  )
}
