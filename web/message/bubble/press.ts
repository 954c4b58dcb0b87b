import { type MouseEvent, type PointerEvent, type TouchEvent, useEffect, useRef } from 'react'

const long = 450
const still = 10

/** On a touch screen a long press opens the menu of a message, because a button would cover text. */
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
      // events from the menu, which is rendered elsewhere, also bubble here
      if (pointerType !== 'touch' || !isPrimary || !currentTarget.contains(target as Node)) return
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
    /** Prevents the emulated mouse events, which would close the menu as a click outside. */
    onTouchEnd: (event: TouchEvent) => {
      if (opened.current) event.preventDefault()
    },
    /** Ignores the click of the finger that opened the menu. */
    onClickCapture: (event: MouseEvent) => {
      if (!opened.current || !event.nativeEvent.isTrusted) return
      opened.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
