import { useEffectEvent, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'

const overlayState = 'lies over the page'

/** Open overlays, the last on top. Each has its own entry in the browser's history until Back removes it. */
type Layer = { hasEntry: boolean; leave: () => void }
const layers: Layer[] = []
/** Number of our own steps back whose events are still to come. */
let ours = 0
/** Entries of closed overlays that are still to be removed. One step removes them all, because a browser merges several. */
let leftover = 0
function stepBack(entries: number): void {
  ours++
  history.go(-entries)
}
function removeEntries(): void {
  if (leftover === 0 || ours > 0) return
  stepBack(leftover)
  leftover = 0
}
const removeSoon = (entries: number) => {
  leftover += entries
  queueMicrotask(removeEntries)
}

/** Runs at once, or after the entries of overlays that have just closed are removed. */
function afterClosing(act: () => void): void {
  if (ours + leftover > 0) window.addEventListener('popstate', () => afterClosing(act), { once: true })
  else act()
}

function pushLayer(layer: Layer): void {
  afterClosing(() => {
    if (!layers.includes(layer)) return
    layer.hasEntry = true
    history.pushState(overlayState, '')
  })
}
if (typeof window !== 'undefined')
  window.addEventListener('popstate', () => {
    if (ours > 0) {
      ours--
      removeEntries()
      return
    }
    const top = layers.findLast(({ hasEntry }) => hasEntry)
    if (!top) return
    top.hasEntry = false
    top.leave()
  })

/** After a reload no overlay is open, so this removes their entries. The page keeps the address of the last one. */
function removeStaleEntries(url: string): void {
  if (history.state !== overlayState) {
    history.replaceState(history.state, '', url)
    return
  }
  window.addEventListener('popstate', () => removeStaleEntries(url), { once: true })
  stepBack(1)
}
if (typeof history !== 'undefined' && history.state === overlayState) removeStaleEntries(location.href)

/** Whether the newest history entry belongs to an open overlay. */
export const hasOverlay = (): boolean => layers.some(({ hasEntry }) => hasEntry)

/**
 * Gives the entry of the only overlay to the next page, which replaces it at once. A step back comes later, and what
 * the user types until then would reach the page under the overlay. Returns whether there is such an entry.
 */
export function giveEntryToPage(): boolean {
  const [layer, ...others] = layers.filter(({ hasEntry }) => hasEntry)
  if (!layer || others.length > 0 || ours + leftover > 0 || history.state !== overlayState) return false
  layer.hasEntry = false
  return true
}

/** Removes the entries of all overlays, so that a navigation leaves none behind, and then runs. */
export function afterOverlays(act: () => void): void {
  const over = layers.filter(({ hasEntry }) => hasEntry)
  for (const layer of over) layer.hasEntry = false
  if (over.length > 0) removeSoon(over.length)
  afterClosing(act)
}

/** Closes an overlay on Back, and removes its history entry when it unmounts. It may stay open, for example to ask. */
export function useBackCloses(on: boolean, close: () => void): void {
  const closeNow = useEffectEvent(close)
  useLayoutEffect(() => {
    if (!on) return
    const layer: Layer = {
      hasEntry: false,
      leave: () => {
        flushSync(() => closeNow())
        if (layers.includes(layer)) pushLayer(layer)
      },
    }
    layers.push(layer)
    pushLayer(layer)
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      if (layer.hasEntry && (ours > 0 || history.state === overlayState)) removeSoon(1)
    }
  }, [on])
}
