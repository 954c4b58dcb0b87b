import { FormGroup } from '@blueprintjs/core'
import { useId } from 'react'
import { kanban, onBoard } from '#domain/kanban/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import { useLanes } from '#web/kanban/lanes.ts'
import { useLaneMove } from '#web/kanban/useLaneMove.ts'
import { kanbanWords } from '#web/kanban/words.ts'
import { useMay } from '#web/session.ts'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'

/** The lane of a ticket on the board (R-KANBAN-01). Shown if the plan has the board, the company has lanes and the ticket is on it. */
export function LaneChoice({ ticket }: { ticket: TicketRow }) {
  const sees = useMay(kanban.board)
  return sees && onBoard.includes(ticket.status) ? <Choice ticket={ticket} /> : null
}

function Choice({ ticket }: { ticket: TicketRow }) {
  const t = useWords(kanbanWords)
  const id = useId()
  const may = useMay(kanban.enter)
  const lanes = useLanes()
  const move = useLaneMove(lanes)
  if (lanes.stages.length < 2) return null
  return (
    <FormGroup label={t('lane')} labelFor={id}>
      <HTMLSelect
        id={id}
        fill
        disabled={!may}
        value={lanes.laneOf(ticket) ?? ''}
        options={lanes.stages.map(({ id: lane, name }) => ({ value: lane ?? '', label: name }))}
        onChange={({ currentTarget: { value } }) => void move(ticket, value === '' ? null : Number(value))}
      />
    </FormGroup>
  )
}
