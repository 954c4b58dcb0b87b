export type AutoResetEvent = { set: () => void; wait: (ms?: number) => Promise<void> }

/** Wakes its single waiter, at the latest after `ms`. A signal without a waiter ends the next wait at once. */
export function createAutoResetEvent(): AutoResetEvent {
  let next = Promise.withResolvers<void>()
  const set = () => next.resolve()
  return {
    set,
    async wait(ms) {
      const timer = ms === undefined ? undefined : setTimeout(set, ms)
      await next.promise
      clearTimeout(timer)
      next = Promise.withResolvers()
    },
  }
}
