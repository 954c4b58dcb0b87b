import type { Kysely } from 'kysely'
import type { AcceptedResponse } from '#domain/contract.ts'
import type { Database } from '#projections/database.ts'
import { Unavailable } from '../event-store/event-store.ts'
import type { NotificationBus } from '../postgres/notification-bus.ts'

/** Waits until the read tables hold what was appended at this position, as long as a caller may wait; answers whether they do. */
export type WaitForProjection = (position: bigint | null) => Promise<boolean>

/** No failure: what a call stored will be shown, and an old row must not pass for it until then. */
export class ReadModelLagging extends Error {
  override readonly name = 'NotYetVisible'
  readonly stored: AcceptedResponse
  constructor(stored: Omit<AcceptedResponse, 'stored'>) {
    super('it is stored, and the read tables have not come to it yet')
    this.stored = { stored: true, ...stored }
  }
}

const timeoutMs = 2000
/** Where the tables stood still for that long, nobody else waits as long for nothing. */
const stillMs = 200

/** What came of a command, as far as it says from where on it is shown. */
type Written = { position: bigint | null; events: unknown[]; state: object }

/** The caller reads what it wrote: where the tables do not come to it in time, the caller is told that it is stored. `ids`: the rows it is about. */
export async function waitUntilVisible(
  waitForProjection: WaitForProjection,
  { position, events, state }: Written,
  ids: number[],
): Promise<void> {
  if (await waitForProjection(position)) return
  const last = 'revision' in state ? Number(state.revision) : 0
  throw new ReadModelLagging({ ids, revision: Math.max(0, last - Math.max(0, events.length - 1)) })
}

/** For what is decided by what the tables say: they hold all that was written until now. */
export async function assertCaughtUp({
  waitForProjection,
  readHeadPosition,
}: {
  waitForProjection: WaitForProjection
  readHeadPosition: () => Promise<bigint | null>
}): Promise<void> {
  if (!(await waitForProjection(await readHeadPosition()))) throw new Unavailable('the read tables have not come to the end of the log')
}

/** `projectors`: all that follow the kind of stream. */
export function createProjectionWaiter(projectors: string[], db: Kysely<Database>, notifications: NotificationBus): WaitForProjection {
  const at = new Map(projectors.map((name) => [name, -1n]))
  let known = -1n
  let still = false
  const waiting = new Set<{ position: bigint; done: (reached: boolean) => void }>()

  function moved(name: string, position: bigint): void {
    if (position <= at.get(name)!) return
    at.set(name, position)
    const all = [...at.values()].reduce((a, b) => (a < b ? a : b))
    if (all === known) return
    known = all
    still = false
    for (const one of waiting) if (one.position <= known) one.done(true)
  }
  async function look(): Promise<void> {
    const rows = await db.selectFrom('checkpoint').select(['name', 'position']).where('name', 'in', projectors).execute()
    for (const { name, position } of rows) moved(name, BigInt(position))
  }
  notifications.on('projected', (line) => {
    const [name = '', position = '-1'] = line.split(' ')
    if (at.has(name)) moved(name, BigInt(position))
  })

  return async (position) => {
    if (position === null || position <= known) return true
    return new Promise<boolean>((resolve) => {
      const again = setInterval(() => void look().catch(() => undefined), still ? stillMs / 2 : 250)
      const one = {
        position,
        done(reached: boolean) {
          clearInterval(again)
          clearTimeout(enough)
          waiting.delete(one)
          if (!reached) still = true
          resolve(reached)
        },
      }
      const enough = setTimeout(() => one.done(false), still ? stillMs : timeoutMs)
      waiting.add(one)
    })
  }
}
