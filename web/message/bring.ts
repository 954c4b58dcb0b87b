import { getDefaultStore } from 'jotai'
import type { MessageRow } from '#domain/message/contract.ts'
import type { Collection } from '#web/live.ts'

const store = getDefaultStore()

type Until = { most?: number; wanted?: () => boolean }
/**
 * Loads older pages until the conversation contains a message; resolves to whether it does. `most`: maximum number
 * of pages.
 */
export async function bring(list: Collection<MessageRow>, id: number, { most = 25, wanted = () => true }: Until = {}): Promise<boolean> {
  const there = () => store.get(list.ids).includes(id)
  for (let asked = 0; !there() && store.get(list.hasMore) && asked < most && wanted(); asked++) {
    await store.set(list.more)
    if (store.get(list.error) !== null) break // without a connection or access the next page would fail too
  }
  return there()
}
