import { atom } from 'jotai'
import { type ConnectionRow, connection, connectionTopic } from '#domain/connection/contract.ts'
import { endsSoon } from '#domain/connection/rules.ts'
import { searchable } from '#domain/ticket/rules.ts'
import { api } from '#web/api.ts'
import { connectionChoices } from '#web/ticket/choices.ts'
import { nowAtom } from '#web/ui/now.ts'
import { resourceList } from '#web/ui/resourceList.ts'

const byId = (a: ConnectionRow, b: ConnectionRow) => a.id - b.id
/** The published list is whole and cannot be searched: the search is done here. */
export const connectionList = resourceList<ConnectionRow>(
  { topic: connectionTopic, search: ['name', 'number'] },
  async ({ searchParam = '' }) => {
    const wanted = searchable(searchParam.trim())
    const rows = await api.connections.list({ query: {} })
    return { rows: rows.filter(({ name, number }) => searchable(`${name} ${number}`).includes(wanted)).sort(byId), hasMore: false }
  },
  { order: byId },
)
export const channelNames: Record<ConnectionRow['channel'], string> = {
  whatsapp: 'WhatsApp',
  whatsappapi: 'WhatsApp API',
  facebook: 'Facebook',
  instagram: 'Instagram',
}
export const mayConnect = connection.calls.create

/** By what somebody makes a new connection here: a number that is linked, a practice phone, or a number of the Cloud API. */
export type NewProvider = 'beta' | 'sandbox' | 'cloud'
let known: Promise<string[]> | null = null
/** The providers that this server can hold; it does not change while it runs. */
export const providersHere = (): Promise<string[]> => {
  known ??= api.connections.providers().catch(() => {
    known = null
    return ['beta'] // the next look asks again
  })
  return known
}

const settleMs = 2000
const late = atom(false)
const settling = atom(
  (get) => get(late),
  (_, set, over: boolean) => set(late, over),
)
settling.onMount = (over) => {
  const timer = setTimeout(() => over(true), settleMs) // so that one that is just beginning is no alarm
  return () => clearTimeout(timer)
}
/** Whether any connection is not connected or soon will not be, two seconds after somebody looks. */
export const someOffAtom = atom((get) => {
  const off = (row: ConnectionRow) => row.status !== 'CONNECTED' || row.silentSince !== null || endsSoon(row, get(nowAtom))
  return get(settling) && get(connectionChoices.all).some(off)
})
