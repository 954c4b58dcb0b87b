import type { Kysely } from 'kysely'
import type { Cause, CommandMetadata, EventMetadata } from '#domain/decider.ts'
import { on } from '#domain/setting/contract.ts'
import { streamName } from '#domain/stream.ts'
import type { Back, TicketEvent } from '#domain/ticket/events.ts'
import { reachable } from '#domain/ticket/lane.ts'
import { lastInboundMessages } from '#domain/ticket/message-window.ts'
import { undoWindow } from '#domain/ticket/rules.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Present } from '#domain/ticket/ticket.ts'
import type { Database, OutboxRow } from '#projections/database.ts'
import { causeOf } from '../event-store/event-codec.ts'
import type { Reactor } from '../event-store/reactor.ts'
import type { NextId } from '../ids.ts'
import type { WakeWorker } from '../inbound/worker-wakeups.ts'
import { enqueueOutbound, freeExternalId, insertOutboxRow } from '../outbound/outbox.ts'
import type { Clock } from '../scheduler/clock.ts'
import { setDeadline } from '../scheduler/deadlines.ts'
import type { EnqueueJob } from '../scheduler/jobs.ts'
import { settingsOf } from '../setting/read.ts'
import type { ActiveTicketRegistry } from './active-ticket-registry.ts'
import { ignoreRefusal } from './ignore-refusal.ts'
import { forgetMedia, withdrawMedia } from './jobs.ts'
import { recipientOf } from './recipient.ts'
import { partiesOf, ratingQuestion, sendSystemMessage, ticketOf } from './system-messages.ts'
import type { ExecuteTicketCommand, LoadTicket } from './ticket-repository.ts'
import { scheduleTimeout } from './timeouts.ts'

export type Deps = {
  db: Kysely<Database>
  wakeWorker: WakeWorker
  execute: ExecuteTicketCommand
  load: LoadTicket
  enqueue: EnqueueJob
  activeTickets: ActiveTicketRegistry
  nextMessageId: NextId
  clock: Clock
  config: { hoursCloseTicketsAuto: number }
}
type Event = { aggregateId: number; companyId: number; revision: number; eventId: string; correlationId?: string }

