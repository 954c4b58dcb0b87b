/** Lets at most `most` tasks run at once. The others wait in the order of their calls. */
export function createSemaphore(most: number) {
  const waiting: (() => void)[] = []
  let running = 0
  const pass = () => {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
  /** Waits for a slot. Returns a function that frees it; further calls of that function change nothing. */
  async function acquire(): Promise<() => void> {
    if (running < most) running++
    else await new Promise<void>((go) => waiting.push(go))
    let isFree = false
    return () => {
      if (isFree) return
      isFree = true
      pass()
    }
  }
  return {
    acquire,
    async run<T>(task: () => Promise<T>): Promise<T> {
      const release = await acquire()
      try {
        return await task()
      } finally {
        release()
      }
    },
    waitingCount: () => waiting.length,
  }
}
