import { PopoverNext, type PopoverNextPlacement } from '@blueprintjs/core'
import { type ReactElement, Suspense } from 'react'
import { Walked } from '#web/ui/Walked.tsx'
import css from './Popped.module.css'

export const Popped = (of: {
  open: boolean
  onOpenChange: (open: boolean) => void
  placement: PopoverNextPlacement
  content: ReactElement
  children: ReactElement
}) => (
  <PopoverNext
    isOpen={of.open}
    onInteraction={of.onOpenChange}
    placement={of.placement}
    arrow={false}
    shouldReturnFocusOnClose={false} // Walked returns the focus, unless the chosen item moved it elsewhere
    content={
      <Suspense fallback={<div className={css.waits} />}>
        <Walked>{of.content}</Walked>
      </Suspense>
    }
  >
    {of.children}
  </PopoverNext>
)
