import { PopoverNext, type PopoverNextPlacement } from '@blueprintjs/core'
import { type ReactElement, Suspense } from 'react'

export const Popped = (of: {
  open: boolean
  show: (open: boolean) => void
  placement: PopoverNextPlacement
  content: ReactElement
  children: ReactElement
}) => (
  <PopoverNext
    isOpen={of.open}
    onInteraction={of.show}
    placement={of.placement}
    arrow={false}
    shouldReturnFocusOnClose
    content={<Suspense fallback={<div className="menu-waits" />}>{of.content}</Suspense>}
  >
    {of.children}
  </PopoverNext>
)
