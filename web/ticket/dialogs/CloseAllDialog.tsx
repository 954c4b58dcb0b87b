import { useAtomValue, useSetAtom } from 'jotai'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { listAtom } from '#web/ticket/atoms.ts'
import { queueChoices } from '#web/ticket/choices.ts'
import { tabWords, ticketWords } from '#web/ticket/words.ts'
import { Chip } from '#web/ui/Chip.tsx'
import { Confirm } from '#web/ui/Confirm.tsx'
import { toast } from '#web/ui/toaster.ts'
import type { Shown } from './Dialogs.tsx'

/** R-TICKET-18: the tab's status and the chosen queues; without a choice, every queue there is. */
export function CloseAllDialog({ of: { tab, choice }, close }: Shown<'closeAll'>) {
  const say = useWords(ticketWords)
  const sayTab = useWords(tabWords)
  const queues = useAtomValue(queueChoices.all).filter(({ id }) => choice.queueIds.length === 0 || choice.queueIds.includes(id))
  const list = useAtomValue(listAtom)
  const reload = useSetAtom(list!.reload)
  const status = tab === 'pending' || tab === 'group' ? tab : 'open'
  return (
    <Confirm
      title={say('closeAll')}
      verb={say('closeAll')}
      onClose={close}
      onConfirm={async () => {
        const { count } = await api.tickets.closeAll({ body: { status, selectedQueueIds: queues.map(({ id }) => id) } })
        toast(say('closedAll', { n: count }))
        void reload()
      }}
      question={
        <>
          <p className="dialog-text">{say('closeAllText', { tab: sayTab(tab) })}</p>
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
