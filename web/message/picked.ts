import { atom } from 'jotai'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { threadOf } from '#web/message/atoms.ts'

/** The selected messages of a conversation (R-MSG-08); null outside selection mode. */
export const pickedAtom = atom<{ ticketId: number; ids: ReadonlySet<number> } | null>(null)

/** Private and deleted messages, and those without readable content, cannot be forwarded. */
export const goesOn = ({ isPrivate, isDeleted, undecryptable, mediaType }: MessageRow): boolean =>
  !isPrivate && !isDeleted && !undecryptable && !['call_log', 'unsupported'].includes(mediaType)

/** Selects a message or removes it from the selection. */
export const pickAtom = atom(null, (get, set, ticketId: number, id: number) => {
  const now = get(pickedAtom)
  const ids = now?.ticketId === ticketId ? now.ids : new Set<number>()
  set(pickedAtom, { ticketId, ids: new Set(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id]) })
})

/** The selected messages that still exist, in order of the conversation. */
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
