const gap = 12
const widest = 400

/** The innermost visible element that may hold toasts at the lower left. */
function lowerLeft(): HTMLElement | null {
  const there = [...document.querySelectorAll<HTMLElement>('[data-toasts]')].filter((one) => one.checkVisibility())
  const inmost = there.filter((one) => !there.some((other) => other !== one && one.contains(other)))
  const left = Math.min(...inmost.map((one) => one.getBoundingClientRect().left))
  return inmost.findLast((one) => one.getBoundingClientRect().left === left) ?? null
}

/** Reserves this height at its end. A reader at the end stays there; for others nothing moves. */
function give(place: HTMLElement, height: number): void {
  const before = Number.parseFloat(place.style.borderBottomWidth) || 0
  if (before === height) return
  const pane = place.matches('[data-scrolls]') ? place : place.querySelector<HTMLElement>('[data-scrolls]')
  const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = pane ?? {}
  place.style.borderBottom = height === 0 ? '' : `${height}px solid transparent`
  if (!pane) return
  const fromEnd = getComputedStyle(pane).flexDirection === 'column-reverse'
  if (fromEnd && scrollTop < -1) pane.scrollTop = scrollTop - height + before
  if (!fromEnd && scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 1) pane.scrollTop = scrollHeight
}

/** Keeps toasts at the lower left, with the content above them. */
export function standClear(box: HTMLElement): () => void {
  let place: HTMLElement | null = null
  const stand = () => {
    const now = lowerLeft()
    if (now !== place) {
      if (place) {
        give(place, 0)
        sizes.unobserve(place)
      }
      place = now
      if (place) sizes.observe(place)
    }
    if (!place) return box.removeAttribute('style')
    const { left, bottom, width, height } = place.getBoundingClientRect()
    Object.assign(box.style, {
      left: `${left + gap}px`,
      bottom: `${window.innerHeight - bottom + gap}px`,
      maxWidth: `${Math.min(widest, width - 2 * gap)}px`,
    })
    give(place, Math.min(Math.ceil(box.offsetHeight) + 2 * gap, Math.floor(height / 2)))
  }
  let frame = 0
  const soon = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(stand)
  }
  const sizes = new ResizeObserver(soon)
  const screens = new MutationObserver(soon)
  sizes.observe(box)
  screens.observe(document.getElementById('root')!, { childList: true, subtree: true })
  window.addEventListener('resize', soon)
  stand()
  return () => {
    cancelAnimationFrame(frame)
    sizes.disconnect()
    screens.disconnect()
    window.removeEventListener('resize', soon)
    if (place) give(place, 0)
  }
}
