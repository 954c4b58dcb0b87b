import type { Logger } from 'pino'
import { withTimeout } from '../concurrency/retry.ts'

const everyMs = 2000
const timeoutMs = 5000

/** Asks each store in turn whether it is there: one line when an outage begins, one when it ends, whoever met it meanwhile. */
export function watchStores(stores: Record<string, () => Promise<unknown>>, logger: Logger): () => void {
  const away = new Map<string, number>()
  const busy = new Set<string>()
  async function look(store: string, ask: () => Promise<unknown>): Promise<void> {
    if (busy.has(store)) return
    busy.add(store)
    try {
      await withTimeout(ask(), timeoutMs, `an answer of ${store}`)
      const since = away.get(store)
      if (away.delete(store)) logger.warn({ store, seconds: Math.round((Date.now() - since!) / 1000) }, `${store} is back`)
    } catch (error) {
      if (!away.has(store)) logger.error({ store, err: error }, `${store} is away`)
      if (!away.has(store)) away.set(store, Date.now())
    } finally {
      busy.delete(store)
    }
  }
  const timer = setInterval(() => {
    for (const [store, ask] of Object.entries(stores)) void look(store, ask)
  }, everyMs)
  return () => clearInterval(timer)
}
