import type { MessageRow } from '#domain/message/contract.ts'
import type { Collection } from '#web/live.ts'
import { store } from '#web/session.ts'

/** Loads older pages of a conversation until a message stands in it; whether it does. `most`: pages that are worth waiting for. */
export async function bring(list: Collection<MessageRow>, id: number, most = 25): Promise<boolean> {
  const there = () => store.get(list.ids).includes(id)
  for (let asked = 0; !there() && store.get(list.hasMore) && asked < most; asked++) await store.set(list.more)
  return there()
}
