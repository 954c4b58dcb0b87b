import { atom } from 'jotai'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { threadOf } from '#web/message/atoms.ts'

/** Which messages of a conversation are picked to go on together (R-MSG-08); null: nobody picks. */
export const pickedAtom = atom<{ ticketId: number; ids: ReadonlySet<number> } | null>(null)

/** Nothing that was said between two can be said to a third where there is nothing to say. */
export const goesOn = ({ isPrivate, isDeleted, undecryptable, mediaType }: MessageRow): boolean =>
  !isPrivate && !isDeleted && !undecryptable && !['call_log', 'unsupported'].includes(mediaType)

/** Picks one, or takes it back. */
export const pickAtom = atom(null, (get, set, ticketId: number, id: number) => {
  const now = get(pickedAtom)
  const ids = now?.ticketId === ticketId ? now.ids : new Set<number>()
  set(pickedAtom, { ticketId, ids: new Set(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id]) })
})

/** What is picked and still there, in the order in which it was said. */
export const pickedIn = ({ id: ticketId }: Pick<TicketRow, 'id'>) =>
  atom((get): MessageRow[] => {
    const picked = get(pickedAtom)
    if (picked?.ticketId !== ticketId) return []
    const list = threadOf(ticketId)
    return get(list.ids).flatMap((id) => {
      const row = picked.ids.has(id) ? (get(list.row(id)) as MessageRow | null) : null
      return row && goesOn(row) ? [row] : []
    })
  })
