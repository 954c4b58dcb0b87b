import { useEffect, useEffectEvent } from 'react'
import { useLocation } from 'wouter'
import { startNotifier } from './notifier.ts'
import { watchTicket } from './watched.ts'

/** Notifies the user while the page is open; renders nothing. */
export function Notifier() {
  const [path, go] = useLocation()
  const open = useEffectEvent((to: string) => go(to))
  useEffect(() => startNotifier((to) => open(to)), [])
  const uuid = /^\/tickets\/([^/]+)$/.exec(path)?.[1]
  useEffect(() => (uuid === undefined ? undefined : watchTicket(uuid)), [uuid])
  return null
}
