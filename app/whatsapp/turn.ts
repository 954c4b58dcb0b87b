import { createSemaphore } from '#app/concurrency/semaphore.ts'

/** Logins at the same time, because a process that lost all sockets at once would otherwise use the whole processor. */
const mostAtOnce = 5
/** A login that takes longer no longer counts, so that the others continue. */
const mostMs = 3000

const logins = createSemaphore(mostAtOnce)

/** Waits until fewer logins run. Returns a function that frees the slot. */
export async function turn(): Promise<() => void> {
  const release = await logins.acquire()
  const late = setTimeout(release, mostMs).unref()
  return () => {
    clearTimeout(late)
    release()
  }
}
