import { useEffect, useEffectEvent } from 'react'

/** Where the focus belongs outside of what floats: where it was, or where it was sent since, though what floats took it back. */
let outside: HTMLElement | null = null
if (typeof document !== 'undefined')
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && !target.closest('.bp6-portal')) outside = target
  })

/**
 * A dialog that goes gives the focus back to what opened it; what a menu opened, to the menu's button.
 * Blueprint does so for a dialog that stays and is shut: ours are gone at once.
 */
export function useReturnFocus(opener: () => HTMLElement | null = () => outside): void {
  const opened = useEffectEvent(opener)
  useEffect(() => {
    outside = opened() // a menu’s button may be drawn anew as it opens
    return () => void requestAnimationFrame(() => document.activeElement === document.body && outside?.focus({ preventScroll: true }))
  }, [])
}
/** What was chosen in a menu leads there, once the menu is gone: an open one takes the focus back. */
export function leadFocus(to: HTMLElement | null): void {
  outside = to
}
