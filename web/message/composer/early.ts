import { type Atom, getDefaultStore, type WritableAtom } from 'jotai'
import { atomFamily } from 'jotai-family'
import { viewer } from '#web/session.ts'
import { createSessionStorageAtom } from '#web/ui/session-storage-atom.ts'
import { drafts, type Mode, modes } from './drafts.ts'

/** What Enter was pressed for before its ticket had loaded: it leaves once the ticket is there, or goes back into the draft (A-COMP-20). */
export type Early = { mode: Mode; body: string }
export const earlyOf = atomFamily(
  (uuid: string): WritableAtom<Early[], [Early[]], void> => createSessionStorageAtom<Early[]>(`early-${viewer().id}-${uuid}`, []),
)

/** Of who is signed in: another user begins on a new page. This file comes with the first page, before anybody is. */
const openOwn = (userId: number) => ({ draftOf: drafts(localStorage, userId, window), modeOf: modes(sessionStorage, localStorage, userId) })
let opened: ReturnType<typeof openOwn> | undefined
const own = () => (opened ??= openOwn(viewer().id))
export const draftOf = (uuid: string, mode: Mode) => own().draftOf(uuid, mode)
export const modeOf = (uuid: string) => own().modeOf(uuid)

const store = getDefaultStore()
const read = <Value>(from: Atom<Value>): Value => {
  store.sub(from, () => {})() // as the tabs left it, also where it is on no screen
  return store.get(from)
}
/** The draft of a ticket as it is now, also where it is on no screen. */
export const draftNow = (uuid: string, mode: Mode) => read(draftOf(uuid, mode))

/** Takes what waits for a ticket to load, so that it is sent once. */
export function takeEarly(uuid: string): Early[] {
  const early = store.get(earlyOf(uuid))
  if (early.length > 0) store.set(earlyOf(uuid), [])
  return early
}
/** The agent went elsewhere before the ticket had loaded: nothing is sent, and the words stay in its draft. */
export function returnEarly(uuid: string): void {
  for (const { mode, body } of takeEarly(uuid).toReversed()) {
    const draft = draftNow(uuid, mode)
    store.set(draftOf(uuid, mode), { body: [body, draft.body].filter(Boolean).join('\n') })
  }
}
