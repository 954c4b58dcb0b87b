import { atom } from 'jotai'
import { keptPlaces } from '#web/message/composer/cupboard.ts'
import { keptDrafts } from '#web/message/composer/drafts.ts'
import { hasLeft, unsent } from '#web/message/unsent.ts'
import { signOut, store, viewer } from '#web/session.ts'

/** What somebody began and has not sent: to whom, and how it begins. */
export type Begun = { ticketId: number; to: string; body: string }

/** Signing out waits for an answer: something of theirs would be lost by it. */
export const leavingAtom = atom(false)

/** Words and files that stand in composers. */
export async function begun(): Promise<Begun[]> {
  const { id } = viewer()
  const drafts = keptDrafts(localStorage, id)
  const files = (await keptPlaces(id)).filter((ticketId) => !drafts.some((draft) => draft.ticketId === ticketId))
  return [...drafts.filter(({ body }) => body.trim() !== ''), ...files.map((ticketId) => ({ ticketId, to: '', body: '' }))]
}

/** Signs out at once only where nothing is lost by it. */
export async function askToSignOut(): Promise<void> {
  const left = unsent(localStorage, viewer().id).filter((item) => !hasLeft(item)).length + (await begun()).length
  if (left === 0) return signOut()
  store.set(leavingAtom, true)
}
