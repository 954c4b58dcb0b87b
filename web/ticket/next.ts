import { atom } from 'jotai'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { meAtom, store } from '#web/session.ts'
import { listAtom } from './atoms.ts'

const turned = atom(0)
const shelf = (id: number | undefined) => `next-after-resolving-${id ?? 0}`
/** Whether the next ticket opens after one is resolved; stored per user on this device. */
export const opensNextAtom = atom(
  (get) => {
    get(turned)
    return localStorage.getItem(shelf(get(meAtom)?.id)) === 'on'
  },
  (get, set, on: boolean) => {
    localStorage.setItem(shelf(get(meAtom)?.id), on ? 'on' : 'off')
    set(turned, (n) => n + 1)
  },
)

/**
 * The next ticket below that can be answered, else the first such ticket. Call it before the ticket leaves the
 * list.
 */
export function nextAfter({ id }: TicketRow, mayAnswer: (row: TicketRow) => boolean): TicketRow | null {
  const list = store.get(listAtom)
  if (!list || !store.get(opensNextAtom)) return null
  const rows = store.get(list.ids).map((one) => store.get(list.row(one)))
  const at = rows.findIndex((row) => row.id === id)
  const mayBe = (row: TicketRow) => row.id !== id && mayAnswer(row)
  return rows.slice(at + 1).find(mayBe) ?? rows.find(mayBe) ?? null
}
