import { type RefObject, useLayoutEffect } from 'react'

type Carried = { uuid: string; from: number; to: number }
let carried: Carried | null = null

/**
 * The field of a ticket may be replaced while an agent types, for example when the ticket has loaded. The next
 * field of the same ticket takes focus and caret in the same turn, so that no key is lost.
 */
export function useCarriedFocus(field: RefObject<HTMLTextAreaElement | null>, uuid: string): void {
  useLayoutEffect(() => {
    const { current } = field
    if (carried?.uuid === uuid && current) {
      current.focus({ preventScroll: true })
      current.setSelectionRange(carried.from, carried.to)
    }
    carried = null
    return () => {
      if (current && document.activeElement === current) carried = { uuid, from: current.selectionStart, to: current.selectionEnd }
    }
  }, [field, uuid])
}
