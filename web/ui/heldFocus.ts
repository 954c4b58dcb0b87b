import { useLayoutEffect, useRef } from 'react'

let newest: EventTarget | null = null
if (typeof document !== 'undefined')
  document.addEventListener('focusin', ({ target }) => {
    newest = target
  })
const nothingHas = () => document.activeElement === null || document.activeElement === document.body
/** The button that lost the focus when it became disabled. */
const waiting = (): HTMLButtonElement | null =>
  newest instanceof HTMLButtonElement && newest.disabled && newest.closest('.bp6-dialog') ? newest : null

/**
 * A disabled button loses the focus. In a dialog it gets the focus back when the work is done, unless the user
 * moved on. Outside dialogs the same button may belong to another ticket by then.
 */
export function useHeldFocus(waits: boolean): void {
  const pressed = useRef<HTMLButtonElement | null>(null)
  useLayoutEffect(() => {
    const before = pressed.current
    pressed.current = waits ? waiting() : null
    if (!waits && before?.isConnected && nothingHas()) before.focus({ preventScroll: true })
  }, [waits])
}
