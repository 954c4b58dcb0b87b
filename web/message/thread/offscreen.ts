import { type RefObject, useEffect } from 'react'

/**
 * What is out of sight is neither laid out nor painted (`content-visibility`), and is still found, read out and seen where it stands.
 * Each run of messages is drawn once before, and keeps the height that it had: nothing moves for one who reads, jumps or scrolls.
 */
export function useOffscreen(box: RefObject<HTMLElement | null>, ids: readonly number[]): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: messages that came are measured too
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
  }, [box, ids])
}

/** The last one stays as it is: what comes is drawn there, whether it is in sight or not. */
function rest(pane: HTMLElement): void {
  const all = [...pane.querySelectorAll<HTMLElement>('[data-run]')]
  const drawn = all.slice(0, -1).filter((run) => run.dataset.rests === undefined)
  const heights = drawn.map((run) => run.getBoundingClientRect().height)
  drawn.forEach((run, at) => {
    run.style.containIntrinsicBlockSize = `auto ${heights[at]}px`
    run.dataset.rests = ''
  })
}
