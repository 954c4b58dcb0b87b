import type { Kysely } from 'kysely'
import type { Cause, CommandMetadata, EventMetadata } from '#domain/decider.ts'
import { on } from '#domain/setting/contract.ts'
import type { Back, TicketEvent } from '#domain/ticket/events.ts'
import { reachable } from '#domain/ticket/lane.ts'
import { lastInboundMessages } from '#domain/ticket/message-window.ts'
import { streamOf, undoWindow } from '#domain/ticket/rules.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Present } from '#domain/ticket/ticket.ts'
import type { Database, OutboxRow } from '#projections/database.ts'
import { causeOf } from '../event-store/event-codec.ts'
import type { Reactor } from '../event-store/reactor.ts'
import type { NextId } from '../ids.ts'
import { enqueueOutbound, giveWay, keep } from '../outbound/outbox.ts'
import type { Clock } from '../scheduler/clock.ts'
import { setDeadline } from '../scheduler/deadlines.ts'
import type { EnqueueJob } from '../scheduler/jobs.ts'
import { settingsOf } from '../setting/read.ts'
import type { ActiveTicketRegistry } from './active-ticket-registry.ts'
import { forgetMedia, withdrawMedia } from './jobs.ts'
import { asked, gone, partiesOf, sendSystemMessage, ticketOf } from './system-messages.ts'
import type { ExecuteTicketCommand, LoadTicket } from './ticket-repository.ts'
import { arm } from './timeouts.ts'

export type Deps = {
  db: Kysely<Database>
  execute: ExecuteTicketCommand
  load: LoadTicket
  enqueue: EnqueueJob
  activeTickets: ActiveTicketRegistry
  nextMessageId: NextId
  clock: Clock
  config: { hoursCloseTicketsAuto: number }
}
type Event = { aggregateId: number; companyId: number; revision: number; eventId: string; correlationId?: string }

