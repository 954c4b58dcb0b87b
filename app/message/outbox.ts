import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Stamp } from '#domain/decider.ts'
import type { TicketCommand } from '#domain/ticket/decide.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import type { Database } from '#projections/database.ts'
import { type Channel, type Outgoing, Refused, type Target } from '../channels/channel.ts'
import type { EventLog } from '../eventlog/eventlog.ts'
import type { ContactKeys } from '../eventlog/keys.ts'
import { within } from '../eventlog/patience.ts'
import { facts } from '../facts.ts'
import { job, type Later } from '../jobs.ts'
import { type AskTicket, type SeeTicket, streamOf } from '../store.ts'

export type Deps = {
  db: Kysely<Database>
  /** Connections of their own: a conversation's lock is held while its channel takes its time. */
  locks: Kysely<Database>
  log: EventLog
  keys: ContactKeys
  ask: AskTicket
  see: SeeTicket
  later: Later
  /** The adapter of a connection's provider; undefined where none is installed. */
  channel: (provider: string) => Channel | undefined
  logger: Logger
}
type Conversation = { connectionId: number; contactId: number }
type Row = {
  n: number
  messageId: number
  companyId: number
  ticketId: number
  revision: number
  externalId: string
  attempts: number
  dueAt: string
}

const sendMs = 30_000
const mostAttempts = 6
const offlineMs = 5000
const backoffMs = (attempt: number) => Math.min(500 * 2 ** attempt, 30_000)

/** One conversation in its order. What cannot leave yet holds what is behind it, and comes back by itself. */
export const deliver = job<Deps>()<Conversation>('deliver', {
  attempts: 10,
  concurrency: 16,
  async run(conversation, deps) {
    const key = keyOf(conversation)
    if (next.has(key)) return // who waits for its turn already will find this message too
    next.add(key)
    const act = () => {
      next.delete(key)
      return pump(conversation, deps)
    }
    await inTurn(conversation, deps, act).finally(() => next.delete(key))
  },
})

/** What is done to a message that was sent: the channel hears of it after everything that went before. */
export const tell = job<Deps>()<Conversation & { companyId: number; ticketId: number; revision: number }>('tell', {
  attempts: 5,
  concurrency: 8,
  run: ({ companyId, ticketId, revision, ...conversation }, deps) =>
    inTurn(conversation, deps, async () => {
      await pump(conversation, deps)
      await report(conversation, companyId, ticketId, revision, deps)
    }),
})

