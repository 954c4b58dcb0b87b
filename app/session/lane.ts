import { availableParallelism } from 'node:os'
import { refuse } from '#domain/errors.ts'

/** How many passwords are looked at at once: each takes a processor for as long as ten lists, and agents need one too. */
const width = Math.max(1, Math.min(2, availableParallelism() - 1))
/** How many wait behind them, and how many of one address: an office signs in from one. */
const most = { all: 80, address: 50 }

/** Sign-ins stand in a row of their own, so that they take little from those who work; a row that is full is a no at once. */
export function signInLane() {
  const waiting: (() => void)[] = []
  const from = new Map<string, number>()
  let busy = 0

  return async function inLane<T>(address: string, act: () => Promise<T>): Promise<T> {
    const mine = from.get(address) ?? 0
    if (waiting.length >= most.all || mine >= most.address) refuse('ERR_TOO_MANY_REQUESTS', { retryAfter: 2 })
    from.set(address, mine + 1)
    try {
      if (busy < width) busy++
      else await new Promise<void>((go) => waiting.push(go)) // the place is handed on
      try {
        return await act()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else busy--
      }
    } finally {
      const left = from.get(address)! - 1
      if (left > 0) from.set(address, left)
      else from.delete(address)
    }
  }
}
