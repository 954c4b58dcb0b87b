import { atom, type Getter, type Setter } from 'jotai'
import { auditor } from '#domain/access.ts'
import { type Topic, topic } from '#domain/contract.ts'
import type { HistoryFilter, HistoryRow } from '#domain/history/contract.ts'
import { api } from '#web/api.ts'
import { collection, collections } from '#web/live.ts'
import { live } from '#web/socket.ts'
import { loaded } from '#web/ui/loaded.ts'
import { recent } from '#web/ui/recent.ts'
import { typed } from '#web/ui/search.ts'
import { before, pause, replay, type speeds } from './replay.ts'

type Narrowed = Record<'userId' | 'queueId', number | undefined> &
  Record<'from' | 'to', string | undefined> & { status: HistoryRow['status'] | undefined }
export const everyHistory: Partial<Narrowed> = {}
export const historySearch = typed()
/** Kept while one looks into a ticket, so that back leads to the same list. */
export const historyFilterAtom = atom<Partial<Narrowed>>(everyHistory)

/* Found anew with each search: an auditor reads what happened, and no list of theirs moves meanwhile. */
const still: Topic<HistoryRow> = topic('ticket-history', 'ticket', (viewer) => auditor(viewer) === null)
const found = collections((key: string) =>
  collection<HistoryRow>({
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

export type Told = Awaited<ReturnType<typeof api.history.show>>

/** The address of one record: the replay as it stood behind it. */
export const linkTo = (uuid: string, revision: number) => `/tickets/${uuid}/history?record=${revision}`
const asked = (search: string): number | null => {
  const record = new URLSearchParams(search).get('record')
  return record !== null && /^-?\d{1,9}$/.test(record) ? Number(record) + 1 : null
}

/** One ticket's history, loaded once, and where in it one stands: after the first `position` events. */
export const recorder = recent((uuid: string) => {
  const told = loaded(() => api.history.show({ params: { uuid } }))
  const ready = atom((get) => {
    const now = get(told)
    return now.state === 'ready' ? now.value : null
  })
  const events = atom((get) => get(ready)?.events ?? [])
  /** While somebody looks, new events arrive. */
  const growing = atom(null as null, (_, set) => void set(told.reload))
  growing.onMount = (again) => {
    const ends = [live.join({ name: 'History', data: { uuid } }), live.hear('ticketHistory', () => again()), live.back(() => again())]
    return () => {
      for (const end of ends) end()
    }
  }
  const jump = atom((get) => replay(get(events)))
  const chosen = atom<number | null>(asked(location.search))
  const speed = atom<(typeof speeds)[number]>(5)
  const playing = atom(false)
  let timer: ReturnType<typeof setTimeout> | undefined

  const position = atom(
    (get) => Math.min(get(chosen) ?? Number.POSITIVE_INFINITY, get(events).length),
    (get, set, to: number) => {
      const all = get(events).length
      const at = Math.max(0, Math.min(to, all))
      set(chosen, at === all ? null : at) // who stands at the end stays there as it grows
      if (!get(playing)) history.replaceState(history.state, '', at === all ? location.pathname : linkTo(uuid, at - 1))
    },
  )
  const step = (get: Getter, set: Setter): void => {
    const [all, at] = [get(events), get(position)]
    if (!get(playing)) return
    if (at >= all.length) {
      set(playing, false)
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
  /** At the end it plays from the beginning. */
  const play = atom(
    (get) => get(playing),
    (get, set, on: boolean) => {
      clearTimeout(timer)
      if (on && get(position) >= get(events).length) set(position, 0)
      set(playing, on)
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
  /** A jump by hand stops the play. */
  const seek = atom(null, (_, set, to: number) => {
    set(play, false)
    set(position, to)
  })
  /** The ticket as it was there. */
  const scene = atom((get) => (get(ready) ? get(jump)(get(position)) : before))
  return { told, ready, growing, events, position, seek, play, speed: hasten, scene }
}, 3)
export type Recorder = ReturnType<typeof recorder>
