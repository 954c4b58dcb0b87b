import { getDefaultStore } from 'jotai'
import type { MessageRow } from '#domain/message/contract.ts'
import { ApiError } from '#web/api.ts'
import type { Collection } from '#web/live.ts'
import { jumpAtom } from './atoms.ts'

const store = getDefaultStore()

type Until = { wanted?: () => boolean }
/**
 * Scrolls a conversation to a message. If it is not loaded, the conversation shows the messages around it instead of
 * its end. Resolves to whether the message is shown: not if the reader may not see it or no longer wants it.
 */
export async function showMessage(list: Collection<MessageRow>, id: number, { wanted = () => true }: Until = {}): Promise<boolean> {
  const isThere = () => store.get(list.ids).includes(id)
  if (!isThere()) {
    try {
      await store.set(list.around, id)
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return false
      throw error
    }
  }
  if (!isThere() || !wanted()) return false
  store.set(jumpAtom, (now) => ({ id, n: (now?.n ?? 0) + 1 }))
  return true
}
