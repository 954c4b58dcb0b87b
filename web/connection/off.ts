import { atom } from 'jotai'
import type { ConnectionRow } from '#domain/connection/contract.ts'
import { endsSoon, isUp } from '#domain/connection/rules.ts'
import { connectionChoices } from '#web/ticket/choices.ts'
import { nowAtom } from '#web/ui/now.ts'

const settleMs = 2000
const late = atom(false)
const settling = atom(
  (get) => get(late),
  (_, set, over: boolean) => set(late, over),
)
settling.onMount = (over) => {
  const timer = setTimeout(() => over(true), settleMs) // so that a connection that is just starting raises no alarm
  return () => clearTimeout(timer)
}
/**
 * Whether any connection is down or its token expires soon. It turns true two seconds after the first mount at the
 * earliest.
 */
export const someOffAtom = atom((get) => {
  const off = (row: ConnectionRow) => !isUp(row) || endsSoon(row, get(nowAtom))
  return get(settling) && get(connectionChoices.all).some(off)
})
