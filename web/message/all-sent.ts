import { store } from '#web/session.ts'
import { isBlocked } from './outbox.ts'
import { out, returnedKeys } from './sending.ts'
import { hasLeft } from './unsent.ts'

/**
 * Waits until the messages of a ticket that this browser is sending are stored, because an action such as Resolve must
 * not overtake them. Returns false if one of them failed or returned to the draft; earlier failures do not count. `keys`: the
 * messages that were being sent when the action began.
 */
export async function allSent(ticketId: number, keys: readonly string[]): Promise<boolean> {
  const items = out.ofTicket(ticketId)
  const waiting = () => {
    const all = store.get(items)
    return all.filter((item) => item.state !== 'failed' && !hasLeft(item) && !isBlocked(item, all)).map(({ key }) => key)
  }
  const awaited = new Set([...keys, ...waiting()])
  if (waiting().length > 0)
    await new Promise<void>((resolve) => {
      const end = store.sub(items, () => {
        const now = waiting()
        for (const key of now) awaited.add(key)
        if (now.length > 0) return
        end()
        resolve()
      })
    })
  return store.get(items).every((item) => !awaited.has(item.key) || hasLeft(item)) && [...awaited].every((key) => !returnedKeys.has(key))
}
