import type { Kysely } from 'kysely'
import type { Stamp } from '#domain/decider.ts'
import { on } from '#domain/setting/contract.ts'
import type { Content } from '#domain/ticket/events.ts'
import { filled } from '#domain/ticket/rules.ts'
import type { Database, OutboxRow } from '#projections/database.ts'
import { idFrom } from '../eventlog/facts.ts'
import type { Reactor } from '../eventlog/reactor.ts'
import type { AskTicket, SeeTicket } from '../eventlog/store.ts'
import type { NextId } from '../ids.ts'
import { externalIdFrom } from '../message/external-id.ts'
import { put } from '../message/outbox.ts'
import { settingsOf } from '../session/viewers.ts'
import { setDeadline } from '../work/deadlines.ts'
import type { Later } from '../work/jobs.ts'
import type { Active } from './active.ts'
import { forgetMedia, hour, withdrawMedia } from './jobs.ts'

export type Deps = {
  db: Kysely<Database>
  ask: AskTicket
  see: SeeTicket
  later: Later
  active: Active
  nextMessageId: NextId
  settings: { hoursCloseTicketsAuto: number }
}
type Event = { ticketId: number; companyId: number; revision: number; eventId: string }

/** What follows from what happened to a ticket. Every id derives from the event, so twice is once. */
export const attend: Reactor<Deps> = {
  name: 'attend',
  on: {
    TicketAccepted: async ({ waited, ...event }, deps) => {
      const settings = waited && (await settingsOf(deps.db, event.companyId))
      const ticket = settings && on(settings, 'sendGreetingAccepted') && (await partiesOf(event, deps))
      if (!ticket) return
      const mayGreet = !ticket.group || ticket.connection.groupAsTicket === 'enabled' // R-TICKET-06
      if (mayGreet) await say(event, 'greeting', settings.greetingAcceptedMessage, ticket, deps)
    },

    TicketTransferred: async (event, deps) => {
      const settings = await settingsOf(deps.db, event.companyId)
      const ticket = on(settings, 'sendMsgTransfTicket') && (await partiesOf(event, deps))
      if (ticket && !ticket.group) await say(event, 'transfer', settings.transferMessage, ticket, deps) // A-TRANSFER-01
    },

    TicketClosed: async ({ reason, farewell, waited, successor, userId, queueId = null, note = null, ...event }, deps) => {
      if (successor) await goOn(event, successor, { fromUserId: userId, fromQueueId: queueId, note }, deps)
      else await deps.active.release(event.ticketId, event.revision)
      const ticket = reason === 'agent' && farewell && (await partiesOf(event, deps))
      if (!ticket || ticket.group) return
      if (waited && !on(await settingsOf(deps.db, event.companyId), 'sendFarewellWaitingTicket')) return // A-TICKET-07
      await say(event, 'complation', ticket.connection.complationMessage, ticket, deps)
      const user = userId && (await deps.db.selectFrom('user').select('farewellMessage').where('id', '=', userId).executeTakeFirst())
      if (user) await say(event, 'farewell', user.farewellMessage, ticket, deps)
    },

    TicketDeleted: async ({ companyId, ticketId, revision }, deps) => {
      await deps.active.release(ticketId, revision)
      await deps.later(forgetMedia, { companyId, ticketId }, { id: `forget-media-${ticketId}` })
    },

    MessageSent: async ({ private: hidden, messageId, externalId, ...event }, deps) => {
      const ticket = hidden ? null : await ticketOf(event, deps)
      if (ticket?.messages.get(messageId)?.ack !== 0) return // taken already: it came with its past, as the demo does
      const { companyId, ticketId, revision, at } = event
      const { hoursCloseTicketsAuto: hours } = deps.settings
      if (hours > 0 && !ticket.group)
        await setDeadline(deps.db, {
          companyId,
          aggregateId: ticketId,
          kind: 'idle',
          dueAt: new Date(Date.parse(at) + hours * hour).toISOString(),
        })
      const { connectionId, contactId } = ticket
      await put({ kind: 'send', messageId, externalId, companyId, ticketId, revision, connectionId, contactId }, deps)
    },

    MessageRemoved: async (event, deps) => {
      const { companyId, ticketId, messageId } = event
      if (event.from === 'us') await pass('remove', event, deps)
      if (event.emptied) await deps.later(withdrawMedia, { companyId, ticketId, messageId }, { id: `withdraw-media-${messageId}` })
    },
    MessageEdited: (event, deps) => (event.by.kind === 'user' ? pass('edit', event, deps) : Promise.resolve()),
    MessageReacted: (event, deps) => (event.from === 'us' ? pass('react', event, deps) : Promise.resolve()),
    ReactionRemoved: (event, deps) => (event.from === 'us' ? pass('react', event, deps) : Promise.resolve()),

    TicketRead: async (event, deps) => {
      const ticket = await ticketOf(event, deps)
      const theirs = ticket ? [...ticket.messages].filter(([, { from }]) => from === 'contact') : []
      const last = ticket && theirs[theirs.length - 1 - ticket.unread]
      if (last) await pass('read', { ...event, messageId: last[0] }, deps)
    },
  },
}