/** Reactions to ticket events. Every id derives from the event, so a second run changes nothing. */
export const ticketReactor: Reactor<TicketEvent, Deps> = {
  name: 'ticketReactor',
  of: ticketStream,
  // A-TRANSFER-02: keeps the order of messages to one contact
  goesOn: (event) =>
    event.type === 'TicketOpened' && event.predecessorId !== null ? streamName(ticketStream, event.companyId, event.predecessorId) : null,
  on: {
    TicketAccepted: async ({ waited, ...event }, deps) => {
      await scheduleNextTimeout(event, deps)
      const settings = waited && (await settingsOf(deps.db, event.companyId))
      const ticket = settings && on(settings, 'sendGreetingAccepted') && (await partiesOf(event, deps))
      if (!ticket) return
      const mayGreet = !ticket.group || ticket.connection.groupAsTicket === 'enabled' // R-TICKET-06
      if (mayGreet) await sendSystemMessage({ ...event, cause: causeOf(event) }, 'greeting', settings.greetingAcceptedMessage, ticket, deps)
    },

    ConsentGiven: async (event, deps) => {
      const ticket = await ticketOf(event, deps)
      const contact = deps.db.updateTable('contact').set({ lgpdAcceptedAt: event.at, lgpdText: event.text })
      const shown = deps.db
        .selectFrom('contact')
        .select('personId')
        .where('id', '=', ticket?.contactId ?? 0)
      if (ticket) await contact.where('id', '=', shown).where('lgpdAcceptedAt', 'is', null).execute()
      await scheduleNextTimeout(event, deps)
    },

    RatingRequested: async (event, deps) => {
      await scheduleNextTimeout(event, deps)
      if (event.times === 1) await sendAfterUndoWindow('rating', event, deps)
      else await sendConnectionText({ ...event, cause: causeOf(event) }, 'rating', deps)
    },
    TicketReopened: scheduleNextTimeout,
    TicketResumed: scheduleNextTimeout,
    TicketReturned: scheduleNextTimeout,
    InactivityWarned: (event, deps) => sendConnectionText({ ...event, cause: causeOf(event) }, 'inactive', deps),

    TicketOpened: async ({ transfer, ...event }, deps) => {
      await scheduleNextTimeout(event, deps)
      if (transfer) await sendAfterUndoWindow('transferText', event, deps) // A-TRANSFER-02
    },

    TicketTransferred: async (event, deps) => {
      await scheduleNextTimeout(event, deps)
      await sendAfterUndoWindow('transferText', event, deps)
    },

    TicketClosed: async ({ reason, farewell, waited, successor, userId, queueId, note = null, ...event }, deps) => {
      if (successor) await openSuccessor(event, successor, { fromUserId: userId, fromQueueId: queueId, note }, deps)
      else await deps.activeTickets.release(event.aggregateId, event.revision)
      if (event.rule === 'A-EXP-01') await sendConnectionText({ ...event, cause: causeOf(event) }, 'expired', deps)
      if (reason === 'rated') await sendConnectionText({ ...event, cause: causeOf(event) }, 'rated', deps)
      if (reason !== 'agent' || !farewell) return
      if (waited && !on(await settingsOf(deps.db, event.companyId), 'sendFarewellWaitingTicket')) return // A-TICKET-07
      await sendAfterUndoWindow('farewell', event, deps)
    },

    ActionUndone: scheduleNextTimeout,

    LaneEntered: async ({ tagId, why, ...event }, deps) => {
      await scheduleNextTimeout(event, deps)
      if (why === 'laneTime') await sendLaneGreeting(tagId, event, deps)
    },

    TicketDeleted: async ({ companyId, aggregateId: ticketId, revision, back, by }, deps) => {
      if (back) await completeUndo({ companyId, by }, ticketId, back, deps)
      await deps.activeTickets.release(ticketId, revision)
      await deps.enqueue(forgetMedia, { companyId, ticketId }, { id: `forget-media-${ticketId}` })
    },

    MessageSent: async ({ private: hidden, messageId, externalId, again, afterMs = 0, ...event }, deps) => {
      if (again !== undefined) await freeExternalId({ again, externalId }, deps)
      const ticket = hidden ? null : await ticketOf(event, deps, { messages: [messageId] })
      const message = ticket?.messages.get(messageId)
      if (!ticket || message?.ack !== 0) return // already dispatched: imported with history, such as demo data
      const { companyId, aggregateId: ticketId, revision } = event
      if (ticket.status === 'open') await scheduleTimeout(companyId, ticket, deps)
      const { connectionId } = ticket
      const contactId = await recipientOf(deps.db, ticket, message)
      const row = { messageId, externalId, companyId, ticketId, revision, connectionId, contactId, cause: causeOf(event) }
      await enqueueOutbound({ kind: 'send', ...row, afterMs }, deps)
      const read = event.by.kind === 'user' && !event.aside && event.reads !== false ? findNewestRead(ticket) : null
      // an agent's answer marks the contact's messages as read (A-TICKET-06)
      if (read) await enqueueOutbound({ ...row, contactId: ticket.contactId, kind: 'read', ...read }, deps)
    },

    /** A-CALL-01: tells the caller that calls are not answered here. */
    MessageReceived: async (event, deps) => {
      const settings = event.kind === 'call_log' && (await settingsOf(deps.db, event.companyId))
      const ticket = settings && !on(settings, 'acceptCallWhatsapp') && (await partiesOf(event, deps))
      if (!ticket || ticket.group) return
      await sendSystemMessage({ ...event, cause: causeOf(event) }, 'call', settings.AcceptCallWhatsappMessage, ticket, deps, {
        aside: true,
      }).catch(ignoreRefusal)
    },
    /** The message was sent on the phone. The outbox row lets its delivery receipts find it. */
    MessageSentExternally: async ({ messageId, externalId, ...event }, deps) => {
      await scheduleNextTimeout(event, deps)
      const ticket = await ticketOf(event, deps)
      if (!ticket) return
      const { companyId, aggregateId: ticketId, revision } = event
      const { connectionId, contactId } = ticket
      const row = {
        kind: 'send',
        messageId,
        externalId,
        companyId,
        ticketId,
        revision,
        connectionId,
        contactId,
        cause: causeOf(event),
      } as const
      await insertOutboxRow({ ...row, state: 'taken' }, deps)
    },

    MessageRemoved: async (event, deps) => {
      const { companyId, aggregateId: ticketId, messageId } = event
      if (event.from === 'us' && madeHere(event)) await enqueueChange('remove', event, deps)
      if (event.emptied) await deps.enqueue(withdrawMedia, { companyId, ticketId, messageId }, { id: `withdraw-media-${messageId}` })
    },
    MessageEdited: (event, deps) => (event.by.kind === 'user' ? enqueueChange('edit', event, deps) : Promise.resolve()),
    MessageReacted: (event, deps) => (event.from === 'us' && madeHere(event) ? enqueueChange('react', event, deps) : Promise.resolve()),
    ReactionRemoved: (event, deps) => (event.from === 'us' && madeHere(event) ? enqueueChange('react', event, deps) : Promise.resolve()),

    TicketRead: async (event, deps) => {
      const last = await findLastRead(event, deps)
      if (last !== null) await enqueueChange('read', { ...event, messageId: last }, deps)
    },
  },
}

