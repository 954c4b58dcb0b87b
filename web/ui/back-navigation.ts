import { useEffect, useEffectEvent } from 'react'

const overlayState = 'lies over the page'
// after a reload nothing lies over the page any more: one Back should lead somewhere
if (typeof history !== 'undefined' && history.state === overlayState) history.back()

/** What lies over the page, the last on top; each has a step of its own in the browser's history until Back has taken it. */
type Layer = { steps: boolean; left: () => void }
const layers: Layer[] = []
/** Steps back that we take ourselves. */
let ours = 0

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

/** Whether the newest step is only what lies over a page: where that leads away, it takes the step's place. */
export const hasOverlay = (): boolean => history.state === overlayState

/** At once, or as soon as nothing lies over the page any more: what lies over it has a step of its own, which is about to go. */
export function whenNoOverlay(act: () => void): void {
  if (hasOverlay()) window.addEventListener('popstate', act, { once: true })
  else act()
}

/** What lies over a page closes by Back, as every screen does, and is closed with the page it lay over. True from `close`: it stays. */
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
      ours++
      history.back()
    }
  }, [on])
}
