import { sql } from 'kysely'
import { minuteMs } from '#domain/duration/rules.ts'
import type { LeasedConnection } from '../channels/channel.ts'
import { createBackoff, createLoggedBackoff, repeatUntilAborted } from '../concurrency/retry.ts'
import { isTransient } from '../event-store/transient-errors.ts'
import { recordFault } from './delivery-failures.ts'
import { limitOf, pauses, tokenBucket } from './limits.ts'
import { attemptDelivery, type Deps, mostAttempts } from './outbox.ts'

/** Conversations of one connection that send at the same time. */
export const slots = 8
/** Conversations whose last send time is kept. Times of the last minute are kept beyond this number. */
const mostKnown = 1000
const faultMs = { first: 500, most: 10_000 }

/** Whether the recipient wrote to this connection within a day. */
const wroteRecently = sql<boolean>`coalesce((
  select m.created_at from ticket e join message m on m.ticket_id = e.id
  where e.contact_id = outbox.contact_id and e.whatsapp_id = outbox.connection_id and not m.from_me
  order by e.id desc, m.revision desc limit 1) > app_now() - interval '24 hours', false)`

/** Sends the waiting outbox rows of a connection: conversations in parallel, each in order, within the provider's rate limit. */
export async function runOutbox(leased: LeasedConnection, deps: Deps, signal: AbortSignal): Promise<void> {
  const { db, logger } = deps
  const connectionId = leased.connection.id
  const wait = createLoggedBackoff(createBackoff(200, 5000), logger, `Outbox of connection ${connectionId}`)
  const atChannel = new Map<number, Promise<void>>()
  /** Until when a conversation waits, because its first message may not be tried again yet. */
  const resting = new Map<number, number>()
  /** The growing pause of a conversation after a fault that its channel did not cause. */
  const faults = new Map<number, number>()
  /** When the last message of a conversation was sent. */
  const lastSentAt = new Map<number, number>()
  const { apart, ...limit } = limitOf(leased.connection.provider)
  const spend = tokenBucket(limit)
  const spacing = apart && pauses(apart)

  async function deal(row: Parameters<typeof attemptDelivery>[0]): Promise<void> {
    try {
      await attemptDelivery(row, leased, deps)
      faults.delete(row.contactId)
      if (row.kind === 'send') lastSentAt.set(row.contactId, Date.now())
    } catch (error) {
      const ms = faults.get(row.contactId) ?? faultMs.first
      faults.set(row.contactId, Math.min(2 * ms, faultMs.most))
      resting.set(row.contactId, Date.now() + ms)
      logger[isTransient(error) ? 'debug' : 'warn']({ err: error, messageId: row.messageId }, 'Outbound message interrupted; retrying')
      if (!isTransient(error))
        await recordFault(row, deps).catch((err: unknown) => logger.debug({ err }, 'Outbox fault could not be counted'))
    }
    atChannel.delete(row.contactId)
    leased.outbox.set()
  }

  /** Fills the free slots. Returns the milliseconds until more may be due, or undefined if a wake-up will follow. */
  async function fill(): Promise<number | undefined> {
    while (atChannel.size < slots && !signal.aborted) {
      const { provider, status } = leased.connection
      if (status !== 'CONNECTED' && deps.channel(provider)) return undefined
      const now = Date.now()
      for (const [contactId, until] of resting) if (until <= now) resting.delete(contactId)
      if (lastSentAt.size > mostKnown) for (const [contactId, at] of lastSentAt) if (at < now - minuteMs) lastSentAt.delete(contactId)
      const room = slots - atChannel.size
      const restMs = spacing?.ms() ?? 0
      const passedOver = [...atChannel.keys(), ...resting.keys()]
      const rows = await findDue(db, connectionId, { passedOver, onlyRecent: restMs > 0, isSpaced: apart !== undefined, room })
      for (const row of rows) {
        if (atChannel.size === slots || signal.aborted) break
        if (atChannel.has(row.contactId) || resting.has(row.contactId)) continue
        const due = Math.max(Date.parse(row.dueAt), (lastSentAt.get(row.contactId) ?? 0) + row.gapMs)
        if (due > now) {
          resting.set(row.contactId, due)
          continue
        }
        const needsSpacing = row.kind === 'send' && !row.asked
        if (needsSpacing && spacing!.ms() > 0) {
          resting.set(row.contactId, now + spacing!.ms()) // the later rows of the conversation wait too
          continue
        }
        const ms = row.kind === 'read' ? 0 : spend() // a person reads faster than they write
        if (ms > 0) return ms
        if (needsSpacing) spacing!.left()
        atChannel.set(row.contactId, deal(row))
      }
      if (rows.length < room) break
    }
    const restMs = spacing?.ms() ?? 0
    const waits = [...resting.values()].map((until) => Math.max(1, until - Date.now()))
    return waits.length + restMs > 0 ? Math.min(...waits, ...(restMs > 0 ? [restMs] : [])) : undefined
  }

  signal.addEventListener('abort', leased.outbox.set, { once: true })
  async function sendDue(): Promise<void> {
    const ms = await fill()
    wait.over()
    if (!signal.aborted) await leased.outbox.wait(ms)
  }
  await repeatUntilAborted(sendDue, wait, signal)
  await Promise.all(atChannel.values())
}

type Wanted = { passedOver: number[]; onlyRecent: boolean; isSpaced: boolean; room: number }
/** The waiting rows that may be sent now, oldest first. `asked`: the recipient wrote recently, or messages need no spacing. */
function findDue(db: Deps['db'], connectionId: number, { passedOver, onlyRecent, isSpaced, room }: Wanted) {
  return db
    .selectFrom('outbox')
    .selectAll()
    .select(isSpaced ? wroteRecently.as('asked') : sql<boolean>`true`.as('asked'))
    .where('connectionId', '=', connectionId)
    .where('state', '=', 'waiting')
    .$if(onlyRecent, (one) => one.where(wroteRecently))
    .where(({ or, eb }) => or([eb('kind', '=', 'send'), eb('attempts', '<', mostAttempts), eb('dueAt', '<=', new Date().toISOString())])) // without changes that reached the attempt limit and are not due
    .where(sql<boolean>`contact_id <> all(${passedOver}::int[])`)
    .orderBy('n')
    .limit(room)
    .execute()
}
