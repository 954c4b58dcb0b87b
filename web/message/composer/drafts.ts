import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'

/** What is typed and not sent, per user and ticket; it survives leaving and reloading. */
export type Draft = { body: string; quoted: number | null; isPrivate: boolean }
export const blank: Draft = { body: '', quoted: null, isPrivate: false }

type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
const key = (userId: number, ticketId: number) => `draft-${userId}-${ticketId}`

export function read(shelf: Shelf | null, userId: number, ticketId: number): Draft {
  try {
    const kept = JSON.parse(shelf?.getItem(key(userId, ticketId)) ?? 'null') as Partial<Draft> | null
    return kept && typeof kept.body === 'string' ? { ...blank, ...kept } : blank
  } catch {
    return blank
  }
}
export function write(shelf: Shelf | null, userId: number, ticketId: number, draft: Draft): void {
  try {
    if (draft.body === '' && draft.quoted === null && !draft.isPrivate) shelf?.removeItem(key(userId, ticketId))
    else shelf?.setItem(key(userId, ticketId), JSON.stringify(draft))
  } catch {
    // a full storage keeps the draft for this page only
  }
}

export const drafts = (shelf: Shelf | null, userId: number) =>
  atomFamily((ticketId: number) => {
    const now = atom(read(shelf, userId, ticketId))
    return atom(
      (get) => get(now),
      (get, set, change: Partial<Draft>) => {
        const next = { ...get(now), ...change }
        set(now, next)
        write(shelf, userId, ticketId, next)
      },
    )
  })

/** Files that wait in the composer, per ticket; they live as long as the page. */
export const filesOf = atomFamily((_: number) => atom<File[]>([]))
