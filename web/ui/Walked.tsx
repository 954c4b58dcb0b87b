import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useReturnFocus } from './returnFocus.ts'

const items = (box: HTMLElement | null) => [...(box?.querySelectorAll<HTMLElement>('[role="menuitem"]:not(.bp6-disabled)') ?? [])]

/** Standard keys of a menu: it focuses the first item, and arrow keys move. Blueprint leaves both to Tab. */
export function Walked({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useReturnFocus(() => document.querySelector('.bp6-popover-open button'))
  useEffect(() => items(box.current)[0]?.focus({ preventScroll: true }), [])
  const handleKeyDown = (event: KeyboardEvent) => {
    const all = items(box.current)
    const at = all.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: (at + 1) % all.length, ArrowUp: (at - 1 + all.length) % all.length, Home: 0, End: all.length - 1 }[event.key]
    if (event.defaultPrevented || to === undefined || all.length === 0) return
    event.preventDefault()
    all[to]?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys act on the menu inside
    <div ref={box} onKeyDown={handleKeyDown}>
      {children}
    </div>
  )
}
