import { atom } from 'jotai'
import { hasLeft, type Sending } from './unsent.ts'

/** So long a message may be on its way before the list says that it is. */
export const undeliveredAfterMs = 2000

/** What was sent from here and has not left, as far as anybody should know of it; told by the outbox, which comes with the first chat. */
export const undeliveredAtom = atom<readonly Sending[]>([])

/** Of what is on its way, what was refused or takes long; and when to look again. */
export function delayedMessages(sent: readonly Sending[], now: number): { late: Sending[]; again: number | null } {
  const all = sent.filter((item) => !hasLeft(item))
  const due = ({ at }: Sending) => Date.parse(at) + undeliveredAfterMs
  const late = all.filter((item) => item.state === 'failed' || due(item) <= now)
  const young = all.filter((item) => !late.includes(item))
  return { late, again: young.length === 0 ? null : Math.max(0, Math.min(...young.map(due)) - now) }
}
