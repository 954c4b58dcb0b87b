export type PausedBy = 'pair' | 'account' | 'address'
type Pause = { until: number; by: PausedBy }
export type Pauses = ReturnType<typeof openPauses>

/** The pauses this process has told somebody of: until they end, whoever tries again is answered by them alone. */
export function openPauses(most = 20_000) {
  const pauses = new Map<string, Pause>()
  return {
    /** Whether it is a new one. */
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
