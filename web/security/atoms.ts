import { atom } from 'jotai'
import { type SecurityKind, type SecurityRow, securityKinds } from '#domain/security/contract.ts'
import { endOfDay, startOfDay } from '#domain/zone/rules.ts'
import { api } from '#web/api.ts'
import { createLiveCollection, createLiveCollections } from '#web/live.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'
import { typed } from '#web/ui/search.ts'
import { zoneAtom } from '#web/ui/zone.ts'

/** Days are in the company's time zone. */
export type Filter = { kind: SecurityKind | ''; from: string; to: string; near: number | null }
export const nothing: Filter = { kind: '', from: '', to: '', near: null }
export const filterAtom = atom<Filter>(nothing)
export const search = typed()
export const isKind = (text: string): text is SecurityKind => (securityKinds as readonly string[]).includes(text)

/* No live update changes this list while somebody reads it. */
const lists = createLiveCollections((key: string) => {
  const { kind, from, to, near, wanted, zone } = JSON.parse(key) as Filter & { wanted: string; zone: string }
  return createLiveCollection<SecurityRow>({
    topic: { name: 'security-log', field: 'event', sees: () => false },
    load: async (pageNumber) => {
      const query = {
        pageNumber,
        ...(wanted && { searchParam: wanted }),
        ...(kind && { kind }),
        ...(near !== null && { near }),
        ...(from && { from: startOfDay(zone, from).toISOString() }),
        ...(to && { to: endOfDay(zone, to).toISOString() }),
      }
      const { events, hasMore } = await api.security.list({ query })
      return { rows: events, hasMore }
    },
  })
})
export const listAtom = atom((get) => lists(JSON.stringify({ ...get(filterAtom), zone: get(zoneAtom), wanted: get(search.settled) })))
export const chainAtom = createRemoteAtom(() => api.security.check())