/** What follows from what happened to a ticket. Every id derives from the event, so twice is once. */
export const attend: Reactor<TicketEvent, Deps> = {
  name: 'attend',
  of: ticketStream,
  goesOn: (event) => (event.type === 'TicketOpened' && event.follows !== null ? streamOf(event.companyId, event.follows) : null), // A-TRANSFER-02: to one person in one order
  on: {
    TicketAccepted: async ({ waited, ...event }, deps) => {
      await waits(event, deps)
      const settings = waited && (await settingsOf(deps.db, event.companyId))
      const ticket = settings && on(settings, 'sendGreetingAccepted') && (await partiesOf(event, deps))
      if (!ticket) return
      const mayGreet = !ticket.group || ticket.connection.groupAsTicket === 'enabled' // R-TICKET-06
      if (mayGreet) await sendSystemMessage({ ...event, cause: causeOf(event) }, 'greeting', settings.greetingAcceptedMessage, ticket, deps)
    },

    ConsentGiven: async (event, deps) => {
      const ticket = await ticketOf(event, deps)
      const contact = deps.db.updateTable('contact').set({ lgpdAcceptedAt: event.at, lgpdText: event.text })
      if (ticket) await contact.where('id', '=', ticket.contactId).where('lgpdAcceptedAt', 'is', null).execute()
      await waits(event, deps)
    },

    RatingRequested: async (event, deps) => {
      await waits(event, deps)
      if (event.times === 1) await sayLater('rating', event, deps)
      else await sayOf({ ...event, cause: causeOf(event) }, 'rating', deps)
    },
    TicketReopened: waits,
    TicketResumed: waits,
    TicketReturned: waits,
    InactivityWarned: (event, deps) => sayOf({ ...event, cause: causeOf(event) }, 'inactive', deps),

    TicketOpened: async ({ transfer, ...event }, deps) => {
      await waits(event, deps)
      if (transfer) await sayLater('transferText', event, deps) // A-TRANSFER-02
    },

    TicketTransferred: async (event, deps) => {
      await waits(event, deps)
      await sayLater('transferText', event, deps)
    },

    TicketClosed: async ({ reason, farewell, waited, successor, userId, queueId = null, note = null, ...event }, deps) => {
      if (successor) await goOn(event, successor, { fromUserId: userId, fromQueueId: queueId, note }, deps)
      else await deps.activeTickets.release(event.aggregateId, event.revision)
      if (event.rule === 'A-EXP-01') await sayOf({ ...event, cause: causeOf(event) }, 'expired', deps)
      if (reason === 'rated') await sayOf({ ...event, cause: causeOf(event) }, 'rated', deps)
      if (reason !== 'agent' || !farewell) return
      if (waited && !on(await settingsOf(deps.db, event.companyId), 'sendFarewellWaitingTicket')) return // A-TICKET-07
      await sayLater('farewell', event, deps)
    },

    ActUndone: waits,

    LaneEntered: async ({ tagId, why, ...event }, deps) => {
      await waits(event, deps)
      if (why === 'laneTime') await greetIn(tagId, event, deps)
    },

    TicketDeleted: async ({ companyId, aggregateId: ticketId, revision, back, by }, deps) => {
      if (back) await goBack({ companyId, by }, ticketId, back, deps)
      await deps.activeTickets.release(ticketId, revision)
      await deps.enqueue(forgetMedia, { companyId, ticketId }, { id: `forget-media-${ticketId}` })
    },

    MessageSent: async ({ private: hidden, messageId, externalId, again, afterMs = 0, ...event }, deps) => {
      if (again !== undefined) await giveWay({ again, externalId }, deps)
      const ticket = hidden ? null : await ticketOf(event, deps, { messages: [messageId] })
      if (ticket?.messages.get(messageId)?.ack !== 0) return // taken already: it came with its past, as the demo does
      const { companyId, aggregateId: ticketId, revision } = event
      if (ticket.status === 'open') await arm(companyId, ticket, deps)
      const { connectionId, contactId } = ticket
      const row = { messageId, externalId, companyId, ticketId, revision, connectionId, contactId, cause: causeOf(event) }
      await enqueueOutbound({ kind: 'send', ...row, afterMs }, deps)
      const read = event.by.kind === 'user' && !event.aside && event.reads !== false ? newestRead(ticket) : null
      if (read) await enqueueOutbound({ ...row, kind: 'read', ...read }, deps) // who serves it and answers has read what was there (A-TICKET-06)
    },

    /** A-CALL-01: who calls is told that nobody answers here. */
    MessageReceived: async (event, deps) => {
      const settings = event.kind === 'call_log' && (await settingsOf(deps.db, event.companyId))
      const ticket = settings && !on(settings, 'acceptCallWhatsapp') && (await partiesOf(event, deps))
      if (!ticket || ticket.group) return
      await sendSystemMessage({ ...event, cause: causeOf(event) }, 'call', settings.AcceptCallWhatsappMessage, ticket, deps, {
        aside: true,
      }).catch(gone)
    },
    /** It has left by itself; its row is what its marks are found by. */
    MessageSentElsewhere: async ({ messageId, externalId, ...event }, deps) => {
      await waits(event, deps)
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
      await keep({ ...row, state: 'taken' }, deps)
    },

    MessageRemoved: async (event, deps) => {
      const { companyId, aggregateId: ticketId, messageId } = event
      if (event.from === 'us' && here(event)) await pass('remove', event, deps)
      if (event.emptied) await deps.enqueue(withdrawMedia, { companyId, ticketId, messageId }, { id: `withdraw-media-${messageId}` })
    },
    MessageEdited: (event, deps) => (event.by.kind === 'user' ? pass('edit', event, deps) : Promise.resolve()),
    MessageReacted: (event, deps) => (event.from === 'us' && here(event) ? pass('react', event, deps) : Promise.resolve()),
    ReactionRemoved: (event, deps) => (event.from === 'us' && here(event) ? pass('react', event, deps) : Promise.resolve()),

    TicketRead: async (event, deps) => {
      const last = await lastRead(event, deps)
      if (last !== null) await pass('read', { ...event, messageId: last }, deps)
    },
  },
}

/** What was done on the company's own phone is so at the channel already. */
const here = ({ by }: EventMetadata): boolean => by.kind !== 'system'

/** It waits from here on: for whoever serves it, for an answer, or for a queue. */
async function waits(event: Pick<Event, 'companyId' | 'aggregateId' | 'revision'>, deps: Deps): Promise<void> {
  const ticket = await ticketOf(event, deps, {}, event.revision) // what comes behind it looks again
  if (ticket) await arm(event.companyId, ticket, deps)
}
/** What a lane says to whom time has brought there, if they still stand in it (A-LANE-01). No answer to anything: what they wrote still waits for one. */
async function greetIn(tagId: number, { at, ...event }: Event & { at: string }, deps: Deps): Promise<void> {
  const now = await ticketOf(event, deps)
  if (!now || now.lane?.tagId !== tagId || (now.status !== 'open' && now.status !== 'pending') || !reachable(now, at)) return
  const lane = deps.db.selectFrom('tag').select('greetingMessageLane').where('id', '=', tagId).where('companyId', '=', event.companyId)
  const text = (await lane.executeTakeFirst())?.greetingMessageLane ?? null
  const ticket = text === null ? null : await partiesOf(event, deps)
  if (ticket) await sendSystemMessage({ ...event, cause: causeOf(event) }, 'lane', text, ticket, deps, { aside: true }).catch(gone)
}
/** Says a text of the connection's; once for the event, however often it is asked. */
async function sayOf(
  { cause = null, ...event }: Event & { cause?: Cause | null },
  what: 'inactive' | 'expired' | 'rating' | 'rated',
  deps: Deps,
): Promise<void> {
  const ticket = await partiesOf(event, deps)
  if (!ticket || ticket.group) return
  const { inactiveMessage, expiresInactiveMessage, ratingMessage, complationMessage } = ticket.connection
  const texts = { inactive: inactiveMessage, expired: expiresInactiveMessage, rating: ratingMessage, rated: complationMessage }
  const text = what === 'rating' ? await asked(texts[what], event.companyId, deps) : texts[what]
  const quietly = what === 'inactive' ? { aside: true as const } : {}
  await sendSystemMessage({ ...event, cause }, what, text, ticket, deps, quietly).catch(gone)
}
/** What an act says waits as long as it can be undone. */
const sayLater = (
  kind: 'farewell' | 'transferText' | 'rating',
  { companyId, aggregateId, revision, at, ...event }: Event & { at: string },
  { db }: Deps,
) =>
  setDeadline(db, {
    ...{ companyId, aggregateId, kind: `${kind}/${revision}`, cause: causeOf(event) },
    dueAt: new Date(Date.parse(at) + undoWindow).toISOString(),
  })

