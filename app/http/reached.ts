import type { Kysely } from 'kysely'
import type { Database } from '#projections/database.ts'
import { Unavailable } from '../eventlog/eventlog.ts'
import type { Ears } from './changes.ts'

export type Reached = (position: bigint | null) => Promise<void>

const patienceMs = 2000

/**
 * Waits until a projector's tables hold what was appended at this position: the caller reads what it wrote. After two seconds it says
 * Unavailable rather than let an old row pass for a new one; what was written stays, and the same command asked again finds it.
 */
export function reachedBy(projector: string, db: Kysely<Database>, ears: Ears): Reached {
  let known = -1n
  const waiting = new Set<{ position: bigint; done: () => void }>()

  function moved(position: bigint): void {
    if (position > known) known = position
    for (const one of waiting)
      if (one.position <= known) {
        waiting.delete(one)
        one.done()
      }
  }
  async function look(): Promise<void> {
    const row = await db.selectFrom('checkpoint').select('position').where('name', '=', projector).executeTakeFirst()
    if (row) moved(BigInt(row.position))
  }
  ears.on('projected', (line) => {
    const [name, position = '-1'] = line.split(' ')
    if (name === projector) moved(BigInt(position))
  })

  return async (position) => {
    if (position === null || position <= known) return
    await new Promise<void>((resolve, reject) => {
      const again = setInterval(() => void look().catch(() => undefined), 250)
      const settle = (end: () => void) => () => {
        clearInterval(again)
        clearTimeout(enough)
        waiting.delete(one)
        end()
      }
      const one = { position, done: settle(resolve) }
      const enough = setTimeout(
        settle(() => reject(new Unavailable(`${projector} has not come to ${position}`))),
        patienceMs,
      )
      waiting.add(one)
    })
  }
}
