import { useLayoutEffect, useRef } from 'react'

/** A button that waits can hold no focus: whoever pressed it has it back once that is over, unless they went on elsewhere. */
export function useHeldFocus(waits: boolean): void {
  const held = useRef<Element | null>(null)
  useLayoutEffect(() => {
    const before = held.current
    held.current = waits ? document.activeElement : null
    const lost = document.activeElement === null || document.activeElement === document.body
    if (!waits && lost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
  }, [waits])
}
