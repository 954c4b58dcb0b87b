import { atom } from 'jotai'
import type { Step } from '#domain/checklist/contract.ts'
import { ticketTopic } from '#domain/ticket/topic.ts'
import { api } from '#web/api.ts'
import { live } from '#web/socket.ts'

const known = atom<Step[]>([])
const untested = (steps: Step[]) => steps.some(({ step, done }) => step === 'test' && !done)

/** What a new company has set up: asked for when it is shown, when one comes back to the window, and at each ticket until the first message. */
export const stepsAtom = atom(
  (get) => get(known),
  async (get, set, why: 'shown' | 'ticket') => {
    if (why === 'shown' || untested(get(known))) set(known, await api.checklist.show().catch(() => get(known))) // the inbox stands without it
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
