const second = 1000

/**
 * How far the server's clock is ahead of this device's, from the Date headers of answers. Each answer limits the difference to the time
 * that its request took and the whole second of the header; all answers together limit it more. An answer that contradicts the others
 * begins anew, because a clock was set.
 */
export function createClockDifference() {
  let [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  let ms = 0
  return {
    /** Milliseconds; 0 if the clocks may be equal. */
    ms: () => ms,
    /** Whether the difference has changed. `sentAt`, `receivedAt`: by the clock of this device. */
    note(date: string | null, sentAt: number, receivedAt: number): boolean {
      const at = Date.parse(date ?? '')
      if (Number.isNaN(at) || receivedAt < sentAt) return false
      const own = [at - receivedAt, at + second - sentAt] as const
      const both = [Math.max(least, own[0]), Math.min(most, own[1])] as const
      ;[least, most] = both[0] <= both[1] ? both : own
      const before = ms
      ms = least <= 0 && most >= 0 ? 0 : Math.round((least + most) / 2)
      return ms !== before
    },
  }
}
