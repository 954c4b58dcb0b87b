import { useMemo } from 'react'
import { listsAgent, reportsOn, type Viewer } from '#domain/access.ts'
import type { UserRow } from '#domain/user/contract.ts'
import { useViewer, viewer } from '#web/session.ts'
import { createLruCache } from '#web/ui/lru-cache.ts'

/** As `createLruCache`, but apart for each limit of the viewer, so that a change of the limit shows no number of before (A-VIS-04). */
export function createLimitedCache<Key, Thing>(make: (key: Key) => Thing): (key: Key) => Thing {
  const cache = createLruCache(({ key }: { key: Key; limit: number[] | null }) => make(key))
  return (key) => cache({ key, limit: viewer().reportQueueIds })
}

/** Which queues and agents the filters offer to the viewer: all, or those of the limit. */
export function useOffered() {
  const viewer = useViewer()
  return useMemo(() => offeredTo(viewer), [viewer])
}
const offeredTo = (viewer: Viewer) => ({
  isLimited: viewer.reportQueueIds !== null,
  queue: ({ id }: { id: number }): boolean => reportsOn(viewer, id),
  /** `hasTickets`: whether the user has a ticket on the screen, which has queues of the limit only. */
  agent: (user: Pick<UserRow, 'profile' | 'queues'>, hasTickets: boolean): boolean => listsAgent(viewer, user, hasTickets),
})
