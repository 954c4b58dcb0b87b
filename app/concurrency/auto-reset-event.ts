export type AutoResetEvent = { ring: () => void; rung: (ms?: number) => Promise<void> }

/** Wakes the one who waits for it, at the latest after `ms`; a ring that nobody waited for is heard by the next wait. */
export function bell(): AutoResetEvent {
  let next = Promise.withResolvers<void>()
  const ring = () => next.resolve()
  return {
    ring,
    async rung(ms) {
      const timer = ms === undefined ? undefined : setTimeout(ring, ms)
      await next.promise
      clearTimeout(timer)
      next = Promise.withResolvers()
    },
  }
}
