import { type Kysely, sql } from 'kysely'
import type { Database } from '#projections/database.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'

export type Queue = 'journal' | 'outbox'
/** Returns whether this process holds the connection's lease. */
type WakeLeased = (connectionId: number, queue: Queue) => boolean
/**
 * Wakes the worker that leases a connection, because its journal or outbox has new rows. Calls within 2 ms are combined into one
 * notification. It is sent after the commit, because commits that notify wait for each other's write to disk. A worker that misses the
 * notification finds the rows at its next sweep.
 */
export type WakeWorker = (connectionId: number, queue?: Queue) => void
/** Registers a direct wake-up for the connections that this process leases, without Postgres. Returns a function that unregisters it. */
export type RegisterLeaseHolder = (wake: WakeLeased) => () => void

const combineMs = 2

export function createWorkerWakeups(db: Kysely<Database>): { wakeWorker: WakeWorker; registerLeaseHolder: RegisterLeaseHolder } {
  const holders = new Set<WakeLeased>()
  const pending = new Map<string, { queue: Queue; id: number }>()
  function flush(): void {
    const all = [...pending.values()]
    pending.clear()
    const here = [...holders]
    const elsewhere = all.filter(({ id, queue }) => !here.some((wake) => wake(id, queue)))
    if (elsewhere.length === 0) return
    const list = JSON.stringify(elsewhere.map(({ id, queue }) => ({ id: String(id), queue })))
    const notified = sql`
      select pg_notify(queue, id), set_config('synchronous_commit', 'off', true)
      from jsonb_to_recordset(${list}::jsonb) as t(queue text, id text)`.execute(db)
    void ignoreErrors(notified, 'the worker finds the rows at its next sweep')
  }
  return {
    wakeWorker(connectionId, queue = 'journal') {
      if (pending.size === 0) setTimeout(flush, combineMs)
      pending.set(`${queue} ${connectionId}`, { queue, id: connectionId })
    },
    registerLeaseHolder(wake) {
      holders.add(wake)
      return () => holders.delete(wake)
    },
  }
}
