import { getDefaultStore } from 'jotai'
import type { MessageRow } from '#domain/message/contract.ts'
import type { Collection } from '#web/live.ts'

const store = getDefaultStore()

type Until = { most?: number; wanted?: () => boolean }
/** Loads older pages of a conversation until a message stands in it; whether it does. `most`: pages that are worth waiting for. */
export async function bring(list: Collection<MessageRow>, id: number, { most = 25, wanted = () => true }: Until = {}): Promise<boolean> {
  const there = () => store.get(list.ids).includes(id)
  for (let asked = 0; !there() && store.get(list.hasMore) && asked < most && wanted(); asked++) {
    await store.set(list.more)
    if (store.get(list.error) !== null) break // the line is away, or the ticket out of sight: the next page would not come either
  }
  return there()
}
