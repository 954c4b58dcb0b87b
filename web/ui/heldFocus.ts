import { useLayoutEffect, useRef } from 'react'

let newest: EventTarget | null = null
if (typeof document !== 'undefined')
  document.addEventListener('focusin', ({ target }) => {
    newest = target
  })
const nothingHas = () => document.activeElement === null || document.activeElement === document.body
/** It lost the focus as it began to wait. */
const waiting = (): HTMLButtonElement | null =>
  newest instanceof HTMLButtonElement && newest.disabled && newest.closest('.bp6-dialog') ? newest : null

/**
 * A button that waits can hold no focus: whoever pressed it in a dialog has it back once that is over, unless they went on elsewhere. Outside of
 * dialogs the same button may stand for another ticket by then.
 */
export function useHeldFocus(waits: boolean): void {
  const pressed = useRef<HTMLButtonElement | null>(null)
  useLayoutEffect(() => {
    const before = pressed.current
    pressed.current = waits ? waiting() : null
    if (!waits && before?.isConnected && nothingHas()) before.focus({ preventScroll: true })
  }, [waits])
}
