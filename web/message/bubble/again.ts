import type { MessageRow } from '#domain/message/contract.ts'
import { api } from '#web/api.ts'
import { endAtom } from '#web/message/atoms.ts'
import { store } from '#web/session.ts'
import { toastFailure } from '#web/ui/toaster.ts'

const asked = new Set<number>()

/** A message that did not leave goes as a new one, its words, file and quote from where the server keeps them; once, however often it is pressed. */
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
