import { type Atom, getDefaultStore, type WritableAtom } from 'jotai'
import { atomFamily } from 'jotai-family'
import { viewer } from '#web/session.ts'
import { createSessionStorageAtom } from '#web/ui/session-storage-atom.ts'
import { drafts, type Mode, modes } from './drafts.ts'

/**
 * Text that was submitted before its ticket had loaded. It is sent once the ticket is loaded, or returns to the
 * draft (A-COMP-20).
 */
export type Early = { mode: Mode; body: string }
export const earlyOf = atomFamily(
  (uuid: string): WritableAtom<Early[], [Early[]], void> => createSessionStorageAtom<Early[]>(`early-${viewer().id}-${uuid}`, []),
)

/**
 * The drafts of the signed-in user; another user starts with a new page. Opened on first use, because nobody is
 * signed in when this file loads.
 */
const openOwn = (userId: number) => ({ ...drafts(localStorage, userId, window), modeOf: modes(sessionStorage, localStorage, userId) })
let opened: ReturnType<typeof openOwn> | undefined
const own = () => (opened ??= openOwn(viewer().id))
export const draftOf = (uuid: string, mode: Mode) => own().draftOf(uuid, mode)
/** The text that another tab wrote for the ticket while this one has its own. */
export const otherTabOf = (uuid: string, mode: Mode) => own().otherTabOf(uuid, mode)
export const modeOf = (uuid: string) => own().modeOf(uuid)

const store = getDefaultStore()
const read = <Value>(from: Atom<Value>): Value => {
  store.sub(from, () => {})() // a short subscription reads the value that other tabs stored, even if nothing shows it
  return store.get(from)
}
/** The current draft of a ticket, even if nothing shows it. */
export const draftNow = (uuid: string, mode: Mode) => read(draftOf(uuid, mode))

/** Removes and returns the texts that wait for a ticket, so that each is sent once. */
export function takeEarly(uuid: string): Early[] {
  const early = store.get(earlyOf(uuid))
  if (early.length > 0) store.set(earlyOf(uuid), [])
  return early
}
/** The agent left before the ticket had loaded: nothing is sent, and the texts return to the draft. */
export function returnEarly(uuid: string): void {
  for (const { mode, body } of takeEarly(uuid).toReversed()) {
    const draft = draftNow(uuid, mode)
    store.set(draftOf(uuid, mode), { body: [body, draft.body].filter(Boolean).join('\n') })
  }
}
