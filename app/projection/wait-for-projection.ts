import type { Kysely } from 'kysely'
import type { AcceptedResponse } from '#domain/contract.ts'
import type { Database } from '#projections/database.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import { Unavailable } from '../event-store/event-store.ts'
import type { NotificationBus } from '../postgres/notification-bus.ts'

/** Waits until the read models contain the event at this position, for a limited time. Returns false if they still lag. */
export type WaitForProjection = (position: bigint | null) => Promise<boolean>

/** The command is stored, but its result is not readable yet. The caller gets `stored` (202) instead of an outdated row. */
export class ReadModelLagging extends Error {
  override readonly name = 'ReadModelLagging'
  readonly stored: AcceptedResponse
  constructor(stored: Omit<AcceptedResponse, 'stored'>) {
    super('Command stored; read models have not caught up yet')
    this.stored = { stored: true, ...stored }
  }
}

const timeoutMs = 2000
/** The shorter wait after one caller has waited in vain, until the read models move again. */
const stalledTimeoutMs = 200

/** The parts of a command's result that are needed to wait for it. */
type Written = { position: bigint | null; events: unknown[]; state: object }

/** Lets the caller read its own write. Throws `ReadModelLagging` if the read models lag. `ids`: the affected rows. */
export async function waitUntilVisible(
  waitForProjection: WaitForProjection,
  { position, events, state }: Written,
  ids: number[],
): Promise<void> {
  if (await waitForProjection(position)) return
  const last = 'revision' in state ? Number(state.revision) : 0
  throw new ReadModelLagging({ ids, revision: Math.max(0, last - Math.max(0, events.length - 1)) })
}

/** For decisions that read the tables: throws unless the tables contain all events up to now. */
export async function assertCaughtUp({
  waitForProjection,
  readHeadPosition,
}: {
  waitForProjection: WaitForProjection
  readHeadPosition: () => Promise<bigint | null>
}): Promise<void> {
  if (!(await waitForProjection(await readHeadPosition()))) throw new Unavailable('Read models have not caught up')
}

/** `projectors`: the names of all projectors of the stream category. */
export function createProjectionWaiter(projectors: string[], db: Kysely<Database>, notifications: NotificationBus): WaitForProjection {
  const at = new Map(projectors.map((name) => [name, -1n]))
  let known = -1n
  let isStalled = false
  const waiting = new Set<{ position: bigint; done: (reached: boolean) => void }>()

  function advance(name: string, position: bigint): void {
    if (position <= at.get(name)!) return
    at.set(name, position)
    const all = [...at.values()].reduce((a, b) => (a < b ? a : b))
    if (all === known) return
    known = all
    isStalled = false
    for (const one of waiting) if (one.position <= known) one.done(true)
  }
  async function poll(): Promise<void> {
    const rows = await db.selectFrom('checkpoint').select(['name', 'position']).where('name', 'in', projectors).execute()
    for (const { name, position } of rows) advance(name, BigInt(position))
  }
  notifications.on('projected', (line) => {
    const [name = '', position = '-1'] = line.split(' ')
    if (at.has(name)) advance(name, BigInt(position))
  })

  return async (position) => {
    if (position === null || position <= known) return true
    return new Promise<boolean>((resolve) => {
      const polling = setInterval(() => void ignoreErrors(poll(), 'the next poll tries again'), isStalled ? stalledTimeoutMs / 2 : 250)
      const one = {
        position,
        done(reached: boolean) {
          clearInterval(polling)
          clearTimeout(timeout)
          waiting.delete(one)
          if (!reached) isStalled = true
          resolve(reached)
        },
      }
      const timeout = setTimeout(() => one.done(false), isStalled ? stalledTimeoutMs : timeoutMs)
      waiting.add(one)
    })
  }
}
