import { atom } from 'jotai'
import { minuteMs } from '#domain/duration/rules.ts'
import { api } from '#web/api.ts'
import { live } from '#web/socket.ts'

const pauseMs = minuteMs
const counted = atom({ withoutQueue: 0, inOtherQueues: 0 })
/**
 * The number of tickets that wait where the viewer does not see them. No frame announces such a ticket, so the
 * number reloads every minute while it is shown.
 */
export const waitingElsewhereAtom = atom(
  (get) => get(counted),
  async (get, set) => set(counted, await api.tickets.waitingElsewhere().catch(() => get(counted))), // the list works without the number
)
waitingElsewhereAtom.onMount = (load) => {
  const reload = () => void load()
  reload()
  const timer = setInterval(reload, pauseMs)
  window.addEventListener('focus', reload)
  const ends = [live.onReconnect(reload), () => window.removeEventListener('focus', reload), () => clearInterval(timer)]
  return () => {
    for (const end of ends) end()
  }
}
