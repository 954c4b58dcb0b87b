import { atom, type Getter, type Setter } from 'jotai'
import { auditor } from '#domain/access.ts'
import type { HistoryFilter, HistoryRow } from '#domain/history/contract.ts'
import { type Topic, topic } from '#domain/topic.ts'
import { api } from '#web/api.ts'
import { createLiveCollection, createLiveCollections } from '#web/live.ts'
import { live } from '#web/socket.ts'
import { createLruCache } from '#web/ui/lru-cache.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'
import { typed } from '#web/ui/search.ts'
import { records } from './records.ts'
import { pause, replay, type speeds } from './replay.ts'
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

/** Address of one record: the replay right after it. */
export const linkTo = (uuid: string, revision: number) => `/tickets/${uuid}/history?record=${revision}`
const asked = (search: string): number | null => {
  const record = new URLSearchParams(search).get('record')
  return record !== null && /^\d{1,9}$/.test(record) ? Number(record) : null
}
/** Number of loaded events up to this record. With missing events it differs from the record's number. */
export const upTo = (events: readonly { revision: number }[], record: number): number => {
  const at = events.findIndex(({ revision }) => revision >= record)
  return at < 0 ? events.length : at + 1
}

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
  const jump = atom((get) => replay(get(events)))
  const wanted = atom<number | null>(asked(location.search))
  const chosen = atom<number | null>(null)
  const speed = atom<(typeof speeds)[number]>(5)
  const playing = atom(false)
  let timer: ReturnType<typeof setTimeout> | undefined

  const position = atom(
    (get) => {
      const [all, record] = [get(events), get(wanted)]
      return Math.min(record === null ? (get(chosen) ?? Number.POSITIVE_INFINITY) : upTo(all, record), all.length)
    },
    (get, set, to: number) => {
      const loadedEvents = get(events)
      const all = loadedEvents.length
      const at = Math.max(0, Math.min(to, all))
      set(wanted, null)
      set(chosen, at === all ? null : at) // a viewer at the end stays there while the history grows
      const here = `/tickets/${uuid}/history`
      if (get(playing) || location.pathname !== here) return
      history.replaceState(history.state, '', at === all || at === 0 ? here : linkTo(uuid, loadedEvents[at - 1]!.revision))
    },
  )
  const step = (get: Getter, set: Setter): void => {
    const [all, at] = [get(events), get(position)]
    if (!get(playing)) return
    if (at >= all.length) {
      set(playing, false)
      set(position, at)
      return
    }
    timer = setTimeout(
      () => {
        if (!get(playing)) return
        set(position, at + 1)
        step(get, set)
      },
      at === 0 ? 0 : pause(all[at - 1]!.at, all[at]!.at, get(speed)),
    )
  }
  /** Playing at the end restarts from the beginning. */
  const play = atom(
    (get) => get(playing),
    (get, set, on: boolean) => {
      clearTimeout(timer)
      if (on && get(position) >= get(events).length) set(position, 0)
      const was = get(playing)
      set(playing, on)
      if (was && !on) set(position, get(position)) // updates the address after the playback stops
      step(get, set)
    },
  )
  play.onMount = (set) => () => set(false)
  const hasten = atom(
    (get) => get(speed),
    (get, set, to: (typeof speeds)[number]) => {
      set(speed, to)
      if (get(playing)) set(play, true)
    },
  )
  /** Goes to the record in the address, even if this history was open before. */
  const open = atom(null, (_, set) => {
    const record = asked(location.search)
    if (record !== null) set(wanted, record)
  })
  /** A manual jump stops the playback. */
  const seek = atom(null, (_, set, to: number) => {
    set(play, false)
    set(position, to)
  })
  /** The ticket at the current position. */
  const scene = atom((get) => (get(ready) ? get(jump)(get(position)) : before))
  return {
    historyAtom,
    reload,
    walkAgain,
    lookAgain,
    follow,
    stopped,
    ready,
    growing,
    events,
    open,
    position,
    seek,
    play,
    speed: hasten,
    scene,
  }
}, 3)
export type HistoryReplay = ReturnType<typeof historyReplay>
