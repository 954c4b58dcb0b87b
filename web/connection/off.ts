import { atom } from 'jotai'
import type { ConnectionRow } from '#domain/connection/contract.ts'
import { endsSoon } from '#domain/connection/rules.ts'
import { connectionChoices } from '#web/ticket/choices.ts'
import { nowAtom } from '#web/ui/now.ts'

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
