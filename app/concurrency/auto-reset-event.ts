export type AutoResetEvent = { ring: () => void; rung: (ms?: number) => Promise<void> }

/** Wakes its single waiter, at the latest after `ms`. A signal without a waiter ends the next wait at once. */
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
