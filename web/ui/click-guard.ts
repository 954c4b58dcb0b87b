import { type RefObject, useLayoutEffect, useRef } from 'react'

const inert: Keyframe[] = [{ pointerEvents: 'none' }, { pointerEvents: 'none' }]

const guardTime = () => Number(getComputedStyle(document.documentElement).getPropertyValue('--click-guard'))

const allowedMs = 2000
let allowedUntil = 0
const clear = () => {
  allowedUntil = 0
}
/** The user chose what appears next, so it accepts the next click at once. */
export function allowNextClick(): void {
  allowedUntil = performance.now() + allowedMs
  addEventListener('pointerdown', clear, { capture: true, once: true })
}

/**
 * An element that appears, changes or moves under the pointer ignores clicks for half a second, because the second
 * click of a double click was meant for the previous one. The container receives the click, so nothing below it
 * does.
 */
export function useClickGuard<E extends HTMLElement>(state: unknown): RefObject<E | null> {
  const box = useRef<E>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the guard starts again when the state changes
  useLayoutEffect(() => {
    if (performance.now() < allowedUntil) return
    for (const part of box.current?.children ?? []) part.animate(inert, guardTime())
  }, [state])
  return box
}
