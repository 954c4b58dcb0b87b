import { atom } from 'jotai'
import type { DashboardFilters, Grouping, Now } from '#domain/dashboard/contract.ts'
import { ticketTopic } from '#domain/ticket/topic.ts'
import { userTopic } from '#domain/user/topic.ts'
import { api } from '#web/api.ts'
import { createLimitedCache } from '#web/report/limit.ts'
import { live } from '#web/socket.ts'
import { ticketsRoom } from '#web/ticket/list/counts.ts'
import { nowDate } from '#web/ui/now.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'
import { type Asked, daysOf } from './address.ts'

const keyOf = (filters: DashboardFilters) => JSON.stringify(filters)
type Of = { from: string | undefined; to: string | undefined; filters: string }
const read = (filters: string): DashboardFilters => JSON.parse(filters) as DashboardFilters
export const ofAsked = ({ from, to, filters }: Asked): Of => ({ from, to, filters: keyOf(filters) })

export const dashboardOf = createLimitedCache(({ from, to, filters, openHours }: Of & { openHours: boolean }) =>
  createRemoteAtom(() => api.dashboard.show({ query: { ...daysOf(from, to), ...(openHours && { openHours }), ...read(filters) } })),
)
export const barsOf = createLimitedCache(({ from, to, filters }: Of) =>
  createRemoteAtom(() =>
    api.dashboard.ticketsDay({ query: { ...(from && { initialDate: from }), ...(to && { finalDate: to }), ...read(filters) } }),
  ),
)

export const breakdownOf = createLimitedCache(({ by, openHours, from, to, filters }: Of & { by: Grouping; openHours: boolean }) =>
  createRemoteAtom(() =>
    api.dashboard.breakdown({ query: { by, ...daysOf(from, to), ...(openHours && { openHours }), ...read(filters) } }),
  ),
)
export const weekOf = createLimitedCache(({ from, to, filters }: Of) =>
  createRemoteAtom(() => api.dashboard.week({ query: { ...daysOf(from, to), ...read(filters) } })),
)

const pauseMs = 1000
const againMs = 20_000
type Live = { now: Now | null; since: string | null }
/** The counts of now. They follow the tickets and users at most once per `pauseMs`. `since`: when they could not be loaded for the first time. */
export const nowOf = createLimitedCache((filters: string) => {
  const state = atom<Live>({ now: null, since: null })
  const nowAtom = atom(
    (get) => get(state),
    (get, set, now: Now | null) =>
      set(state, now ? { now, since: null } : { ...get(state), since: get(state).since ?? nowDate().toISOString() }),
  )
  nowAtom.onMount = (set) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = async () => {
      timer = undefined
      try {
        set(await api.dashboard.now({ query: read(filters) }))
        timer ??= setTimeout(() => void load(), againMs)
      } catch {
        set(null)
        timer ??= setTimeout(() => void load(), againMs / 4)
      }
    }
    let isDue = false
    const soon = () => {
      if (isDue) return
      isDue = true
      clearTimeout(timer)
      timer = setTimeout(() => {
        isDue = false
        void load()
      }, pauseMs)
    }
    void load()
    const ends = [
      live.join(ticketsRoom),
      live.onReconnect(soon),
      live.subscribe(ticketTopic.name, soon),
      live.subscribe(userTopic.name, soon),
    ]
    return () => {
      clearTimeout(timer)
      for (const end of ends) end()
    }
  }
  return nowAtom
})
