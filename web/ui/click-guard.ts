import { type RefObject, useLayoutEffect, useRef } from 'react'

const inert: Keyframe[] = [{ pointerEvents: 'none' }, { pointerEvents: 'none' }]

const guardMs = 2000
let allowedUntil = 0
const clear = () => {
  allowedUntil = 0
}
/** Somebody chose what comes now: it is no surprise, and takes the next click at once. */
export function allowNextClick(): void {
  allowedUntil = performance.now() + guardMs
  addEventListener('pointerdown', clear, { capture: true, once: true })
}

/**
 * What has come, changed or moved under a pointer takes no click for half a second: the second of a double click
 * was meant for what stood there before. The box itself takes it, so that it falls through to nothing.
 */
export function useClickGuard<E extends HTMLElement>(state: unknown): RefObject<E | null> {
  const box = useRef<E>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state is what has to stand still
  useLayoutEffect(() => {
    if (performance.now() < allowedUntil) return
    for (const part of box.current?.children ?? []) part.animate(inert, 500)
  }, [state])
  return box
}
