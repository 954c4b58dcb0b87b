import { endAtom } from '#web/message/atoms.ts'
import { store } from '#web/session.ts'
import { jumpTo } from '#web/ticket/list/Hit.tsx'
import type { Failed } from './failed.ts'

/** Shows what did not leave in its conversation: where it was said, or at the end, where what waits stands. */
export function toFailed(one: Failed): void {
  if (one.by === 'channel') void jumpTo(one.ticketId, one.message.id)
  else store.set(endAtom, { ticketId: one.ticketId })
}
