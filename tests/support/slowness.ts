import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

/** The time limits of the tests suit a machine with this many free cores. */
const cores = 2
const measuredMs = 1000

/**
 * Measures how many times less processor time this machine gives than two free cores, from 1 to 20. Two busy
 * threads run for a second. The time limits of waits are multiplied by the result.
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

/** The slowness that was measured at the start of this run. */
export const slowness = (): number => Number(process.env.GUICHE_TEST_SLOWNESS ?? 1)
