import { Dialog as Blueprint, type DialogProps } from '@blueprintjs/core'
import type { KeyboardEvent } from 'react'

/** Every dialog: Ctrl+Enter does what it is for, and a click beside it closes none, for it may be the second of two or cost what was typed. */
export const Dialog = (props: Omit<DialogProps, 'canOutsideClickClose'>) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: the keys come from wherever the focus is in the dialog
  <div className="dialogs" onKeyDown={confirms}>
    <Blueprint {...props} canOutsideClickClose={false} />
  </div>
)

const verbs = ['.bp6-dialog-footer-actions .bp6-intent-primary', '.bp6-dialog-footer-actions .bp6-intent-danger', 'form [type="submit"]']
function confirms(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat || event.defaultPrevented) return
  const dialog = (event.target as Element).closest('[role="dialog"], [role="alertdialog"]')
  const verb = verbs.map((one) => dialog?.querySelector<HTMLButtonElement>(one)).find(Boolean)
  if (!verb || verb.disabled) return
  event.preventDefault()
  verb.click()
}
