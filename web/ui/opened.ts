import { useEffect, useEffectEvent, useState } from 'react'
import { hasOverlay } from './back-navigation.ts'

/**
 * The parts of a screen in the query of its address: the open row, the tab of its form, and the kind of a new one.
 */
type Place = 'open' | 'tab' | 'kind'
export const placeIn = (what: Place): string | null => new URLSearchParams(location.search).get(what)
/**
 * Replaces the history entry, so Back leads where it did before. While an overlay has an entry of its own, the page's
 * entry follows as soon as it is the current one again.
 */
export function keepPlace(places: Partial<Record<Place, string | null>>): void {
  const url = new URL(location.href)
  for (const [what, value] of Object.entries(places)) {
    if (value === null) url.searchParams.delete(what)
    else url.searchParams.set(what, value)
  }
  if (url.href !== location.href) history.replaceState(history.state, '', url)
  if (!hasOverlay()) return
  const again = () => location.pathname === url.pathname && keepPlace(places)
  window.addEventListener('popstate', again, { once: true })
}

/** The row whose form is open, or a new one. A reload reopens it, and so does Back. */
export function useOpened<R extends { id: number }>(
  find: (ask: { params: { id: number } }) => Promise<unknown>,
  may: (row: R | 'new') => boolean,
): [opened: R | 'new' | null, open: (row: R | 'new' | null) => void] {
  const [opened, setOpened] = useState<R | 'new' | null>(() => (placeIn('open') === 'new' && may('new') ? 'new' : null))
  const open = (row: R | 'new' | null) => {
    setOpened(row)
    keepPlace(row === null ? { open: null, tab: null, kind: null } : { open: row === 'new' ? row : `${row.id}` })
  }
  const begin = useEffectEvent(() => {
    const id = Number(placeIn('open'))
    if (!Number.isInteger(id) || id < 1 || opened !== null) return
    find({ params: { id } }).then(
      (row) => (may(row as R) ? open(row as R) : open(null)),
      () => open(null), // the row was deleted or is not visible
    )
  })
  useEffect(() => begin(), [])
  return [opened, open]
}
