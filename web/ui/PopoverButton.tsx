import { type ComponentType, cloneElement, lazy, type ReactElement, Suspense, useState } from 'react'

const load = () => import('./ContentPopover.tsx')
const Popover = lazy(async () => ({ default: (await load()).ContentPopover }))

/** A button with a popover of any content, which loads like the menu of `MenuButton`. `label` names the content. */
export function PopoverButton({
  button,
  label,
  content,
}: {
  button: ReactElement<object>
  label: string
  content: () => Promise<ComponentType>
}) {
  const [Content, setContent] = useState<ComponentType | null>(null)
  const prepare = () => {
    void load()
    void content()
  }
  const open = () => void content().then((loaded) => setContent(() => loaded))
  const closed = cloneElement(button, { onClick: open, onPointerEnter: prepare, onFocus: prepare, 'aria-haspopup': 'dialog' } as object)
  if (!Content) return closed
  return (
    <Suspense fallback={closed}>
      <Popover label={label} content={<Content />}>
        {button}
      </Popover>
    </Suspense>
  )
}
