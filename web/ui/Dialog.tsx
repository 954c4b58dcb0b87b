import { Dialog as Blueprint, type DialogProps } from '@blueprintjs/core'
import { useBackCloses } from './back-navigation.ts'
import css from './Dialog.module.css'

type Props = Omit<DialogProps, 'canOutsideClickClose' | 'onClose'> & { onClose: () => void; size?: 'small' | 'wide' }
/**
 * The base of every dialog. Ctrl+Enter triggers its main button; Escape and Back close it. A click outside closes
 * nothing, because it may be a double click or cost typed text.
 */
export function Dialog({ size, className, ...props }: Props) {
  useBackCloses(props.isOpen ?? false, props.onClose)
  return <Blueprint {...props} className={[className, size && css[size]].filter(Boolean).join(' ')} canOutsideClickClose={false} />
}

const verbs = ['.bp6-dialog-footer-actions .bp6-intent-primary', '.bp6-dialog-footer-actions .bp6-intent-danger', 'form [type="submit"]']
/** The dialog that receives the keys. After a click outside, the focus may be anywhere. */
function activeDialog(target: Element): Element | null | undefined {
  const over = target.closest('.bp6-overlay')
  return over ? over.querySelector('.bp6-dialog') : [...document.querySelectorAll('.bp6-dialog')].findLast((one) => one.checkVisibility())
}
function confirms(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat || event.defaultPrevented) return
  const dialog = activeDialog(event.target as Element)
  const verb = verbs.map((one) => dialog?.querySelector<HTMLButtonElement>(one)).find(Boolean)
  if (!verb || verb.disabled) return
  event.preventDefault()
  verb.click()
}
document.addEventListener('keydown', confirms)

/** If the focused element disappears, such as an expired code, the dialog takes the focus and the key. */
function handleKeyDown(event: KeyboardEvent): void {
  if (event.target !== document.body) return
  const over = activeDialog(document.body)?.closest<HTMLElement>('.bp6-overlay')
  const box = over?.querySelector<HTMLElement>('.bp6-dialog-container')
  if (!box) return
  box.focus({ preventScroll: true })
  if (event.key !== 'Escape') return
  event.stopImmediatePropagation()
  box.dispatchEvent(new KeyboardEvent('keydown', { key: event.key, code: event.code, bubbles: true, cancelable: true }))
}
document.addEventListener('keydown', handleKeyDown, true)
