import { withTimeout } from '../concurrency/retry.ts'
import type { AppContext } from '../context.ts'

/** Shorter than the timeouts of proxies and supervisors. */
const timeoutMs = 2000

/** Replaces a late answer by `fallback`, so that a store that hangs does not make this process look dead. */
export const orFallback = <T>(answer: Promise<T>, fallback: T): Promise<T> =>
  withTimeout(answer, timeoutMs, 'an answer').catch(() => fallback)

/** Names of the stores that do not answer in time. */
export async function findUnavailableStores({ healthChecks }: Pick<AppContext, 'healthChecks'>): Promise<string[]> {
  const checks = Object.entries(healthChecks).map(([store, ask]) =>
    withTimeout(ask(), timeoutMs, `an answer of ${store}`).then(
      () => [],
      () => [store],
    ),
  )
  return (await Promise.all(checks)).flat()
}
