import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Cause, Stamp } from '#domain/decider.ts'
import type { TicketCommand } from '#domain/ticket/decide.ts'
import { filled } from '#domain/ticket/rules.ts'
import type { Said } from '#domain/ticket/ticket.ts'
import type { Database, OutboxRow } from '#projections/database.ts'
import { type Channel, type Outgoing, Refused, type Target } from '../channels/channel.ts'
import type { EventLog } from '../eventlog/eventlog.ts'
import type { ContactKeys } from '../eventlog/keys.ts'
import { within } from '../eventlog/patience.ts'
import type { AskTicket, SeeTicket } from '../eventlog/store.ts'
import { job, type Later } from '../work/jobs.ts'
import { lockIds } from '../work/locks.ts'
import { factsFrom, type Names, newestWords, tell } from './tell.ts'

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
type Asked = Pick<OutboxRow, 'kind' | 'messageId' | 'externalId' | 'companyId' | 'ticketId' | 'revision'> & Conversation & { cause: Cause }

const sendMs = 30_000
const mostAttempts = 6
const offlineMs = 5000
const backoffMs = (attempt: number) => Math.min(500 * 2 ** attempt, 600_000)

/** One thing to do at the channel, one row a fact. A job that gets lost is made again by the sweep; done twice, it changes nothing. */
export async function put(asked: Asked, { db, later }: Pick<Deps, 'db' | 'later'>): Promise<void> {
  await db
    .insertInto('outbox')
    .values({ ...asked, cause: JSON.stringify(asked.cause) })
    .onConflict((row) => row.doNothing())
    .execute()
  const { connectionId, contactId, ticketId, revision } = asked
  await later(deliver, { connectionId, contactId }, { id: `deliver-${ticketId}-${revision}` })
}

/** One conversation in its order: messages, and what is done to them. What cannot leave yet holds what is behind it, and comes back by itself. */
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

