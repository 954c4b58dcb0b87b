import { useEffect, useEffectEvent } from 'react'

const overlayState = 'lies over the page'
// after a reload no overlay is open, so this removes its history entry
if (typeof history !== 'undefined' && history.state === overlayState) history.back()

/** Open overlays, the last on top. Each has its own entry in the browser's history until Back removes it. */
type Layer = { steps: boolean; left: () => void }
const layers: Layer[] = []
/** Number of our own steps back whose events are still to come. */
let ours = 0
/** Entries of closed overlays that are still to be removed. One step removes them all, because a browser merges several. */
let leftover = 0
function removeEntries(): void {
  if (leftover === 0) return
  ours++
  history.go(-leftover)
  leftover = 0
}

function pushLayer(layer: Layer): void {
  layer.steps = true
  history.pushState(overlayState, '')
}
if (typeof window !== 'undefined')
  window.addEventListener('popstate', () => {
    if (ours > 0) return void ours--
    const top = layers.findLast(({ steps }) => steps)
    if (!top) return
    top.steps = false
    top.left()
  })

/** Whether the newest history entry belongs to an overlay. A navigation from there replaces that entry. */
export const hasOverlay = (): boolean => history.state === overlayState

/** Runs at once, or as soon as no overlay is open: an overlay's history entry is about to go. */
export function whenNoOverlay(act: () => void): void {
  if (hasOverlay()) window.addEventListener('popstate', act, { once: true })
  else act()
}

/** Runs at once, or after the entries of overlays that have just closed are removed. */
export function afterClosing(act: () => void): void {
  if (ours + leftover > 0) window.addEventListener('popstate', act, { once: true })
  else act()
}

/** Closes an overlay on Back and when its page unmounts. If `close` returns true the overlay stays. */
export function useBackCloses(on: boolean, close: () => unknown): void {
  const closed = useEffectEvent(close)
  useEffect(() => {
    if (!on) return
    const layer: Layer = { steps: false, left: () => closed() === true && pushLayer(layer) }
    layers.push(layer)
    pushLayer(layer)
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      if (!layer.steps || !hasOverlay()) return
      if (leftover++ === 0) queueMicrotask(removeEntries)
    }
  }, [on])
}