const keyOf = ({ connectionId, contactId }: Conversation) => `${connectionId}/${contactId}`
/** Conversations with a job in front of their lane: more would only take the places of other conversations. */
const next = new Set<string>()
const lanes = new Map<string, Promise<unknown>>()
/** Within this process by a lane, between processes by a lock of the database that a killed holder does not keep. */
async function inTurn(conversation: Conversation, { locks }: Deps, act: () => Promise<void>): Promise<void> {
  const key = keyOf(conversation)
  const turn = (lanes.get(key) ?? Promise.resolve()).then(() =>
    locks.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 7303))`.execute(tx)
      await act()
    }),
  )
  const settled: Promise<unknown> = turn.catch(() => undefined).then(() => lanes.get(key) === settled && lanes.delete(key))
  lanes.set(key, settled)
  await turn
}

async function pump(conversation: Conversation, deps: Deps): Promise<void> {
  const { connectionId, contactId } = conversation
  for (;;) {
    const row: Row | undefined = await deps.db
      .selectFrom('outbox')
      .select(['n', 'messageId', 'companyId', 'ticketId', 'revision', 'externalId', 'attempts', 'dueAt'])
      .where('connectionId', '=', connectionId)
      .where('contactId', '=', contactId)
      .where('state', '=', 'waiting')
      .orderBy('n')
      .executeTakeFirst()
    if (!row) return
    const early = Date.parse(row.dueAt) - Date.now()
    const pause = early > 0 ? early : await attempt(row, conversation, deps)
    if (pause === 0) continue
    return deps.later(deliver, conversation, {
      id: `deliver-${row.messageId}-${row.attempts}-${Math.ceil((Date.now() + pause) / 1000)}`,
      delay: pause,
    })
  }
}

/** Sends one message; answers how long to wait before the conversation goes on, 0 for not at all. */
async function attempt(row: Row, { connectionId, contactId }: Conversation, deps: Deps): Promise<number> {
  const { db, ask } = deps
  const { messageId, companyId, ticketId, externalId } = row
  const found = await target(db, companyId, connectionId, contactId)
  const channel = found && deps.channel(found.provider)
  const settle = (state: 'taken' | 'failed' | 'uncertain') =>
    db.updateTable('outbox').set({ state }).where('messageId', '=', messageId).execute()
  const say = (command: TicketCommand, id: string) => ask(ticketId, { ...command, ...system(companyId) }, `${id}-${messageId}`)
  if (!found || !channel) {
    await say({ type: 'Fail', messageId, code: 'ERR_WAPP_NOT_INITIALIZED' }, 'fail')
    await settle('failed')
    return 0
  }
  const wait = async (ms: number) => {
    await db
      .updateTable('outbox')
      .set({ dueAt: new Date(Date.now() + ms).toISOString() })
      .where('messageId', '=', messageId)
      .execute()
    return ms
  }
  if (found.status !== 'CONNECTED') return wait(offlineMs)
  const ticket = await deps.see(companyId, ticketId)
  const message = ticket.status === 'absent' || ticket.status === 'deleted' ? undefined : ticket.messages.get(messageId)
  if (!message || message.removed || message.ack > 0) {
    await settle('taken')
    return 0
  }
  if (row.attempts > 0 && !channel.sameIdIsSafe) {
    await say({ type: 'Doubt', messageId }, 'doubt') // who tried it last did not live to say what came of it
    await settle('uncertain')
    return 0
  }
  const content = await contentOf(row, deps)
  const tries = row.attempts + 1
  await say({ type: 'Dispatch', messageId, attempt: tries }, `dispatch-${tries}`)
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ attempts: tries })
    .where('messageId', '=', messageId)
    .where('attempts', '=', row.attempts) // a holder that lost the conversation's lock may still be at it
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return backoffMs(tries)
  try {
    await within(channel.send(found.to, externalId, content), sendMs, 'sending')
  } catch (error) {
    if (error instanceof Refused) {
      await say({ type: 'Fail', messageId, code: error.code }, 'fail')
      await settle('failed')
      return 0
    }
    deps.logger.warn({ err: error, messageId, tries }, 'the outcome of a send is unknown')
    if (channel.sameIdIsSafe && tries < mostAttempts) return wait(backoffMs(tries))
    await say({ type: 'Doubt', messageId }, 'doubt')
    await settle('uncertain')
    return 0
  }
  await say({ type: 'Accepted', messageId }, 'accepted')
  await settle('taken')
  return 0
}

async function contentOf(
  { companyId, ticketId, revision }: Pick<Row, 'companyId' | 'ticketId' | 'revision'>,
  deps: Deps,
): Promise<Outgoing> {
  const [event, ...since] = await factsFrom(companyId, ticketId, revision, deps)
  if (event?.type !== 'MessageSent') throw new Error(`no message at ${revision} of ticket ${ticketId}`)
  const { messageId, kind, media, vCard, quotedId } = event
  const edited = since.findLast((fact) => fact.type === 'MessageEdited' && fact.messageId === messageId)
  const { body } = edited?.type === 'MessageEdited' ? edited : event // what was edited before it left, leaves as it now reads
  return { kind, body, media, vCard, quotedExternalId: quotedId === null ? null : await externalIdOf(companyId, ticketId, quotedId, deps) }
}

/** The fact at a revision of a ticket and the edits behind it. */
async function factsFrom(companyId: number, ticketId: number, revision: number, { log, keys }: Deps): Promise<(TicketEvent & Stamp)[]> {
  const { events } = await log.read(streamOf(companyId, ticketId), BigInt(revision))
  return facts(
    events.filter(({ type }, i) => i === 0 || type === 'MessageEdited'),
    keys,
  )
}

async function externalIdOf(companyId: number, ticketId: number, messageId: number, { see }: Deps): Promise<string | null> {
  const ticket = await see(companyId, ticketId)
  return ticket.status === 'absent' || ticket.status === 'deleted' ? null : (ticket.messages.get(messageId)?.externalId ?? null)
}

async function report(
  { connectionId, contactId }: Conversation,
  companyId: number,
  ticketId: number,
  revision: number,
  deps: Deps,
): Promise<void> {
  const found = await target(deps.db, companyId, connectionId, contactId)
  const channel = found && deps.channel(found.provider)
  const [event] = await factsFrom(companyId, ticketId, revision, deps)
  if (!found || !channel || !event) return
  if (event.type === 'TicketRead') return channel.read(found.to, await unreadBefore(companyId, ticketId, deps))
  if (!('messageId' in event)) return
  const externalId = await externalIdOf(companyId, ticketId, event.messageId, deps)
  if (!externalId) return
  if (event.type === 'MessageRemoved') await channel.remove(found.to, externalId)
  if (event.type === 'MessageEdited') await channel.edit(found.to, externalId, event.body)
  if (event.type === 'MessageReacted') await channel.react(found.to, externalId, event.emoji)
  if (event.type === 'ReactionRemoved') await channel.react(found.to, externalId, '')
}

/** The contact's latest messages; a provider is not troubled by a receipt it has had. */
async function unreadBefore(companyId: number, ticketId: number, { see }: Deps): Promise<string[]> {
  const ticket = await see(companyId, ticketId)
  if (ticket.status === 'absent' || ticket.status === 'deleted') return []
  const theirs = [...ticket.messages.values()].filter((message) => message.from === 'contact' && !message.removed)
  return theirs.slice(-50).map((message) => message.externalId)
}

async function target(db: Kysely<Database>, companyId: number, connectionId: number, contactId: number) {
  const row = await db
    .selectFrom('connection')
    .innerJoin('contact', (join) => join.on('contact.id', '=', contactId).onRef('contact.companyId', '=', 'connection.companyId'))
    .select(['connection.provider', 'connection.status', 'contact.number', 'contact.isGroup'])
    .where('connection.id', '=', connectionId)
    .where('connection.companyId', '=', companyId)
    .executeTakeFirst()
  const to: Target | undefined = row && { companyId, connectionId, number: row.number, group: row.isGroup }
  return row && to ? { provider: row.provider, status: row.status, to } : undefined
}

const system = (companyId: number): Stamp => ({ companyId, by: { kind: 'system' }, at: new Date().toISOString() })

/** What waits without a job (a crash between the row and the job, a flushed Redis) is found again. */
export async function sweep({ db, later }: Pick<Deps, 'db' | 'later'>): Promise<void> {
  const { rows } = await sql<Conversation>`
    select distinct connection_id, contact_id from outbox
    where state = 'waiting' and due_at < now() - interval '5 seconds' limit 1000`.execute(db)
  const minute = Math.floor(Date.now() / 10_000)
  for (const row of rows) await later(deliver, row, { id: `sweep-${row.connectionId}-${row.contactId}-${minute}` })
}
