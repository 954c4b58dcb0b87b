import { availableParallelism } from 'node:os'
import { refuse } from '#domain/errors.ts'
import { createSemaphore } from '../concurrency/semaphore.ts'

/** Concurrent password checks. Each takes as much CPU time as ten lists, and agents need CPU too. */
const width = Math.max(1, Math.min(2, availableParallelism() - 1))
/** Maximum waiting sign-ins, in total and per address. An office shares an address. */
const most = { all: 80, address: 50 }

/** Limits concurrent sign-ins, so that they slow agents little. A full queue refuses at once. */
export function signInLane() {
  const checks = createSemaphore(width)
  const from = new Map<string, number>()

  return async function inLane<T>(address: string, act: () => Promise<T>): Promise<T> {
    const mine = from.get(address) ?? 0
    if (checks.waitingCount() >= most.all || mine >= most.address) refuse('ERR_TOO_MANY_REQUESTS', { retryAfter: 2 })
    from.set(address, mine + 1)
    try {
      return await checks.run(act)
    } finally {
      const left = from.get(address)! - 1
      if (left > 0) from.set(address, left)
      else from.delete(address)
    }
  }
}
