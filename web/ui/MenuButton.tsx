import { type ComponentType, cloneElement, lazy, type ReactElement, Suspense, useState } from 'react'

const load = () => import('./MenuPopover.tsx')
const Popover = lazy(async () => ({ default: (await load()).MenuPopover }))

/**
 * A button with a menu. The menu and its popover load when the pointer is over the button, so that an unopened
 * menu costs the first page nothing.
 */
export function MenuButton({
  button,
  menu,
  placement,
}: {
  button: ReactElement<object>
  menu: () => Promise<ComponentType>
  placement?: 'bottom-end' | 'bottom-start' | 'top-end' | 'top-start'
}) {
  const [Menu, setMenu] = useState<ComponentType | null>(null)
  const prepare = () => {
    void load()
    void menu()
  }
  const open = () => void menu().then((loaded) => setMenu(() => loaded))
  const closed = cloneElement(button, { onClick: open, onPointerEnter: prepare, onFocus: prepare, 'aria-haspopup': 'menu' } as object)
  if (!Menu) return closed
  return (
    <Suspense fallback={closed}>
      <Popover placement={placement ?? 'bottom-end'} content={<Menu />}>
        {button}
      </Popover>
    </Suspense>
  )
}
