import type { Insertable, Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { leavesAs } from '#domain/channel/rules.ts'
import type { Cause, CommandMetadata } from '#domain/decider.ts'
import type { TicketCommand } from '#domain/ticket/decide.ts'
import type { TicketMessage } from '#domain/ticket/message.ts'
import { gatheredBy } from '#projections/batch-loader.ts'
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
import { wakeWorker } from '../inbound/inbound-journal.ts'
import { type Addressee, factsFrom, newestWords, tell } from '../message/propagate-change.ts'
import type { ExecuteTicketCommand, LoadTicket } from '../ticket/ticket-repository.ts'
import { uploadMs } from './limits.ts'
import { target, worded } from './recipient.ts'

export type Deps = {
  db: Kysely<Database>
  eventStore: EventStore
  contactKeys: ContactKeys
  execute: ExecuteTicketCommand
  load: LoadTicket
  /** The adapter of a connection's provider; undefined where none is installed. */
  channel: (provider: string) => Channel | undefined
  logger: Logger
  /** How long a send may take, where it is not as usual. */
  sendMs?: (content: Outgoing) => number
}
type Asked = Pick<OutboxRow, 'kind' | 'messageId' | 'externalId' | 'companyId' | 'ticketId' | 'revision' | 'connectionId' | 'contactId'> & {
  cause: Cause
  /** It waits so long before it leaves. */
  afterMs?: number
}

const tellMs = 30_000
const usualMs = ({ media }: Outgoing) => 30_000 + uploadMs(media?.size ?? 0)
/** Whoever is told to give up says within that whether anything left. */
const abortGraceMs = 5000
/** What is done to a message steps aside after so many, and holds what is behind it no longer. */
export const mostAttempts = 6
/** A message that the channel put off so often does not leave any more: hours have passed. */
export const mostPutOff = 24
/** Between two that are said with a pause. */
export const apartMs = 1000
const backoffMs = (attempt: number) => Math.min(500 * 2 ** attempt, 600_000)
/** As long as the channel asks for, and longer in the end where that was never enough. */
const restMs = (putOff: number, afterMs?: number) => Math.max(afterMs ?? backoffMs(putOff + 1), backoffMs(putOff - 4))

/** What is asked for at the same moment is written at once: one trip to the disk serves many conversations. */
const kept = gatheredBy(async (db: Kysely<Database>, rows: Insertable<Database['outbox']>[]): Promise<undefined[]> => {
  const inOrder = rows.toSorted((a, b) => a.ticketId - b.ticketId || a.revision - b.revision) // of two who write the same none waits for the other
  await db
    .insertInto('outbox')
    .values(inOrder)
    .onConflict((row) => row.doNothing())
    .execute()
  return rows.map(() => undefined)
})

export function keep({ afterMs = 0, cause, ...asked }: Asked & { state?: 'taken' }, { db }: Pick<Deps, 'db'>) {
  const dueAt = new Date(Date.now() + afterMs).toISOString()
  const later = afterMs > 0 && { dueAt, gapMs: Math.min(afterMs, apartMs) } // what waited leaves in its pace, and not at once
  return kept(db, { state: 'waiting', ...asked, cause: JSON.stringify(cause), ...later })
}
/** One thing to do at the channel, one row a fact; whoever holds the connection is told. */
export async function enqueueOutbound(asked: Asked, { db }: Pick<Deps, 'db'>): Promise<void> {
  await keep(asked, { db })
  wakeWorker(db, asked.connectionId, 'outbox')
}

/** The id under which somebody may have it. */
export async function idOnItsWay(db: Deps['db'], messageId: number): Promise<string | undefined> {
  const sent = db.selectFrom('outbox').select('externalId').where('messageId', '=', messageId).where('kind', '=', 'send')
  return (await sent.where('state', '=', 'uncertain').executeTakeFirst())?.externalId
}
/** What goes once more under the id of another is found by it alone, and what is done to that one is told to nobody. */
export async function giveWay({ again, externalId }: { again: number; externalId: string }, { db }: Pick<Deps, 'db'>): Promise<void> {
  const given = { state: 'failed' as const, externalId: `${externalId}:again` }
  const before = db.updateTable('outbox').set(given).where('messageId', '=', again).where('kind', '=', 'send')
  await before.where('externalId', '=', externalId).execute()
}

/** Does what a row asks for; it is over then, or due again later, or the connection turns out to be away. */
export async function attempt(row: OutboxRow, line: LeasedConnection, deps: Deps): Promise<void> {
  const found = await target(row, deps.db)
  const channel = found && deps.channel(found.provider)
  if (found && channel && found.status !== 'CONNECTED') {
    line.connection = { ...line.connection, status: found.status }
    return
  }
  const ticket = await deps.load(row.companyId, row.ticketId, { messages: [row.messageId] })
  const present = ticket.status === 'absent' || ticket.status === 'deleted' ? undefined : ticket
  const message = present?.messages.get(row.messageId)
  if (row.kind === 'send') return found && channel ? send(row, message, channel, found, line, deps) : fail(row, deps)
  if (!found || !channel || !message || isOfBefore(message, found)) return settle(row, 'failed', deps)
  const attempts = await claim(row, line, deps)
  try {
    await withTimeout(tell(row, message, channel, found, deps), tellMs, 'telling')
    return settle(row, 'taken', deps)
  } catch (error) {
    const { kind, messageId } = row
    deps.logger.warn({ err: error, kind, messageId, attempts }, 'what is done to a message did not reach the channel')
    if (error instanceof PermanentChannelError) return settle(row, 'failed', deps)
    if (error instanceof TransientChannelError) return putOff(row, error, line, deps)
    return wait(row, backoffMs(attempts), deps)
  }
}

/** It is ours, and was said by the number that the connection had before: whom it was for never wrote to the one that it has now. */
const isOfBefore = ({ from, at }: TicketMessage, { numberSince }: Pick<Addressee, 'numberSince'>): boolean =>
  from === 'us' && numberSince !== null && Date.parse(at) < Date.parse(numberSince)

type Begun = Pick<OutboxRow, 'n' | 'attempts'> & LeasedConnection['lease']
/** Which of them nobody else began, by who holds their connection: those of a moment in one statement. */
const begun = gatheredBy(async (db: Kysely<Database>, asked: Begun[]): Promise<boolean[]> => {
  const column = (name: keyof Begun) => asked.map((one) => one[name])
  const { rows } = await sql<{ n: number }>`
    update outbox o set attempts = o.attempts + 1
    from unnest(${column('n')}::bigint[], ${column('attempts')}::int[], ${column('holder')}::int[], ${column('number')}::int[])
      as w(n, attempts, holder, number), connection_lease l
    where o.n = w.n and o.attempts = w.attempts and l.connection_id = o.connection_id and l.holder = w.holder and l.number = w.number
    returning o.n`.execute(db)
  const mine = new Set(rows.map(({ n }) => n))
  return asked.map(({ n }) => mine.has(n))
})

/** Begins an attempt, where nobody else did and the connection is still held: of two holders, one of which is late to notice, one goes on. */
async function claim({ n, attempts }: OutboxRow, { lease, isLeaseValid: sure }: LeasedConnection, { db }: Deps): Promise<number> {
  const late = () => new Unavailable('another process holds the connection')
  if (!sure()) throw late()
  if (!(await begun(db, { n, attempts, ...lease })) || !sure()) throw late()
  return attempts + 1
}

/** There is nobody who could send it; where that was begun, nobody knows whether it left. */
export async function fail(row: OutboxRow, deps: Pick<Deps, 'db' | 'execute'>): Promise<void> {
  const { messageId, attempts } = row
  if (attempts > 0) {
    await say(row, { type: 'Doubt', messageId }, 'doubt', deps)
    return settle(row, 'uncertain', deps)
  }
  await say(row, { type: 'Fail', messageId, code: 'ERR_WAPP_NOT_INITIALIZED' }, 'fail', deps)
  return settle(row, 'failed', deps)
}

export const say = (
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
  line: LeasedConnection,
  deps: Deps,
): Promise<void> {
  const { messageId, externalId } = row
  if (!message) return settle(row, 'taken', deps)
  const died = row.attempts > 0 && !channel.supportsIdempotentSend // who tried it last did not live to say what came of it
  if (died && row.partsDue > 0 && !message.removed) {
    await say(row, { type: 'Fail', messageId, code: 'ERR_SENT_IN_PART', partly: true }, 'fail', deps)
    return settle(row, 'failed', deps)
  }
  if (message.removed || message.ack > 0) return settle(row, 'taken', deps, row.attempts > 0 ? await providerIdOf(row, deps) : null)
  const late = isOfBefore(message, addressee)
  if (died || (late && row.attempts > 0)) {
    await say(row, { type: 'Doubt', messageId }, 'doubt', deps)
    return settle(row, 'uncertain', deps)
  }
  if (late) {
    await say(row, { type: 'Fail', messageId, code: 'ERR_NUMBER_CHANGED' }, 'fail', deps)
    return settle(row, 'failed', deps)
  }
  const next = row.attempts + 1
  await say(row, { type: 'Dispatch', messageId, attempt: next }, `dispatch-${next}`, deps)
  const content = await contentOf(row, addressee, deps) // after that, so that an edit knows whether it went along
  const attempts = await claim(row, line, deps)
  let providerId: string | null
  try {
    const ms = (deps.sendMs ?? usualMs)(content)
    providerId = await withTimeout(channel.send(addressee.to, externalId, content, AbortSignal.timeout(ms)), ms + abortGraceMs, 'sending')
  } catch (error) {
    if (error instanceof PermanentChannelError) {
      const partly = error instanceof PartialDeliveryError
      if (partly) deps.logger.warn({ err: error.cause, messageId, attempts }, 'only a part of it was sent')
      await say(row, { type: 'Fail', messageId, code: error.code, ...(partly && { partly }) }, 'fail', deps)
      return settle(row, 'failed', deps)
    }
    if (error instanceof TransientChannelError && row.putOff < mostPutOff) return putOff(row, error, line, deps)
    if (error instanceof TransientChannelError) {
      await say(row, { type: 'Fail', messageId, code: error.code }, 'fail', deps)
      return settle(row, 'failed', deps)
    }
    deps.logger.warn({ err: error, messageId, attempts }, 'the outcome of a send is unknown')
    if (channel.supportsIdempotentSend && attempts < mostAttempts) return wait(row, backoffMs(attempts), deps)
    await say(row, { type: 'Doubt', messageId }, 'doubt', deps)
    return settle(row, 'uncertain', deps)
  }
  await say(row, { type: 'Accepted', messageId, ...(providerId !== null && { providerId }) }, 'accepted', deps)
  return settle(row, 'taken', deps, providerId)
}

/**
 * The channel did not take it and may do so later: it is as if it had not been tried. Where the connection is down it waits until that is
 * back, and nothing is counted.
 */
async function putOff(
  { n, attempts, putOff, connectionId }: OutboxRow,
  { code, afterMs }: TransientChannelError,
  line: LeasedConnection,
  deps: Deps,
): Promise<void> {
  const now = await deps.db.selectFrom('connection').select('status').where('id', '=', connectionId).executeTakeFirst()
  const down = now !== undefined && now.status !== 'CONNECTED'
  if (down) line.connection = { ...line.connection, status: now.status }
  deps.logger.debug({ n, code, putOff, down }, 'the channel put off what was to leave')
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
const settled = gatheredBy(async (db: Kysely<Database>, all: Outcome[]): Promise<undefined[]> => {
  const column = (name: keyof Outcome) => all.map((one) => one[name])
  await sql`
    update outbox o set state = w.state, provider_id = coalesce(w.provider_id, o.provider_id)
    from unnest(${column('n')}::bigint[], ${column('state')}::text[], ${column('providerId')}::text[]) as w(n, state, provider_id)
    where o.n = w.n and o.state <> 'failed' and not (w.state = 'uncertain' and o.state = 'taken')`.execute(db) // its provider may have told of it meanwhile
  return all.map(() => undefined)
})

/** A message keeps its row, by which its marks find it, and the newest receipt of a ticket its own; nobody asks after the rest. */
export async function settle(
  { n, kind, ticketId }: OutboxRow,
  state: Outcome['state'],
  { db }: Pick<Deps, 'db'>,
  providerId: string | null = null,
): Promise<void> {
  if (kind === 'send' || kind === 'read') await settled(db, { n, state, providerId }) // so that nothing is told to be read a second time
  if (kind === 'send') return
  const gone = db.deleteFrom('outbox')
  if (kind === 'read')
    await gone.where('ticketId', '=', ticketId).where('kind', '=', kind).where('n', '<', n).where('state', '!=', 'waiting').execute()
  else await gone.where('n', '=', n).execute()
}

/** The provider’s id of it as the log has it, where who wrote that did not live to keep it by the row. */
async function providerIdOf(row: OutboxRow, deps: Deps): Promise<string | null> {
  const accepted = (await factsFrom(row, deps)).find((fact) => fact.type === 'MessageAccepted' && fact.messageId === row.messageId)
  return (accepted?.type === 'MessageAccepted' && accepted.providerId) || null
}

async function contentOf(row: OutboxRow, { names, way }: Addressee, deps: Deps): Promise<Outgoing> {
  const { companyId, ticketId, revision } = row
  const [event, ...since] = await factsFrom(row, deps)
  if (event?.type !== 'MessageSent') throw new Error(`no message at ${revision} of ticket ${ticketId}`)
  const { messageId, kind, media, vCard, quotedId, quote, template, interactive } = event
  const words = newestWords(messageId, since) ?? event.body // what was edited before it left, leaves as it now reads
  const fill = (text: string) => (event.forwarded ? text : worded(text, names, event.by.kind === 'user'))
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

const everyText = <T>(value: T, change: (text: string) => string): T =>
  JSON.parse(JSON.stringify(value), (_, one: unknown) => (typeof one === 'string' ? change(one) : one)) as T

/** Of a message that was said in an earlier ticket; null: that is gone. */
async function ticketOf(companyId: number, messageId: number, { db }: Pick<Deps, 'db'>): Promise<number | null> {
  const row = db.selectFrom('message').select('ticketId').where('id', '=', messageId).where('companyId', '=', companyId)
  return (await row.executeTakeFirst())?.ticketId ?? null
}
async function externalIdOf(companyId: number, ticketId: number, messageId: number, { load }: Deps): Promise<string | null> {
  const ticket = await load(companyId, ticketId, { messages: [messageId] })
  return ticket.status === 'absent' || ticket.status === 'deleted' ? null : (ticket.messages.get(messageId)?.externalId ?? null)
}

const system = (companyId: number): CommandMetadata => ({ companyId, by: { kind: 'system' } })
