import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

/** The cores that the limits of the tests are made for. */
const cores = 2
const measuredMs = 1000

/**
 * How many times less processor time the tests get here than two free cores give, from 1 to 20: two threads that never rest say how much
 * they got. Limits of waits are multiplied by it.
 */
export async function measureSlowness(): Promise<number> {
  const threads = Array.from({ length: cores }, () => new Worker('for (;;) Math.random()', { eval: true }))
  await Promise.all(threads.map((thread) => new Promise((started) => thread.once('online', started))))
  const [before, start] = [process.cpuUsage(), performance.now()]
  await sleep(measuredMs)
  const { user, system } = process.cpuUsage(before)
  const got = (user + system) / 1000 / (performance.now() - start)
  await Promise.all(threads.map((thread) => thread.terminate()))
  return Math.min(20, Math.max(1, Math.round((cores / got) * 10) / 10))
}

/** What was measured at the start of this run. */
export const slowness = (): number => Number(process.env.GUICHE_TEST_SLOWNESS ?? 1)
