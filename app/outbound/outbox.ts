import type { Insertable, Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { leavesAs } from '#domain/channel/rules.ts'
import type { Cause, CommandMetadata } from '#domain/decider.ts'
import { everyText } from '#domain/interactive/rules.ts'
import type { TicketCommand } from '#domain/ticket/decide.ts'
import type { TicketMessage } from '#domain/ticket/message.ts'
import { createStoreBatchLoader } from '#projections/batch-loader.ts'
import type { Database, OutboxRow } from '#projections/database.ts'
import {
  type Channel,
  inWords,
  type LeasedConnection,
  type Outgoing,
  PartialDeliveryError,
  PermanentChannelError,
  TransientChannelError,
} from '../channels/channel.ts'
import { withTimeout } from '../concurrency/retry.ts'
import type { ContactKeys } from '../crypto/contact-keys.ts'
import { type EventStore, Unavailable } from '../event-store/event-store.ts'
import type { WakeWorker } from '../inbound/worker-wakeups.ts'
import { type Addressee, newestText, propagateChange, readRelatedEvents } from '../message/propagate-change.ts'
import type { ExecuteTicketCommand, LoadTicket } from '../ticket/ticket-repository.ts'
import { uploadMs } from './limits.ts'
import { fillPlaceholders, target, targetOf } from './recipient.ts'

export type Deps = {
  db: Kysely<Database>
  eventStore: EventStore
  contactKeys: ContactKeys
  execute: ExecuteTicketCommand
  load: LoadTicket
  /** The adapter of a connection's provider; undefined where none is installed. */
  channel: (provider: string) => Channel | undefined
  logger: Logger
  /** Time limit of a send in milliseconds, if it differs from the usual one. */
  sendMs?: (content: Outgoing) => number
}
type OutboundRequest = Pick<
  OutboxRow,
  'kind' | 'messageId' | 'externalId' | 'companyId' | 'ticketId' | 'revision' | 'connectionId' | 'contactId'
> & {
  cause: Cause
  /** Delay before the send, in milliseconds. */
  afterMs?: number
}

const changeTimeoutMs = 30_000
const usualMs = ({ media }: Outgoing) => 30_000 + uploadMs(media?.size ?? 0)
/** After its abort a send has this time to report whether the message left. */
const abortGraceMs = 5000
/** After this many attempts a change of a message no longer delays the later rows. */
export const mostAttempts = 6
/** A message fails after the channel postponed it this often; hours have passed by then. */
export const mostPutOff = 24
/** Pause between two delayed messages of a conversation. */
export const apartMs = 1000
const backoffMs = (attempt: number) => Math.min(500 * 2 ** attempt, 600_000)
/** The pause that the channel requests, or a longer one after many postponements. */
const restMs = (putOff: number, afterMs?: number) => Math.max(afterMs ?? backoffMs(putOff + 1), backoffMs(putOff - 4))

/** Inserts the rows of one moment in one statement, so that one write to disk serves many conversations. */
const inserted = createStoreBatchLoader(async (db: Kysely<Database>, rows: Insertable<Database['outbox']>[]): Promise<undefined[]> => {
  const inOrder = rows.toSorted((a, b) => a.ticketId - b.ticketId || a.revision - b.revision) // a fixed order, so that two writers of the same rows cannot deadlock
  await db
    .insertInto('outbox')
    .values(inOrder)
    .onConflict((row) => row.doNothing())
    .execute()
  return rows.map(() => undefined)
})

export function insertOutboxRow({ afterMs = 0, cause, ...asked }: OutboundRequest & { state?: 'taken' }, { db }: Pick<Deps, 'db'>) {
  const dueAt = new Date(Date.now() + afterMs).toISOString()
  const later = afterMs > 0 && { dueAt, gapMs: Math.min(afterMs, apartMs) } // overdue messages keep their pauses
  return inserted(db, { state: 'waiting', ...asked, cause: JSON.stringify(cause), ...later })
}
/** Adds one action at the channel to the outbox, one row per event, and wakes the worker that leases the connection. */
export async function enqueueOutbound(
  asked: OutboundRequest,
  { db, wakeWorker }: Pick<Deps, 'db'> & { wakeWorker: WakeWorker },
): Promise<void> {
  await insertOutboxRow(asked, { db })
  wakeWorker(asked.connectionId, 'outbox')
}

/** Returns the id of a message with an uncertain outcome, which the recipient may have. */
export async function idOnItsWay(db: Deps['db'], messageId: number): Promise<string | undefined> {
  const sent = db.selectFrom('outbox').select('externalId').where('messageId', '=', messageId).where('kind', '=', 'send')
  return (await sent.where('state', '=', 'uncertain').executeTakeFirst())?.externalId
}
/** Frees the external id of a message that is sent again under the same id, so that only the new row is found by it. */
export async function freeExternalId(
  { again, externalId }: { again: number; externalId: string },
  { db }: Pick<Deps, 'db'>,
): Promise<void> {
  const given = { state: 'failed' as const, externalId: `${externalId}:again` }
  const before = db.updateTable('outbox').set(given).where('messageId', '=', again).where('kind', '=', 'send')
  await before.where('externalId', '=', externalId).execute()
}

/** Executes an outbox row. Afterwards the row is done or due later, or the connection proved to be down. */
export async function attemptDelivery(row: OutboxRow, leased: LeasedConnection, deps: Deps): Promise<void> {
  const current = await target(row, deps.db)
  const channel = current && deps.channel(current.provider)
  if (current && channel && current.status !== 'CONNECTED') {
    leased.connection = { ...leased.connection, status: current.status }
    return
  }
  const ticket = await deps.load(row.companyId, row.ticketId, { messages: [row.messageId] })
  const present = ticket.status === 'absent' || ticket.status === 'deleted' ? undefined : ticket
  const message = present?.messages.get(row.messageId)
  const found = current && message ? await targetOf(row, message, current, deps.eventStore) : current
  if (row.kind === 'send') return found && channel ? send(row, message, channel, found, leased, deps) : fail(row, deps)
  if (!found || !channel || !message || isOfBefore(message, found)) return recordOutcome(row, 'failed', deps)
  const attempts = await claim(row, leased, deps)
  try {
    await withTimeout(propagateChange(row, message, channel, found, deps), changeTimeoutMs, 'Message change')
    return recordOutcome(row, 'taken', deps)
  } catch (error) {
    const { kind, messageId } = row
    deps.logger.warn({ err: error, kind, messageId, attempts }, 'Message change did not reach the channel')
    if (error instanceof PermanentChannelError) return recordOutcome(row, 'failed', deps)
    if (error instanceof TransientChannelError) return putOff(row, error, leased, deps)
    return wait(row, backoffMs(attempts), deps)
  }
}

/** Whether the message is ours and older than the connection's number. Its recipient never wrote to the current number. */
const isOfBefore = ({ from, at }: TicketMessage, { numberSince }: Pick<Addressee, 'numberSince'>): boolean =>
  from === 'us' && numberSince !== null && Date.parse(at) < Date.parse(numberSince)

type AttemptKey = Pick<OutboxRow, 'n' | 'attempts'> & LeasedConnection['lease']
/** Counts attempts if the lease is valid and no other process started the same one. Combines the calls of one moment in one statement. */
const startedAttempts = createStoreBatchLoader(async (db: Kysely<Database>, asked: AttemptKey[]): Promise<boolean[]> => {
  const column = (name: keyof AttemptKey) => asked.map((one) => one[name])
  const { rows } = await sql<{ n: number }>`
    update outbox o set attempts = o.attempts + 1
    from unnest(${column('n')}::bigint[], ${column('attempts')}::int[], ${column('holder')}::int[], ${column('number')}::int[])
      as w(n, attempts, holder, number), connection_lease l
    where o.n = w.n and o.attempts = w.attempts and l.connection_id = o.connection_id and l.holder = w.holder and l.number = w.number
    returning o.n`.execute(db)
  const mine = new Set(rows.map(({ n }) => n))
  return asked.map(({ n }) => mine.has(n))
})

/** Starts an attempt. Throws if another process started it or the lease has expired, so that of two holders only one continues. */
async function claim({ n, attempts }: OutboxRow, { lease, isLeaseValid }: LeasedConnection, { db }: Deps): Promise<number> {
  const late = () => new Unavailable('Connection lease has expired')
  if (!isLeaseValid()) throw late()
  if (!(await startedAttempts(db, { n, attempts, ...lease })) || !isLeaseValid()) throw late()
  return attempts + 1
}

/** Marks a message that no channel can send as failed, or as uncertain if a send was attempted. */
export async function fail(row: OutboxRow, deps: Pick<Deps, 'db' | 'execute'>): Promise<void> {
  const { messageId, attempts } = row
  if (attempts > 0) {
    await executeForRow(row, { type: 'Doubt', messageId }, 'doubt', deps)
    return recordOutcome(row, 'uncertain', deps)
  }
  await executeForRow(row, { type: 'Fail', messageId, code: 'ERR_WAPP_NOT_INITIALIZED' }, 'fail', deps)
  return recordOutcome(row, 'failed', deps)
}

export const executeForRow = (
  { companyId, ticketId, messageId, cause }: OutboxRow,
  command: TicketCommand,
  id: string,
  { execute }: Pick<Deps, 'execute'>,
) => execute(ticketId, { ...command, ...system(companyId) }, `${id}-${messageId}`, cause ?? undefined)

async function send(
  row: OutboxRow,
  message: TicketMessage | undefined,
  channel: Channel,
  addressee: Addressee,
  leased: LeasedConnection,
  deps: Deps,
): Promise<void> {
  const { messageId, externalId } = row
  if (!message) return recordOutcome(row, 'taken', deps)
  const crashed = row.attempts > 0 && !channel.supportsIdempotentSend // the process of the last attempt ended without recording the outcome
  if (crashed && row.partsDue > 0 && !message.removed) {
    await executeForRow(row, { type: 'Fail', messageId, code: 'ERR_SENT_IN_PART', partly: true }, 'fail', deps)
    return recordOutcome(row, 'failed', deps)
  }
  if (message.removed || message.ack > 0) return recordOutcome(row, 'taken', deps, row.attempts > 0 ? await providerIdOf(row, deps) : null)
  const late = isOfBefore(message, addressee)
  if (crashed || (late && row.attempts > 0)) {
    await executeForRow(row, { type: 'Doubt', messageId }, 'doubt', deps)
    return recordOutcome(row, 'uncertain', deps)
  }
  if (late) {
    await executeForRow(row, { type: 'Fail', messageId, code: 'ERR_NUMBER_CHANGED' }, 'fail', deps)
    return recordOutcome(row, 'failed', deps)
  }
  const next = row.attempts + 1
  await executeForRow(row, { type: 'Dispatch', messageId, attempt: next }, `dispatch-${next}`, deps)
  const content = await contentOf(row, addressee, deps) // after the dispatch event, so that an edit knows whether it is included
  const attempts = await claim(row, leased, deps)
  let providerId: string | null
  try {
    const ms = (deps.sendMs ?? usualMs)(content)
    providerId = await withTimeout(channel.send(addressee.to, externalId, content, AbortSignal.timeout(ms)), ms + abortGraceMs, 'Send')
  } catch (error) {
    if (error instanceof PermanentChannelError) {
      const partly = error instanceof PartialDeliveryError
      if (partly) deps.logger.warn({ err: error.cause, messageId, attempts }, 'Message was sent only in part')
      await executeForRow(row, { type: 'Fail', messageId, code: error.code, ...(partly && { partly }) }, 'fail', deps)
      return recordOutcome(row, 'failed', deps)
    }
    if (error instanceof TransientChannelError && row.putOff < mostPutOff) return putOff(row, error, leased, deps)
    if (error instanceof TransientChannelError) {
      await executeForRow(row, { type: 'Fail', messageId, code: error.code }, 'fail', deps)
      return recordOutcome(row, 'failed', deps)
    }
    deps.logger.warn({ err: error, messageId, attempts }, 'Send outcome is unknown')
    if (channel.supportsIdempotentSend && attempts < mostAttempts) return wait(row, backoffMs(attempts), deps)
    await executeForRow(row, { type: 'Doubt', messageId }, 'doubt', deps)
    return recordOutcome(row, 'uncertain', deps)
  }
  await executeForRow(row, { type: 'Accepted', messageId, ...(providerId !== null && { providerId }) }, 'accepted', deps)
  return recordOutcome(row, 'taken', deps, providerId)
}

/**
 * Postpones a row that the channel cannot accept now. The attempt does not count. While the connection is down, the row waits and the
 * postponement does not count either.
 */
async function putOff(
  { n, attempts, putOff, connectionId }: OutboxRow,
  { code, afterMs }: TransientChannelError,
  leased: LeasedConnection,
  deps: Deps,
): Promise<void> {
  const now = await deps.db.selectFrom('connection').select('status').where('id', '=', connectionId).executeTakeFirst()
  const down = now !== undefined && now.status !== 'CONNECTED'
  if (down) leased.connection = { ...leased.connection, status: now.status }
  deps.logger.debug({ n, code, putOff, down }, 'Channel postponed an outbound message')
  const dueAt = new Date(Date.now() + (down ? 0 : restMs(putOff, afterMs))).toISOString()
  await deps.db
    .updateTable('outbox')
    .set({ attempts, putOff: down ? putOff : putOff + 1, dueAt })
    .where('n', '=', n)
    .execute()
}

async function wait({ n }: OutboxRow, ms: number, { db }: Deps): Promise<void> {
  const dueAt = new Date(Date.now() + ms).toISOString()
  await db.updateTable('outbox').set({ dueAt }).where('n', '=', n).execute()
}

type Outcome = { n: number; state: 'taken' | 'failed' | 'uncertain'; providerId: string | null }
const recorded = createStoreBatchLoader(async (db: Kysely<Database>, all: Outcome[]): Promise<undefined[]> => {
  const column = (name: keyof Outcome) => all.map((one) => one[name])
  await sql`
    update outbox o set state = w.state, provider_id = coalesce(w.provider_id, o.provider_id)
    from unnest(${column('n')}::bigint[], ${column('state')}::text[], ${column('providerId')}::text[]) as w(n, state, provider_id)
    where o.n = w.n and o.state <> 'failed' and not (w.state = 'uncertain' and o.state = 'taken')`.execute(db) // a receipt may have arrived meanwhile
  return all.map(() => undefined)
})

/** Records the outcome. Rows of messages stay, because receipts look them up, and the newest read receipt of a ticket; others are deleted. */
export async function recordOutcome(
  { n, kind, ticketId }: OutboxRow,
  state: Outcome['state'],
  { db }: Pick<Deps, 'db'>,
  providerId: string | null = null,
): Promise<void> {
  if (kind === 'send' || kind === 'read') await recorded(db, { n, state, providerId }) // so that no message is reported as read twice
  if (kind === 'send') return
  const gone = db.deleteFrom('outbox')
  if (kind === 'read')
    await gone.where('ticketId', '=', ticketId).where('kind', '=', kind).where('n', '<', n).where('state', '!=', 'waiting').execute()
  else await gone.where('n', '=', n).execute()
}

/** Returns the provider's id from the event store, if a process ended before it stored the id in the row. */
async function providerIdOf(row: OutboxRow, deps: Deps): Promise<string | null> {
  const accepted = (await readRelatedEvents(row, deps)).find((fact) => fact.type === 'MessageAccepted' && fact.messageId === row.messageId)
  return (accepted?.type === 'MessageAccepted' && accepted.providerId) || null
}

async function contentOf(row: OutboxRow, { names, way }: Addressee, deps: Deps): Promise<Outgoing> {
  const { companyId, ticketId, revision } = row
  const [event, ...since] = await readRelatedEvents(row, deps)
  if (event?.type !== 'MessageSent') throw new Error(`No message at revision ${revision} of ticket ${ticketId}`)
  const { messageId, kind, media, vCard, quotedId, quote, template, interactive } = event
  const words = newestText(messageId, since) ?? event.body // an edit before the send changes the text that is sent
  const fill = (text: string) => (event.forwarded ? text : fillPlaceholders(text, names, event.by.kind === 'user'))
  const quotedIn = quote && quotedId !== null ? await ticketOf(companyId, quotedId, deps) : ticketId
  const quotedExternalId = quotedId === null || quotedIn === null ? null : await externalIdOf(companyId, quotedIn, quotedId, deps)
  const content = {
    kind,
    body: fill(words),
    media,
    vCard,
    quotedExternalId,
    byPerson: event.by.kind === 'user',
    ...(event.forwarded && { forwarded: true as const }),
    ...(template && { template }),
  }
  if (!interactive) return content
  const touched = everyText(interactive, fill)
  return leavesAs(touched, way) === 'words' ? inWords(content) : { ...content, interactive: touched }
}

/** Returns the ticket of a message, or null if it is deleted. */
async function ticketOf(companyId: number, messageId: number, { db }: Pick<Deps, 'db'>): Promise<number | null> {
  const row = db.selectFrom('message').select('ticketId').where('id', '=', messageId).where('companyId', '=', companyId)
  return (await row.executeTakeFirst())?.ticketId ?? null
}
async function externalIdOf(companyId: number, ticketId: number, messageId: number, { load }: Deps): Promise<string | null> {
  const ticket = await load(companyId, ticketId, { messages: [messageId] })
  return ticket.status === 'absent' || ticket.status === 'deleted' ? null : (ticket.messages.get(messageId)?.externalId ?? null)
}

const system = (companyId: number): CommandMetadata => ({ companyId, by: { kind: 'system' } })
