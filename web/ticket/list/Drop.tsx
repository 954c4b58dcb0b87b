import type { ButtonProps, PopoverNextPlacement } from '@blueprintjs/core'
import { cloneElement, Fragment, lazy, type ReactElement, Suspense, useState } from 'react'

const Popped = lazy(() => import('./Popped.tsx').then(({ Popped }) => ({ default: Popped })))

/** A button with something behind it. What places and closes a popover is 22 kB, and comes with its first use. */
export function Drop({
  content,
  placement,
  opened = false,
  children,
}: {
  content: (close: () => void) => ReactElement
  placement: PopoverNextPlacement
  /** From the first. */
  opened?: boolean
  children: ReactElement<ButtonProps & { 'aria-haspopup'?: 'true' }>
}) {
  const [used, setUsed] = useState(opened)
  const [open, setOpen] = useState(opened)
  const [turn, setTurn] = useState(0)
  /* Opened again while it still leaves, it begins anew. */
  const show = (now: boolean) => {
    if (now) setTurn(turn + 1)
    setOpen(now)
  }
  if (used)
    return (
      <Suspense fallback={children}>
        <Popped
          placement={placement}
          open={open}
          onOpenChange={show}
          content={<Fragment key={turn}>{content(() => show(false))}</Fragment>}
        >
          {children}
        </Popped>
      </Suspense>
    )
  return cloneElement(children, {
    'aria-haspopup': 'true',
    onClick: () => {
      setUsed(true)
      show(true)
    },
  })
}