/** An action made on the company's own phone has already reached the channel. */
const madeHere = ({ by }: EventMetadata): boolean => by.kind !== 'system'

/** Schedules the next inactivity deadline. */
async function scheduleNextTimeout(event: Pick<Event, 'companyId' | 'aggregateId' | 'revision'>, deps: Deps): Promise<void> {
  const ticket = await ticketOf(event, deps, {}, event.revision) // later events schedule again
  if (ticket) await scheduleTimeout(event.companyId, ticket, deps)
}
/**
 * Sends the lane's greeting if the ticket is still in that lane (A-LANE-01). It counts as no answer, so the
 * customer's message still waits.
 */
async function sendLaneGreeting(tagId: number, { at, ...event }: Event & { at: string }, deps: Deps): Promise<void> {
  const now = await ticketOf(event, deps)
  if (!now || now.lane?.tagId !== tagId || (now.status !== 'open' && now.status !== 'pending') || !reachable(now, at)) return
  const lane = deps.db.selectFrom('tag').select('greetingMessageLane').where('id', '=', tagId).where('companyId', '=', event.companyId)
  const text = (await lane.executeTakeFirst())?.greetingMessageLane ?? null
  const ticket = text === null ? null : await partiesOf(event, deps)
  if (ticket) await sendSystemMessage({ ...event, cause: causeOf(event) }, 'lane', text, ticket, deps, { aside: true }).catch(ignoreRefusal)
}
/** Sends a text of the connection once per event, even if the reaction runs again. */
async function sendConnectionText(
  { cause = null, ...event }: Event & { cause?: Cause | null },
  what: 'inactive' | 'expired' | 'rating' | 'rated',
  deps: Deps,
): Promise<void> {
  const ticket = await partiesOf(event, deps)
  if (!ticket || ticket.group) return
  const { inactiveMessage, expiresInactiveMessage, ratingMessage, complationMessage } = ticket.connection
  const texts = { inactive: inactiveMessage, expired: expiresInactiveMessage, rating: ratingMessage, rated: complationMessage }
  const text = what === 'rating' ? await ratingQuestion(texts[what], event.companyId, deps) : texts[what]
  const quietly = what === 'inactive' ? { aside: true as const } : {}
  await sendSystemMessage({ ...event, cause }, what, text, ticket, deps, quietly).catch(ignoreRefusal)
}
/** Delays the text of an undoable action until the undo window ends. */
const sendAfterUndoWindow = (
  kind: 'farewell' | 'transferText' | 'rating',
  { companyId, aggregateId, revision, at, ...event }: Event & { at: string },
  { db }: Deps,
) =>
  setDeadline(db, {
    ...{ companyId, aggregateId, kind: `${kind}/${revision}`, cause: causeOf(event) },
    dueAt: new Date(Date.parse(at) + undoWindow).toISOString(),
  })

