export type PausedBy = 'pair' | 'account' | 'address'
type Pause = { until: number; by: PausedBy }
export type LoginThrottle = ReturnType<typeof createLoginThrottle>

/** Pauses that this process has announced. Until they end, further attempts are answered from memory. */
export function createLoginThrottle(most = 20_000) {
  const pauses = new Map<string, Pause>()
  return {
    /** Stores a pause and returns whether it is new. */
    keep(key: string, pause: Pause): boolean {
      const isNew = this.known(key) === null
      pauses.delete(key)
      pauses.set(key, pause)
      if (pauses.size > most) pauses.delete(pauses.keys().next().value!)
      return isNew
    },
    known(key: string): Pause | null {
      const pause = pauses.get(key)
      if (!pause) return null
      if (pause.until > Date.now()) return pause
      pauses.delete(key)
      return null
    },
    forget: () => pauses.clear(),
  }
}