const keyOf = ({ connectionId, contactId }: Conversation) => `${connectionId}/${contactId}`
/** Conversations with a job in front of their lane: more would only take the places of other conversations. */
const next = new Set<string>()
const lanes = new Map<string, Promise<unknown>>()
/** Within this process by a lane, between processes by a lock of the database that a killed holder does not keep. */
async function inTurn(conversation: Conversation, { locks }: Deps, act: () => Promise<void>): Promise<void> {
  const key = keyOf(conversation)
  const turn = (lanes.get(key) ?? Promise.resolve()).then(() =>
    locks.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${key}, ${lockIds.conversation}))`.execute(tx)
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
    const row = await deps.db
      .selectFrom('outbox')
      .selectAll()
      .where('connectionId', '=', connectionId)
      .where('contactId', '=', contactId)
      .where('state', '=', 'waiting')
      .where(({ or, eb }) => or([eb('kind', '=', 'send'), eb('attempts', '<', mostAttempts), eb('dueAt', '<=', new Date().toISOString())])) // but for what stepped aside
      .orderBy('n')
      .executeTakeFirst()
    if (!row) return
    const early = Date.parse(row.dueAt) - Date.now()
    const pause = early > 0 ? early : await attempt(row, deps)
    if (pause === 0) continue
    return deps.later(deliver, conversation, {
      id: `deliver-${row.ticketId}-${row.revision}-${row.attempts}-${Math.ceil((Date.now() + pause) / 1000)}`,
      delay: pause,
    })
  }
}

/** Answers how long to wait before the conversation goes on, 0 for not at all. */
async function attempt(row: OutboxRow, deps: Deps): Promise<number> {
  const found = await target(row, deps.db)
  const channel = found && deps.channel(found.provider)
  if (found && channel && found.status !== 'CONNECTED') return wait(row, offlineMs, deps)
  const ticket = await deps.see(row.companyId, row.ticketId, { messages: [row.messageId] })
  const present = ticket.status === 'absent' || ticket.status === 'deleted' ? undefined : ticket
  const message = present?.messages.get(row.messageId)
  if (row.kind === 'send') return send(row, message, channel, found, deps)
  if (!found || !channel || !present || !message) return settle(row, 'failed', deps)
  const attempts = row.attempts + 1
  try {
    await within(tell(row, message, channel, found, deps), sendMs, 'telling')
    return settle(row, 'taken', deps)
  } catch (error) {
    const { kind, messageId } = row
    deps.logger.warn({ err: error, kind, messageId, attempts }, 'what is done to a message did not reach the channel')
    if (error instanceof Refused) return settle(row, 'failed', deps)
    await deps.db.updateTable('outbox').set({ attempts }).where('n', '=', row.n).execute()
    const pause = await wait(row, backoffMs(attempts), deps)
    return attempts < mostAttempts ? pause : 0 // it steps aside: the sweep comes back to it, and nothing waits behind it any longer
  }
}

async function send(
  row: OutboxRow,
  message: Said | undefined,
  channel: Channel | undefined,
  found: Awaited<ReturnType<typeof target>>,
  deps: Deps,
): Promise<number> {
  const { messageId, companyId, ticketId, externalId } = row
  const say = (command: TicketCommand, id: string) =>
    deps.ask(ticketId, { ...command, ...system(companyId) }, `${id}-${messageId}`, row.cause ?? undefined)
  if (!found || !channel) {
    await say({ type: 'Fail', messageId, code: 'ERR_WAPP_NOT_INITIALIZED' }, 'fail')
    return settle(row, 'failed', deps)
  }
  if (!message || message.removed || message.ack > 0) return settle(row, 'taken', deps)
  if (row.attempts > 0 && !channel.sameIdIsSafe) {
    await say({ type: 'Doubt', messageId }, 'doubt') // who tried it last did not live to say what came of it
    return settle(row, 'uncertain', deps)
  }
  const attempts = row.attempts + 1
  await say({ type: 'Dispatch', messageId, attempt: attempts }, `dispatch-${attempts}`)
  const content = await contentOf(row, found.names, deps) // after that, so that an edit knows whether it went along
  const { numUpdatedRows } = await deps.db
    .updateTable('outbox')
    .set({ attempts })
    .where('n', '=', row.n)
    .where('attempts', '=', row.attempts) // a holder that lost the conversation's lock may still be at it
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return backoffMs(attempts)
  let providerId: string | null
  try {
    providerId = await within(channel.send(found.to, externalId, content), sendMs, 'sending')
  } catch (error) {
    if (error instanceof Refused) {
      await say({ type: 'Fail', messageId, code: error.code }, 'fail')
      return settle(row, 'failed', deps)
    }
    deps.logger.warn({ err: error, messageId, attempts }, 'the outcome of a send is unknown')
    if (channel.sameIdIsSafe && attempts < mostAttempts) return wait(row, backoffMs(attempts), deps)
    await say({ type: 'Doubt', messageId }, 'doubt')
    return settle(row, 'uncertain', deps)
  }
  await say({ type: 'Accepted', messageId, ...(providerId !== null && { providerId }) }, 'accepted')
  return settle(row, 'taken', deps, providerId)
}

async function wait({ n }: OutboxRow, ms: number, { db }: Deps): Promise<number> {
  const dueAt = new Date(Date.now() + ms).toISOString()
  await db.updateTable('outbox').set({ dueAt }).where('n', '=', n).execute()
  return ms
}

/** A message keeps its row, by which its marks find it; nobody asks after the rest. */
async function settle(
  { n, kind }: OutboxRow,
  state: 'taken' | 'failed' | 'uncertain',
  { db }: Deps,
  providerId: string | null = null,
): Promise<0> {
  if (kind === 'send') await db.updateTable('outbox').set({ state, providerId }).where('n', '=', n).execute()
  else await db.deleteFrom('outbox').where('n', '=', n).execute()
  return 0
}

async function contentOf(row: OutboxRow, names: Names, deps: Deps): Promise<Outgoing> {
  const { companyId, ticketId, revision } = row
  const [event, ...since] = await factsFrom(row, deps)
  if (event?.type !== 'MessageSent') throw new Error(`no message at ${revision} of ticket ${ticketId}`)
  const { messageId, kind, media, vCard, quotedId } = event
  const words = newestWords(messageId, since) ?? event.body // what was edited before it left, leaves as it now reads
  const body = event.forwarded ? words : filled(words, names)
  return { kind, body, media, vCard, quotedExternalId: quotedId === null ? null : await externalIdOf(companyId, ticketId, quotedId, deps) }
}

async function externalIdOf(companyId: number, ticketId: number, messageId: number, { see }: Deps): Promise<string | null> {
  const ticket = await see(companyId, ticketId, { messages: [messageId] })
  return ticket.status === 'absent' || ticket.status === 'deleted' ? null : (ticket.messages.get(messageId)?.externalId ?? null)
}

async function target({ companyId, connectionId, contactId }: OutboxRow, db: Kysely<Database>) {
  const row = await db
    .selectFrom('connection')
    .innerJoin('contact', (join) => join.on('contact.id', '=', contactId).onRef('contact.companyId', '=', 'connection.companyId'))
    .select(['connection.provider', 'connection.status', 'contact.name', 'contact.number', 'contact.isGroup'])
    .where('connection.id', '=', connectionId)
    .where('connection.companyId', '=', companyId)
    .executeTakeFirst()
  if (!row) return undefined
  const { provider, status, name, number, isGroup: group } = row
  const to: Target = { companyId, connectionId, number, group }
  return { provider, status, to, names: { nome: name, numero: number } }
}

const system = (companyId: number): Stamp => ({ companyId, by: { kind: 'system' }, at: new Date().toISOString() })

/** What waits without a job (a crash between the row and the job, a flushed Redis) is found again. */
export async function sweep({ db, later }: Pick<Deps, 'db' | 'later'>): Promise<void> {
  const { rows } = await sql<Conversation>`
    select distinct connection_id, contact_id from outbox
    where state = 'waiting' and due_at < now() - interval '5 seconds' limit 1000`.execute(db)
  const tick = Math.floor(Date.now() / 10_000)
  for (const row of rows) await later(deliver, row, { id: `sweep-${row.connectionId}-${row.contactId}-${tick}` })
}
