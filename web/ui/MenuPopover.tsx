import { PopoverNext } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import { Walked } from './Walked.tsx'

/** Mounted on the first click, already open. */
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
    <PopoverNext defaultIsOpen arrow={false} placement={placement} content={<Walked>{content}</Walked>} shouldReturnFocusOnClose={false}>
      {children}
    </PopoverNext>
  )
}
