import { type ReactElement, useEffect, useRef, useState } from 'react'
import { Popover } from './Popover.tsx'
import { useReturnFocus } from './returnFocus.ts'

/** Mounted on the first click, already open. */
export function ContentPopover({ label, content, children }: { label: string; content: ReactElement; children: ReactElement }) {
  const [isOpen, setIsOpen] = useState(true)
  return (
    <Popover
      open={isOpen}
      onOpenChange={setIsOpen}
      placement="bottom-end"
      content={<Content label={label}>{content}</Content>}
      shouldReturnFocusOnClose={false}
    >
      {children}
    </Popover>
  )
}

/** Takes the focus, so that the keyboard continues inside and Escape closes. */
function Content({ label, children }: { label: string; children: ReactElement }) {
  const box = useRef<HTMLElement>(null)
  useReturnFocus(() => document.querySelector('.bp6-popover-open button'))
  useEffect(() => box.current?.focus({ preventScroll: true }), [])
  return (
    <section ref={box} role="dialog" aria-label={label} tabIndex={-1}>
      {children}
    </section>
  )
}
