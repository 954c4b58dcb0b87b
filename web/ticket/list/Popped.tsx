import type { PopoverNextPlacement } from '@blueprintjs/core'
import { type ReactElement, Suspense } from 'react'
import { Popover } from '#web/ui/Popover.tsx'
import { Walked } from '#web/ui/Walked.tsx'
import css from './Popped.module.css'

export const Popped = (of: {
  open: boolean
  onOpenChange: (open: boolean) => void
  placement: PopoverNextPlacement
  content: ReactElement
  children: ReactElement
}) => (
  <Popover
    open={of.open}
    onOpenChange={of.onOpenChange}
    placement={of.placement}
    shouldReturnFocusOnClose={false} // Walked returns the focus, unless the chosen item moved it elsewhere
    content={
      <Suspense fallback={<div className={css.waits} />}>
        <Walked>{of.content}</Walked>
      </Suspense>
    }
  >
    {of.children}
  </Popover>
)
