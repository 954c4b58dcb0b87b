import type { ButtonProps, PopoverNextPlacement } from '@blueprintjs/core'
import { cloneElement, Fragment, lazy, type ReactElement, Suspense, useState } from 'react'

const Popped = lazy(() => import('./Popped.tsx').then(({ Popped }) => ({ default: Popped })))

/** A button with a popover. The popover library is 22 kB and loads on first use. */
export function Drop({
  content,
  placement,
  opened = false,
  children,
}: {
  content: (close: () => void) => ReactElement
  placement: PopoverNextPlacement
  /** Open from the first render. */
  opened?: boolean
  children: ReactElement<ButtonProps & { 'aria-haspopup'?: 'true' }>
}) {
  const [used, setUsed] = useState(opened)
  const [open, setOpen] = useState(opened)
  const [turn, setTurn] = useState(0)
  /* Opening it again during the closing animation starts a new popover. */
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
