import { useLayoutEffect, useRef } from 'react'

let newest: EventTarget | null = null
if (typeof document !== 'undefined')
  document.addEventListener('focusin', ({ target }) => {
    newest = target
  })
const nothingHas = () => document.activeElement === null || document.activeElement === document.body

/** A button that waits can hold no focus: whoever pressed it has it back once that is over, unless they went on elsewhere. */
export function useHeldFocus(waits: boolean): void {
  const held = useRef<HTMLButtonElement | null>(null)
  useLayoutEffect(() => {
    const before = held.current
    held.current = waits && newest instanceof HTMLButtonElement && newest.disabled ? newest : null // it lost it as it began to wait
    if (!waits && before?.isConnected && nothingHas()) before.focus({ preventScroll: true })
  }, [waits])
}