/** The contact's newest message that is read by now; one that was imported may count the same. */
function newestRead({ heard: all, unread, messages }: Present) {
  let newest: { messageId: number; externalId: string; revision: number } | null = null
  for (const [messageId, { from, heard, externalId, revision }] of messages)
    if (from === 'contact' && heard > 0 && heard === all - unread && revision > (newest?.revision ?? -1))
      newest = { messageId, externalId, revision }
  return newest
}

/** The same, wherever that is; of one read long ago, the newest up to what its reader then had on screen. */
async function lastRead(event: Event & { messageId?: number }, deps: Deps): Promise<number | null> {
  const messages = event.messageId === undefined ? [] : [event.messageId]
  const now = await ticketOf(event, deps, { messages })
  if (!now) return null
  const newest = newestRead(now)
  if (newest) return newest.messageId
  const message = now.messages.get(event.messageId ?? 0)
  const then = message && (await ticketOf(event, deps, { heardTo: [message.revision] }))
  return (then && lastInboundMessages(then, message.revision).at(-1)?.messageId) ?? null
}

/** What is done to a message goes to the channel behind what went before; what only we read is none of its business. */
async function pass(kind: OutboxRow['kind'], event: Event & { messageId: number }, deps: Deps): Promise<void> {
  const { companyId, aggregateId: ticketId, revision, messageId } = event
  const ticket = await ticketOf(event, deps, { messages: [messageId] })
  const message = ticket?.messages.get(messageId)
  if (!ticket || !message || message.private) return
  const { connectionId, contactId } = ticket
  const to = { companyId, ticketId, connectionId, contactId }
  const at = kind === 'read' ? message.revision : revision // one receipt a message, whether it was seen or answered
  await enqueueOutbound({ kind, messageId, externalId: message.externalId, revision: at, ...to, cause: causeOf(event) }, deps)
}

/** Whoever withdrew what a transfer made undoes that transfer with the same command: this does it where they were killed in between. */
async function goBack({ companyId, by }: CommandMetadata, withdrawn: number, { ticketId, command }: Back, deps: Deps): Promise<void> {
  await deps.execute(ticketId, { type: 'Undo', seen: null, companyId, by }, command).catch(gone)
  const old = await ticketOf({ companyId, aggregateId: ticketId }, deps)
  if (old && old.status !== 'closed')
    await deps.activeTickets.passOn({ companyId, connectionId: old.connectionId, contactId: old.contactId }, withdrawn, old)
}

/** The ticket a transfer goes on in: with the ids the closing fact carries, so that it is opened once (A-TRANSFER-02). */
async function goOn(
  event: Event & EventMetadata,
  to: { ticketId: number; uuid: string; userId: number | null; queueId: number },
  { note, ...from }: { fromUserId: number | null; fromQueueId: number | null; note: string | null },
  deps: Deps,
): Promise<void> {
  const old = await ticketOf(event, deps)
  if (!old) return
  const { companyId, by, at, aggregateId: follows } = event
  const { contactId, connectionId, channel, group } = old
  const opening = { ticketId: to.ticketId, uuid: to.uuid, contactId, connectionId, channel, group, queueId: to.queueId, follows }
  const transferFields = { transfer: { userId: to.userId, ...from }, note }
  await deps.execute(
    to.ticketId,
    { type: 'Open', userId: to.userId, ...opening, ...transferFields, companyId, by, at },
    `open-${to.uuid}`,
    causeOf(event),
  )
  // an undo that was faster has the place again, and keeps it
  if (old.status === 'closed') await deps.activeTickets.passOn({ companyId, connectionId, contactId }, follows, to, event.revision)
}
