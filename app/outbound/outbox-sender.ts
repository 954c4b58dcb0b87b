import { sql } from 'kysely'
import type { LeasedConnection } from '../channels/channel.ts'
import { createBackoff, createLoggedBackoff } from '../concurrency/retry.ts'
import { isTransient } from '../event-store/transient-errors.ts'
import { faulted } from './delivery-failures.ts'
import { limitOf, pauses, tokenBucket } from './limits.ts'
import { attempt, type Deps, mostAttempts } from './outbox.ts'

/** Conversations of one connection that are at its channel at the same time. */
export const slots = 8
/** Conversations of which it is known when something left, but for those of a moment. */
const mostKnown = 1000
const faultMs = { first: 500, most: 10_000 }

/** Whether whom it is for wrote by this connection within a day. */
const wrote = sql<boolean>`coalesce((
  select m.created_at from ticket e join message m on m.ticket_id = e.id
  where e.contact_id = outbox.contact_id and e.whatsapp_id = outbox.connection_id and not m.from_me
  order by e.id desc, m.revision desc limit 1) > app_now() - interval '24 hours', false)`

/** Sends what waits in a connection's outbox: conversations side by side, each in its order, no faster than its provider bears. */
export async function runOutbox(line: LeasedConnection, deps: Deps, signal: AbortSignal): Promise<void> {
  const { db, logger } = deps
  const connectionId = line.connection.id
  const wait = createLoggedBackoff(createBackoff(200, 5000), logger, `sending by connection ${connectionId}`)
  const atChannel = new Map<number, Promise<void>>()
  /** Until when a conversation waits, whose first message was tried and may not be tried again yet. */
  const resting = new Map<number, number>()
  /** How long it waits after a fault that is not its channel's; longer each time. */
  const faults = new Map<number, number>()
  /** When the last of a conversation left. */
  const left = new Map<number, number>()
  const { apart, ...limit } = limitOf(line.connection.provider)
  const spend = tokenBucket(limit)
  const unasked = apart && pauses(apart)

  async function deal(row: Parameters<typeof attempt>[0]): Promise<void> {
    try {
      await attempt(row, line, deps)
      faults.delete(row.contactId)
      if (row.kind === 'send') left.set(row.contactId, Date.now())
    } catch (error) {
      const ms = faults.get(row.contactId) ?? faultMs.first
      faults.set(row.contactId, Math.min(2 * ms, faultMs.most))
      resting.set(row.contactId, Date.now() + ms)
      logger[isTransient(error) ? 'debug' : 'warn'](
        { err: error, messageId: row.messageId },
        'what leaves was interrupted and is tried again',
      )
      if (!isTransient(error)) await faulted(row, deps).catch((err: unknown) => logger.debug({ err }, 'a fault was not counted'))
    }
    atChannel.delete(row.contactId)
    line.outbox.ring()
  }

  /** Fills the free slots; answers in how many milliseconds there may be more to do, undefined where a ring will tell. */
  async function fill(): Promise<number | undefined> {
    while (atChannel.size < slots && !signal.aborted) {
      const { provider, status } = line.connection
      if (status !== 'CONNECTED' && deps.channel(provider)) return undefined
      const now = Date.now()
      for (const [contactId, until] of resting) if (until <= now) resting.delete(contactId)
      if (left.size > mostKnown) for (const [contactId, at] of left) if (at < now - 60_000) left.delete(contactId)
      const room = slots - atChannel.size
      const restMs = unasked?.ms() ?? 0
      const passedOver = [...atChannel.keys(), ...resting.keys()]
      const rows = await db
        .selectFrom('outbox')
        .selectAll()
        .select(apart ? wrote.as('asked') : sql<boolean>`true`.as('asked'))
        .where('connectionId', '=', connectionId)
        .where('state', '=', 'waiting')
        .$if(restMs > 0, (one) => one.where(wrote))
        .where(({ or, eb }) =>
          or([eb('kind', '=', 'send'), eb('attempts', '<', mostAttempts), eb('dueAt', '<=', new Date().toISOString())]),
        ) // but for what stepped aside
        .where(sql<boolean>`contact_id <> all(${passedOver}::int[])`)
        .orderBy('n')
        .limit(room)
        .execute()
      for (const row of rows) {
        if (atChannel.size === slots || signal.aborted) break
        if (atChannel.has(row.contactId) || resting.has(row.contactId)) continue
        const due = Math.max(Date.parse(row.dueAt), (left.get(row.contactId) ?? 0) + row.gapMs)
        if (due > now) {
          resting.set(row.contactId, due)
          continue
        }
        const first = row.kind === 'send' && !row.asked
        if (first && unasked!.ms() > 0) {
          resting.set(row.contactId, now + unasked!.ms()) // with all that is behind it
          continue
        }
        const ms = row.kind === 'read' ? 0 : spend() // a person reads faster than they write
        if (ms > 0) return ms
        if (first) unasked!.left()
        atChannel.set(row.contactId, deal(row))
      }
      if (rows.length < room) break
    }
    const restMs = unasked?.ms() ?? 0
    const waits = [...resting.values()].map((until) => Math.max(1, until - Date.now()))
    return waits.length + restMs > 0 ? Math.min(...waits, ...(restMs > 0 ? [restMs] : [])) : undefined
  }

  signal.addEventListener('abort', line.outbox.ring, { once: true })
  while (!signal.aborted)
    try {
      const ms = await fill()
      wait.over()
      if (!signal.aborted) await line.outbox.rung(ms)
    } catch (error) {
      await wait.pause(error, signal)
    }
  await Promise.all(atChannel.values())
}
