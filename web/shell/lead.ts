import { endAtom } from '#web/message/atoms.ts'
import { store } from '#web/session.ts'
import { jumpTo } from '#web/ticket/list/Hit.tsx'
import type { Failed } from './failed.ts'

/** Shows an undelivered message in its conversation: at its place, or at the end among the pending ones. */
export function toFailed(one: Failed): void {
  if (one.by === 'channel') void jumpTo(one.ticketId, one.message.id)
  else store.set(endAtom, { ticketId: one.ticketId })
}
