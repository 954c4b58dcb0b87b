import { type RefObject, useEffect } from 'react'
import type { Day } from './grouping.ts'

/**
 * Off-screen messages are neither laid out nor painted (`content-visibility`), but remain searchable and readable
 * by screen readers. Each run is rendered once and keeps its height, so nothing moves while reading, jumping or
 * scrolling.
 */
export function useOffscreen(box: RefObject<HTMLElement | null>, days: readonly Day[]): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: new elements are measured too
  useEffect(() => {
    const pane = box.current
    if (!pane) return
    let frame = requestAnimationFrame(() => rest(pane))
    let width = pane.clientWidth
    const resized = new ResizeObserver(() => {
      if (pane.clientWidth === width) return
      width = pane.clientWidth
      for (const run of pane.querySelectorAll('[data-rests]')) run.removeAttribute('data-rests')
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => rest(pane))
    })
    resized.observe(pane)
    return () => {
      cancelAnimationFrame(frame)
      resized.disconnect()
    }
  }, [box, days])
}

/** The last run stays rendered, because new messages are added there. */
function rest(pane: HTMLElement): void {
  const all = [...pane.querySelectorAll<HTMLElement>('[data-run]')]
  const drawn = all.slice(0, -1).filter((run) => run.dataset.rests === undefined)
  const heights = drawn.map((run) => run.getBoundingClientRect().height)
  drawn.forEach((run, at) => {
    run.style.containIntrinsicBlockSize = `auto ${heights[at]}px`
    run.dataset.rests = ''
  })
}
