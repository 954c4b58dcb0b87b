import { atom } from 'jotai'
import { hasLeft, type Sending } from './unsent.ts'

/** Time after which a message in flight is shown as undelivered. */
export const undeliveredAfterMs = 2000

/** Undelivered messages that the user should know of. The outbox sets this; it loads with the first chat. */
export const undeliveredAtom = atom<readonly Sending[]>([])

/** The unsent messages that failed or take long, and when to check again. */
export function delayedMessages(sent: readonly Sending[], now: number): { late: Sending[]; again: number | null } {
  const all = sent.filter((item) => !hasLeft(item))
  const due = ({ at }: Sending) => Date.parse(at) + undeliveredAfterMs
  const late = all.filter((item) => item.state === 'failed' || due(item) <= now)
  const young = all.filter((item) => !late.includes(item))
  return { late, again: young.length === 0 ? null : Math.max(0, Math.min(...young.map(due)) - now) }
}
