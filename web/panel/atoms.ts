import { atom } from 'jotai'
import { atomWithStorage, createJSONStorage, selectAtom } from 'jotai/utils'
import { reportsOn } from '#domain/access.ts'
import { type PanelMomentRow, panelPage } from '#domain/panel/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { ticketTopic } from '#domain/ticket/topic.ts'
import { api } from '#web/api.ts'
import { createLiveCollection } from '#web/live.ts'
import { viewer } from '#web/session.ts'
import { ticketsRoom } from '#web/ticket/list/counts.ts'
import { createFollower } from '#web/ui/follower.ts'
import { noFilter, type PanelFilter } from './columns.ts'

/** Every active ticket of the company, live. */
export const panelTickets = createLiveCollection<TicketRow>({
  topic: ticketTopic,
  room: ticketsRoom,
  pageSize: panelPage,
  async load(pageNumber) {
    const { tickets, hasMore } = await api.panel.moments({ query: { pageNumber } })
    return { rows: tickets, hasMore }
  },
  belongs: ({ status, queueId }) => (status === 'open' || status === 'pending') && reportsOn(viewer(), queueId),
  order: (a, b) => b.updatedAt.localeCompare(a.updatedAt) || b.id - a.id,
})
const areEqual = (a: number[], b: number[]) => a.length === b.length && a.every((id, at) => id === b[at])
/** The agents who have tickets. It changes only when one gets the first or loses the last. */
export const servingAtom = selectAtom(
  panelTickets.all,
  (rows) => [...new Set(rows.flatMap(({ userId }) => userId ?? []))].toSorted((a, b) => a - b),
  areEqual,
)
/** Kept in this tab, so that a reload of a wall display shows the same. */
export const panelFilterAtom = atomWithStorage(
  'panelFilter',
  noFilter,
  createJSONStorage<PanelFilter>(() => sessionStorage),
  { getOnInit: true },
)
export const idleShownAtom = atom(false)

type PastKey = { moment: string; limit: number[] | null }
/** A change of the viewer's limit loads the moment again (A-VIS-04). */
export const pastKey = (moment: string, limit: number[] | null): string => JSON.stringify({ moment, limit } satisfies PastKey)
export const momentOfKey = (key: string): string => (JSON.parse(key) as PastKey).moment
/** Every active ticket at a past moment. */
export const ticketsAtMoment = createFollower(async (key) => {
  const moment = momentOfKey(key)
  const rows: PanelMomentRow[] = []
  for (let pageNumber = 1, hasMore = true; hasMore; pageNumber++) {
    const page = await api.panel.at({ query: { moment, pageNumber } })
    rows.push(...page.tickets)
    hasMore = page.hasMore
  }
  return rows
})
