import { PopoverNext } from '@blueprintjs/core'
import type { ReactElement } from 'react'

/** Stands from the first click on, already open. */
export function MenuPopover({
  content,
  placement,
  children,
}: {
  content: ReactElement
  placement: 'bottom-end' | 'bottom-start' | 'top-end' | 'top-start'
  children: ReactElement
}) {
  return (
    <PopoverNext defaultIsOpen arrow={false} placement={placement} content={content} shouldReturnFocusOnClose>
      {children}
    </PopoverNext>
  )
}
