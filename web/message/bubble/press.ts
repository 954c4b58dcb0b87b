import { type MouseEvent, type PointerEvent, type TouchEvent, useEffect, useRef } from 'react'

const long = 450
const still = 10

/** On a touch screen the menu of a message opens by a long press: a button would cover words. */
export function useLongPress() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const at = useRef({ x: 0, y: 0 })
  const opened = useRef(false)
  const stop = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    onPointerDown: ({ pointerType, isPrimary, clientX, clientY, currentTarget, target }: PointerEvent<HTMLElement>) => {
      opened.current = false
      stop()
      if (pointerType !== 'touch' || !isPrimary || !currentTarget.contains(target as Node)) return // what its menu holds is drawn elsewhere
      at.current = { x: clientX, y: clientY }
      timer.current = setTimeout(() => {
        opened.current = true
        currentTarget.querySelector<HTMLElement>('[data-part=bubble-more]')?.click()
      }, long)
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - at.current.x, clientY - at.current.y) > still) stop()
    },
    onPointerUp: stop,
    onPointerCancel: stop,
    onContextMenu: (event: MouseEvent) => {
      if (opened.current) event.preventDefault()
    },
    /** Nor do the mouse events that follow a finger take it for a click elsewhere. */
    onTouchEnd: (event: TouchEvent) => {
      if (opened.current) event.preventDefault()
    },
    /** The finger that opened it presses nothing as it leaves. */
    onClickCapture: (event: MouseEvent) => {
      if (!opened.current || !event.nativeEvent.isTrusted) return
      opened.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
