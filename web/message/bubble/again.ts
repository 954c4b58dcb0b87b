import type { MessageRow } from '#domain/message/contract.ts'
import { api } from '#web/api.ts'
import { endAtom } from '#web/message/atoms.ts'
import { store } from '#web/session.ts'
import { toastFailure } from '#web/ui/toaster.ts'

const asked = new Set<number>()

/**
 * Sends an undelivered message again as a new one, with its stored text, file and quote. Repeated clicks send it
 * once.
 */
export async function sendAgain({ id, ticketId }: MessageRow): Promise<void> {
  if (asked.has(id)) return
  asked.add(id)
  try {
    await api.messages.again({ params: { id } })
    store.set(endAtom, { ticketId })
  } catch (error) {
    toastFailure(error)
  } finally {
    asked.delete(id)
  }
}
