import type { Logger } from 'pino'
import { withTimeout } from '../concurrency/retry.ts'

const everyMs = 2000
const timeoutMs = 5000

/** Checks each store regularly and logs one line when an outage begins and one when it ends. */
export function watchStores(stores: Record<string, () => Promise<unknown>>, logger: Logger): () => void {
  const unavailableSince = new Map<string, number>()
  const busy = new Set<string>()
  async function check(store: string, ask: () => Promise<unknown>): Promise<void> {
    if (busy.has(store)) return
    busy.add(store)
    try {
      await withTimeout(ask(), timeoutMs, `an answer of ${store}`)
      const since = unavailableSince.get(store)
      if (unavailableSince.delete(store)) logger.warn({ store, seconds: Math.round((Date.now() - since!) / 1000) }, 'Store available again')
    } catch (error) {
      if (!unavailableSince.has(store)) logger.error({ store, err: error }, 'Store unavailable')
      if (!unavailableSince.has(store)) unavailableSince.set(store, Date.now())
    } finally {
      busy.delete(store)
    }
  }
  const timer = setInterval(() => {
    for (const [store, ask] of Object.entries(stores)) void check(store, ask)
  }, everyMs)
  return () => clearInterval(timer)
}