/** Returns the contact's newest read message. Imported messages may share its inbound count. */
function findNewestRead({ inboundCount: all, unread, messages }: Present) {
  let newest: { messageId: number; externalId: string; revision: number; contactId?: number } | null = null
  for (const [messageId, { from, inboundCount, externalId, revision, contactId }] of messages)
    if (from === 'contact' && inboundCount > 0 && inboundCount === all - unread && revision > (newest?.revision ?? -1))
      newest = { messageId, externalId, revision, ...(contactId !== undefined && { contactId }) }
  return newest
}

/**
 * Returns the newest read message, loading older ones too. For a message that was read long ago, the newest
 * that its reader could see then.
 */
async function findLastRead(event: Event & { messageId: number }, deps: Deps): Promise<number | null> {
  const now = await ticketOf(event, deps, { messages: [event.messageId] })
  if (!now) return null
  const newest = findNewestRead(now)
  if (newest) return newest.messageId
  const message = now.messages.get(event.messageId)
  const then = message && (await ticketOf(event, deps, { inboundUpTo: [message.revision] }))
  return (then && lastInboundMessages(then, message.revision).at(-1)?.messageId) ?? null
}

/** Enqueues a change of a message behind earlier outbox rows. Internal messages never reach the channel. */
async function enqueueChange(kind: OutboxRow['kind'], event: Event & { messageId: number }, deps: Deps): Promise<void> {
  const { companyId, aggregateId: ticketId, revision, messageId } = event
  const ticket = await ticketOf(event, deps, { messages: [messageId] })
  const message = ticket?.messages.get(messageId)
  if (!ticket || !message || message.private) return
  const to = { companyId, ticketId, connectionId: ticket.connectionId, contactId: await recipientOf(deps.db, ticket, message) }
  const at = kind === 'read' ? message.revision : revision // one read receipt per message, whether it was opened or answered
  await enqueueOutbound({ kind, messageId, externalId: message.externalId, revision: at, ...to, cause: causeOf(event) }, deps)
}

/** Completes the undo of a transfer with the same command id, in case the process stopped after `Withdraw`. */
async function completeUndo({ companyId, by }: CommandMetadata, withdrawn: number, { ticketId, command }: Back, deps: Deps): Promise<void> {
  await deps.execute(ticketId, { type: 'Undo', seen: null, companyId, by }, command).catch(ignoreRefusal)
  const old = await ticketOf({ companyId, aggregateId: ticketId }, deps)
  if (old && old.status !== 'closed')
    await deps.activeTickets.transferClaim({ companyId, connectionId: old.connectionId, contactId: old.contactId }, withdrawn, old)
}

/**
 * Opens the successor of a transferred ticket with the ids from the closing event, so that it is opened once
 * (A-TRANSFER-02).
 */
async function openSuccessor(
  event: Event & EventMetadata,
  to: { ticketId: number; uuid: string; userId: number | null; queueId: number },
  { note, ...from }: { fromUserId: number | null; fromQueueId: number | null; note: string | null },
  deps: Deps,
): Promise<void> {
  const old = await ticketOf(event, deps)
  if (!old) return
  const { companyId, by, at, aggregateId: predecessorId } = event
  const { contactId, connectionId, channel, group } = old
  const opening = { ticketId: to.ticketId, uuid: to.uuid, contactId, connectionId, channel, group, queueId: to.queueId, predecessorId }
  const transferFields = { transfer: { userId: to.userId, ...from }, note }
  await deps.execute(
    to.ticketId,
    { type: 'Open', userId: to.userId, ...opening, ...transferFields, companyId, by, at },
    `open-${to.uuid}`,
    causeOf(event),
  )
  // a faster undo has reclaimed the row and keeps it
  if (old.status === 'closed')
    await deps.activeTickets.transferClaim({ companyId, connectionId, contactId }, predecessorId, to, event.revision)
}
