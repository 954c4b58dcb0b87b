import { useSetAtom } from 'jotai'
import { useRef } from 'react'
import { isStored } from '#domain/answers.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { viewer } from '#web/session.ts'
import { applyTicket } from '#web/ticket/atoms.ts'
import { awaitTicket } from '#web/ticket/optimistic.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import type { Days } from '#web/ui/FilterBar.tsx'
import { toast, toastUndo } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { boards } from './atoms.ts'
import type { Lanes } from './lanes.ts'
import { kanbanWords } from './words.ts'

/** Moves a ticket to another lane and offers to undo it. `applied`: receives the changed row. Resolves to whether it succeeded. */
export function useLaneMove({ stages, laneOf }: Lanes, applied: (row: TicketRow) => void = () => {}) {
  const t = useWords(kanbanWords)
  const tUi = useWords(uiWords)
  const act = useAsyncAction()

  async function put(ticket: TicketRow, laneId: number | null): Promise<void> {
    const params = { ticketId: ticket.id }
    const answer = await (laneId === null ? api.kanban.leave({ params }) : api.kanban.enter({ params: { ...params, tagId: laneId } }))
    const row = isStored(answer) ? awaitTicket({ ...ticket, laneId, revision: answer.revision }, viewer()) : answer
    applyTicket(row)
    applied(row)
  }
  return (ticket: TicketRow, to: number | null): Promise<boolean> => {
    const before = laneOf(ticket)
    const lane = stages.find(({ id }) => id === to)!.name
    return act(async () => {
      await put(ticket, to)
      if (before !== null && to !== null) toast(t('left')) // R-KANBAN-02
      const moved = t('moved', { name: ticket.contact.name, lane })
      toastUndo(`${t(to === null ? 'left' : 'entered')} ${moved}`, tUi('undo'), () => put(ticket, before))
    })()
  }
}

/** Moves a card of the board. */
export function useCardMove(days: Days, lanes: Lanes) {
  const apply = useSetAtom(boards(days).apply)
  const moving = useRef<{ id: number; to: number | null } | null>(null)
  const moveTicket = useLaneMove(lanes, (row) => apply([{ op: 'put', row }]))
  const move = (ticket: TicketRow, to: number | null) => {
    if (lanes.laneOf(ticket) === to) return
    moving.current = { id: ticket.id, to }
    void moveTicket(ticket, to).then((isDone) => {
      if (!isDone) moving.current = null
    })
  }
  /** A moved card gets the focus at its new place. */
  const landed = (card: HTMLElement | null, id: number, at: number | null) => {
    if (!card || moving.current?.id !== id || moving.current.to !== at) return
    moving.current = null
    card.focus()
  }
  return { move, landed }
}
