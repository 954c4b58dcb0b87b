import { type ReactElement, useState } from 'react'
import { Popover } from './Popover.tsx'
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
  const [open, setOpen] = useState(true)
  return (
    <Popover open={open} onOpenChange={setOpen} placement={placement} content={<Walked>{content}</Walked>} shouldReturnFocusOnClose={false}>
      {children}
    </Popover>
  )
}
