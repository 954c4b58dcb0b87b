import { atom } from 'jotai'
import { auditor } from '#domain/access.ts'
import type { HistoryFilter, HistoryRow } from '#domain/history/contract.ts'
import { type Topic, topic } from '#domain/topic.ts'
import { api } from '#web/api.ts'
import { createLiveCollection, createLiveCollections } from '#web/live.ts'
import { live } from '#web/socket.ts'
import { createLruCache } from '#web/ui/lru-cache.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'
import { typed } from '#web/ui/search.ts'
import { createPlayback } from './playback.ts'
import { records } from './records.ts'
import { replay } from './replay.ts'
import { before } from './then.ts'

type Narrowed = Record<'userId' | 'queueId' | 'contactId', number | undefined> &
  Record<'from' | 'to', string | undefined> & { status: HistoryRow['status'] | undefined; chain: HistoryFilter['chain'] }
export const everyHistory: Partial<Narrowed> = {}
export const historySearch = typed()
/** Kept while a ticket is open, so that going back shows the same list. */
export const historyFilterAtom = atom<Partial<Narrowed>>(everyHistory)

/** Name of the contact whose tickets are listed, as the chosen row shows it. */
export const historyContactAtom = atom('')
export const everyQueue = createRemoteAtom(() => api.history.queues())
export const everyPerson = createRemoteAtom(() => api.history.people())
/** The key that verifies anchors and exports, and the newest anchor. */
export const signingKey = createRemoteAtom(() => api.history.key())

/* Every search loads again, and no live update moves an auditor's list. */
const still: Topic<HistoryRow> = topic('ticket-history', 'ticket', (viewer) => auditor(viewer) === null)
const found = createLiveCollections((key: string) =>
  createLiveCollection<HistoryRow>({
    topic: still,
    load: async (pageNumber) => {
      const { tickets, hasMore } = await api.history.list({ query: { ...(JSON.parse(key) as HistoryFilter), pageNumber } })
      return { rows: tickets, hasMore }
    },
  }),
)
export const historiesAtom = atom((get) => {
  const searchParam = get(historySearch.settled)
  return found(JSON.stringify({ ...get(historyFilterAtom), ...(searchParam && { searchParam }) }))
})

const grownTo = ({ history }: Record<string, unknown>): number =>
  (history as { revision?: number } | undefined)?.revision ?? Number.POSITIVE_INFINITY

/** The replay of one ticket's history: loaded once, positioned after the first `position` events. */
export const historyReplay = createLruCache((uuid: string) => {
  const { historyAtom, reload, walkAgain, lookAgain, follow, stopped, grow } = records(uuid)
  const ready = atom((get) => {
    const now = get(historyAtom)
    return now.state === 'ready' ? now.value : null
  })
  const events = atom((get) => get(ready)?.events ?? [])
  /** Loads new events while the history is shown. */
  // joining is also recorded as an event, which may be present already
  const growing = atom(null as null, (_, set, to: number) => void set(grow, to))
  growing.onMount = (again) => {
    const ends = [
      live.join({ name: 'History', data: { uuid } }),
      live.subscribe('ticketHistory', (frames) => again(Math.max(...frames.map(grownTo)))),
      live.onReconnect(() => again(Number.POSITIVE_INFINITY)),
    ]
    return () => {
      for (const end of ends) end()
    }
  }
  const playback = createPlayback(uuid, events)
  const jump = atom((get) => replay(get(events)))
  /** The ticket at the current position. */
  const scene = atom((get) => (get(ready) ? get(jump)(get(playback.position)) : before))
  return { historyAtom, reload, walkAgain, lookAgain, follow, stopped, ready, growing, events, ...playback, scene }
}, 3)
export type HistoryReplay = ReturnType<typeof historyReplay>
