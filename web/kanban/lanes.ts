import { useAtomValue } from 'jotai'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import { laneChoices } from './atoms.ts'
import type { Stage } from './Lane.tsx'
import { kanbanWords } from './words.ts'

/** The columns of the board, first the one of tickets without a lane, and the lane of a ticket. */
export type Lanes = { stages: Stage[]; laneOf: (ticket: TicketRow) => number | null }
export function useLanes(): Lanes {
  const t = useWords(kanbanWords)
  const lanes = useAtomValue(laneChoices.all)
  return {
    stages: [{ id: null, name: t('noLane'), color: null }, ...lanes.map(({ id, name, color }) => ({ id, name, color }))],
    laneOf: ({ laneId }) => (lanes.some(({ id }) => id === laneId) ? laneId : null),
  }
}