/** What is done to a message goes to the channel behind what went before; what only we read is none of its business. */
async function pass(
  kind: OutboxRow['kind'],
  { companyId, ticketId, revision, messageId }: Event & { messageId: number },
  deps: Deps,
): Promise<void> {
  const ticket = await ticketOf({ companyId, ticketId }, deps)
  const message = ticket?.messages.get(messageId)
  if (!ticket || !message || message.private) return
  const { connectionId, contactId } = ticket
  await put({ kind, messageId, externalId: message.externalId, companyId, ticketId, revision, connectionId, contactId }, deps)
}

async function ticketOf({ companyId, ticketId }: Pick<Event, 'companyId' | 'ticketId'>, { see }: Deps) {
  const ticket = await see(companyId, ticketId)
  return ticket.status === 'absent' || ticket.status === 'deleted' ? null : ticket
}

async function partiesOf(event: Event, deps: Deps) {
  const ticket = await ticketOf(event, deps)
  if (!ticket) return null
  const [connection, contact, queue] = await Promise.all([
    deps.db
      .selectFrom('connection')
      .select(['complationMessage', 'groupAsTicket'])
      .where('id', '=', ticket.connectionId)
      .executeTakeFirst(),
    deps.db.selectFrom('contact').select(['name', 'number', 'email']).where('id', '=', ticket.contactId).executeTakeFirst(),
    ticket.queueId === null ? undefined : deps.db.selectFrom('queue').select('name').where('id', '=', ticket.queueId).executeTakeFirst(),
  ])
  return connection && contact ? { group: ticket.group, connection, contact, queue: queue?.name ?? '' } : null
}
type Parties = NonNullable<Awaited<ReturnType<typeof partiesOf>>>

async function say(event: Event, what: string, text: string | null, { contact, queue }: Parties, deps: Deps): Promise<void> {
  if (!text?.trim()) return
  const clientId = idFrom(`${what}/${event.eventId}`)
  const content: Content = {
    ...{ messageId: await deps.nextMessageId(), kind: 'chat', media: null, vCard: null, quotedId: null },
    body: cut(filled(text, { nome: contact.name, numero: contact.number, email: contact.email, fila: queue })),
  }
  const rest = { private: false, forwarded: false, seen: null, anyway: true, admin: false }
  await deps.ask(
    event.ticketId,
    { type: 'Send', clientId, externalId: externalIdFrom(clientId), ...content, ...rest, ...system(event.companyId) },
    clientId,
  )
}

/** The ticket a transfer goes on in: with the ids the closing fact carries, so that it is opened once (A-TRANSFER-02). */
async function goOn(
  event: Event & Stamp,
  to: { ticketId: number; uuid: string; userId: number | null; queueId: number },
  { note, ...from }: { fromUserId: number | null; fromQueueId: number | null; note: string | null },
  deps: Deps,
): Promise<void> {
  const old = await ticketOf(event, deps)
  if (!old) return
  const { companyId, by, at, ticketId: follows } = event
  const { contactId, connectionId, channel, group } = old
  const opening = { ticketId: to.ticketId, uuid: to.uuid, contactId, connectionId, channel, group, queueId: to.queueId, follows }
  const told = { transfer: { userId: to.userId, ...from }, note }
  await deps.ask(to.ticketId, { type: 'Open', userId: to.userId, ...opening, ...told, companyId, by, at }, `open-${to.uuid}`)
  await deps.active.passOn({ companyId, connectionId, contactId }, follows, to)
}

/** What a text may grow to when its names are filled in. */
const cut = (text: string) => text.slice(0, 10_000).toWellFormed()
const system = (companyId: number): Stamp => ({ companyId, by: { kind: 'system' }, at: new Date().toISOString() })
