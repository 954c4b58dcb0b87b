import { useEffect, useEffectEvent } from 'react'
import { translate } from '#web/i18n.ts'
import { stateWords } from './state-words.ts'

/** Where the focus belongs outside of what floats: where it was, or where it was sent since, though what floats took it back. */
let outside: HTMLElement | null = null
if (typeof document !== 'undefined')
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    if (!target.closest('.bp6-portal')) outside = target
    else enter(target)
  })

const first = 'a[href], button:enabled, input:enabled, textarea:enabled, select:enabled, [tabindex="0"]'
/** Blueprint opens a dialog on an element that nobody sees, with an English name for its cross: the first thing one can use has the focus instead. */
function enter(at: HTMLElement): void {
  const dialog = at.closest('.bp6-overlay')?.querySelector<HTMLElement>('.bp6-dialog')
  dialog?.querySelector('.bp6-dialog-close-button')?.setAttribute('aria-label', translate(stateWords, 'close'))
  if (!dialog || !(at.matches('.bp6-overlay-start-focus-trap, .bp6-dialog-container') || at === dialog)) return
  requestAnimationFrame(() => {
    if (document.activeElement !== at) return
    const found = ['.bp6-dialog-body', '.bp6-dialog-footer', ''].map((part) => dialog.querySelector<HTMLElement>(`${part} :is(${first})`))
    found.find(Boolean)?.focus({ preventScroll: true })
  })
}

/**
 * A dialog that goes gives the focus back to what opened it; what a menu opened, to the menu's button.
 * Blueprint does so for a dialog that stays and is shut: ours are gone at once.
 */
export function useReturnFocus(opener: () => HTMLElement | null = () => outside): void {
  const opened = useEffectEvent(opener)
  useEffect(() => {
    const before = outside
    outside = opened() // a menu’s button may be drawn anew as it opens
    const close = () => {
      if (document.activeElement === document.body) outside?.focus({ preventScroll: true })
      if (outside?.closest('.bp6-portal')) outside = before // a menu in a dialog is no place to come back to once the dialog is gone
    }
    return () => void requestAnimationFrame(close)
  }, [])
}
/** What was chosen in a menu leads there, once the menu is gone: an open one takes the focus back. */
export function leadFocus(to: HTMLElement | null): void {
  outside = to
}
