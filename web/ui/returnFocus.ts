import { useEffect, useEffectEvent } from 'react'
import { translate } from '#web/i18n.ts'
import { stateWords } from './state-words.ts'

/**
 * The focused element outside overlays: the last one, or one that was assigned since, even if an overlay took the
 * focus back.
 */
let outside: HTMLElement | null = null
if (typeof document !== 'undefined')
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    if (!target.closest('.bp6-portal')) outside = target
    else enter(target)
  })

const first = 'a[href], button:enabled, input:enabled, textarea:enabled, select:enabled, [tabindex="0"]'
/**
 * Blueprint focuses an invisible element and labels the close button in English, so this focuses the first usable
 * element and translates the label.
 */
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
 * Returns the focus when a dialog closes: to the element that opened it, or to the button of the menu. Blueprint
 * does so only for mounted dialogs; ours unmount at once.
 */
export function useReturnFocus(opener: () => HTMLElement | null = () => outside): void {
  const opened = useEffectEvent(opener)
  useEffect(() => {
    const before = outside
    outside = opened() // a menu's button may be replaced when the menu opens
    const close = () => {
      if (document.activeElement === document.body) outside?.focus({ preventScroll: true })
      if (outside?.closest('.bp6-portal')) outside = before // a menu inside a closed dialog cannot take the focus
    }
    return () => void requestAnimationFrame(close)
  }, [])
}
/** Focuses this element once the menu is gone, because an open menu takes the focus back. */
export function leadFocus(to: HTMLElement | null): void {
  outside = to
}
