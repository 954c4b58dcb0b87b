import { atom } from 'jotai'
import type { Step } from '#domain/checklist/contract.ts'
import { ticketTopic } from '#domain/ticket/topic.ts'
import { api } from '#web/api.ts'
import { live } from '#web/socket.ts'

const known = atom<Step[]>([])
const untested = (steps: Step[]) => steps.some(({ step, done }) => step === 'test' && !done)

/**
 * The finished setup steps. They load when shown, when the window regains focus, and at each ticket until the
 * first message.
 */
export const stepsAtom = atom(
  (get) => get(known),
  async (get, set, why: 'shown' | 'ticket') => {
    // the inbox works without the steps
    if (why === 'shown' || untested(get(known))) set(known, await api.checklist.show().catch(() => get(known)))
  },
)
stepsAtom.onMount = (ask) => {
  const again = () => void ask('shown')
  again()
  window.addEventListener('focus', again)
  const ends = [live.subscribe(ticketTopic.name, () => void ask('ticket')), () => window.removeEventListener('focus', again)]
  return () => {
    for (const end of ends) end()
  }
}
