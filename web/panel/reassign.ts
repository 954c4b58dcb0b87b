import { useSetAtom } from 'jotai'
import { isStored } from '#domain/answers.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { api } from '#web/api.ts'
import { translate } from '#web/i18n.ts'
import { store } from '#web/session.ts'
import { change } from '#web/ticket/actions.ts'
import { userChoices } from '#web/ticket/choices.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { toastUndo } from '#web/ui/toaster.ts'
import { panelTickets } from './atoms.ts'

/** Transfers a ticket to another agent, and offers to undo it: into its own queue, or into the first queue of the agent if it has none or the agent is not in it. */
export function useReassign() {
  const apply = useSetAtom(panelTickets.apply)
  const act = useAsyncAction()
  return (ticketId: number, userId: number) =>
    void act(async () => {
      const ticket = store.get(panelTickets.all).find(({ id }) => id === ticketId)
      const agent = store.get(userChoices.all).find(({ id }) => id === userId)
      if (!ticket || !agent || ticket.userId === userId) return
      const queueId = queueFor(ticket, agent.queues)
      const row = await change(ticket, { isTransfered: true, userId, queueId, msgTransfer: null })
      apply([{ op: 'put', row }])
      const done = translate(ticketWords, 'transferredTo', { name: ticket.contact.name, whom: agent.name })
      toastUndo(done, translate(ticketWords, 'undo'), async () => {
        const answer = await api.tickets.undo({ params: { id: ticketId }, body: row.id === ticketId ? { seen: row.revision } : {} })
        const back = isStored(answer) ? { ...ticket, revision: answer.revision } : answer
        apply([{ op: 'put', row: back }])
      })
    })()
}
const queueFor = ({ queueId }: TicketRow, queues: { id: number }[]): number | null =>
  queueId !== null && queues.some(({ id }) => id === queueId) ? queueId : (queues[0]?.id ?? queueId)
