import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { slowness } from './slowness.ts'

/** A wait gives up once nothing has changed for this long, in milliseconds. */
export const stallMs = Math.round(90_000 * slowness())

/** Repeats `look` until the result fits. Gives up with the last result when it has not changed for `stallMs`. */
export async function eventually<T>(look: () => Promise<T>, fits: (found: T) => boolean): Promise<T> {
  let lastText: string | undefined
  for (let movedAt = Date.now(); ; await sleep(100)) {
    const found = await look().catch((error) => error as T)
    if (fits(found)) return found
    const text = textOf(found)
    if (text !== lastText) movedAt = Date.now()
    else if (Date.now() - movedAt > stallMs) throw new Error(`Nothing changed for ${stallMs / 1000} s; last result: ${text.slice(0, 2000)}`)
    lastText = text
  }
}

/** Repeats a call under the same id until its status is below 500, as a client does while a server restarts. */
export async function until<A extends { status: number }>(call: () => Promise<A>): Promise<A> {
  for (const end = Date.now() + 2 * stallMs; ; await sleep(60)) {
    try {
      const answer = await call()
      if (answer.status < 500 || Date.now() > end) return answer
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

function textOf(found: unknown): string {
  if (found instanceof Error) return found.message
  return inspect(found, { depth: 8, maxArrayLength: null, breakLength: Number.POSITIVE_INFINITY })
}
